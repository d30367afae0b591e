"""`upload`: the files of a workstation that belong to one order, planned by the facility and sent."""

import argparse
from threading import Event

from seqfacility_client.connection import Connection
from seqfacility_client.credentials import Credentials
from seqfacility_client.facility import OrderAtFacility, UploadRules, order_at
from seqfacility_client.planning import found, planned
from seqfacility_client.progress import shown_progress
from seqfacility_client.rate import Rate
from seqfacility_client.rules.plan_table import foreseen, plan_table
from seqfacility_client.running import answered, each, failure_line, opened, sent_one, unsent, write_result
from seqfacility_client.sending import Sender


def upload(arguments: argparse.Namespace, credentials: Credentials) -> str | None:
    """Send every file; return one line about what did not arrive, None when all did.

    Decision: G262, G320.
    """
    stop = Event()
    connection = Connection(arguments.url.rstrip("/"), credentials)
    order, rules, sequencing_run_id = opened(connection, lambda: _asked(connection, arguments), stop)
    files = found(arguments, rules, stop)
    plan = answered(lambda: planned(order, rules, files, arguments, sequencing_run_id), stop)
    with shown_progress() as progress:
        if arguments.dry_run:
            rows = [(one, foreseen(one, may_supersede=arguments.supersede)) for one in plan.placed]
            for row in plan_table(rows, plan.failed, plan.left_out):
                progress.note(row)
            return None
        sender = Sender(
            order=order,
            rules=rules,
            parts=files.parts,
            data_class=arguments.data_class,
            with_checksum=arguments.checksum,
            patience_seconds=arguments.patience,
            progress=progress,
            rate=Rate(stop, arguments.limit_rate),
            stop=stop,
            sequencing_run_id=sequencing_run_id,
            may_supersede=arguments.supersede,
        )
        left_out = unsent(progress, "left-out", plan.left_out)
        failed = unsent(progress, "failed", plan.failed)
        progress.expected({str(one.path): one.size for one in plan.placed})
        # What somebody else sends comes last: it may be there by then.
        placed = sorted(plan.placed, key=lambda one: one.continues is not None and one.continues.is_receiving)
        sent = each(placed, lambda one: sent_one(sender, one), arguments.parallel, stop)
    results = [*failed, *sent]
    line = failure_line(results, stop)
    if arguments.result:
        write_result(
            arguments.result,
            {
                "url": connection.base_url,
                "orderId": order.order_id,
                "complete": line is None,
                "files": [*results, *left_out],
            },
        )
    return line


def _asked(
    connection: Connection, arguments: argparse.Namespace
) -> tuple[OrderAtFacility, UploadRules, str | None]:
    order = order_at(connection, arguments.order)
    run = arguments.sequencing_run
    return order, order.upload_rules(), None if run is None else order.sequencing_run_id(run)
