"""`upload`: the files of a workstation that belong to one order, placed and sent."""

import argparse
from threading import Event

from seqfacility_wire.command_line.refusal import Refused, one_line

from seqfacility_client.checksum_lists import found_checksums
from seqfacility_client.connection import Connection
from seqfacility_client.facility import Intake, OrderAtFacility, order_at
from seqfacility_client.local_files import found_files, size_of
from seqfacility_client.progress import shown_progress
from seqfacility_client.rate import Rate
from seqfacility_client.rules.names import stem_of
from seqfacility_client.rules.plan import Placed, Plan, planned
from seqfacility_client.rules.plan_table import plan_table
from seqfacility_client.rules.samples import Sample, named_sample
from seqfacility_client.rules.sessions import Session
from seqfacility_client.running import (
    each,
    failure_line,
    foreseen_one,
    left_out,
    note_left_out,
    opened,
    sent_one,
    write_result,
)
from seqfacility_client.sending import Sender
from seqfacility_client.vocabulary import ARTIFACTS, Mate


def upload(arguments: argparse.Namespace, password: str) -> str | None:
    """Send every file; return one line about what did not arrive, None when all did.

    Decision: G262, G320.
    """
    stop = Event()
    connection = Connection(arguments.url.rstrip("/"), arguments.email, password)
    asked = opened(connection, lambda: _asked(connection, arguments), stop)
    order, intake, sessions, sequencing_run_id = asked
    plan = _planned(arguments, intake)
    folders = [path for path in arguments.files if path.is_dir()]
    checksums = found_checksums([*folders, *(placed.path.parent for placed in plan.placed)])
    with shown_progress() as progress:
        sender = Sender(
            order=order,
            intake=intake,
            sessions=sessions,
            data_class=arguments.data_class,
            with_checksum=arguments.checksum,
            patience_seconds=arguments.patience,
            progress=progress,
            rate=Rate(stop, arguments.limit_rate),
            stop=stop,
            sequencing_run_id=sequencing_run_id,
            checksums=checksums,
            may_supersede=arguments.supersede,
        )
        if arguments.dry_run:
            foreseen = [foreseen_one(sender, placed) for placed in plan.placed]
            for row in plan_table(foreseen, plan.left_out):
                progress.note(row)
            return None
        note_left_out(progress, plan.left_out)
        progress.expected({str(placed.path): size_of(placed.paths) for placed in plan.placed})
        files = each(plan.placed, lambda placed: sent_one(sender, placed), arguments.parallel, stop)
    line = failure_line(files, stop)
    if arguments.result:
        files += [left_out(one) for one in plan.left_out]
        write_result(
            arguments.result,
            {"url": connection.base_url, "orderId": order.order_id, "complete": line is None, "files": files},
        )
    return line


def _asked(
    connection: Connection, arguments: argparse.Namespace
) -> tuple[OrderAtFacility, Intake, list[Session], str | None]:
    order = order_at(connection, arguments.order)
    run = arguments.sequencing_run
    return order, order.intake(), order.sessions(), None if run is None else order.sequencing_run_id(run)


def _planned(arguments: argparse.Namespace, intake: Intake) -> Plan:
    """Place every file; raises `Refused` with every problem that there is."""
    named, below = found_files(arguments.files)
    sample = _sample(arguments, intake)
    if arguments.role in ARTIFACTS:
        placed = tuple(Placed(path, sample, arguments.role) for path in (*named, *below))
        plan = Plan(placed, (), ())
    else:
        reads = [path for path in below if stem_of(path.name, intake.extensions) is not None]
        mate = None if arguments.role is None else Mate(arguments.role)
        plan = planned(
            [*named, *reads],
            intake.samples,
            intake.extensions,
            sample,
            mate,
            join_lanes=arguments.join_lanes,
        )
    if plan.problems:
        raise Refused(one_line("nothing was sent: " + plan.problems[0], plan.problems[1:]))
    if not plan.placed:
        raise Refused("there is no read file; the extensions are " + " ".join(intake.extensions))
    return plan


def _sample(arguments: argparse.Namespace, intake: Intake) -> Sample | None:
    """Find the sample that was named; raises `Refused`. Decision: G4."""
    if arguments.sample is None:
        return None
    found = named_sample(arguments.sample, intake.samples)
    if len(found) != 1:
        many = "several samples" if found else "no sample"
        raise Refused(f"the order has {many} {arguments.sample}")
    return found[0]
