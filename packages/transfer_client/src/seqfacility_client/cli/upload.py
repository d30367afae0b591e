"""Send read files to a facility, from a workstation or a sequencer's computer; run again, it goes on.

FILE is a file or a folder. A name tells the mate (`_R1_001`, `_R1`, or `_1` beside a `_2`) and the sample,
whose code or alias stands alone in it; --sample and --role say it instead. Nothing is sent while one file is
unclear, and no MD5 is computed here that a list beside the files (md5sum.txt, *.md5) has already.
"""

import argparse
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from seqfacility_command_line.refusal import Refused, WrongUsage, one_line

from seqfacility_client.cli.facility_connection import (
    add_connection_arguments,
    check_connection_arguments,
    run_transfer,
)

if TYPE_CHECKING:
    from seqfacility_client.connection import Connection
    from seqfacility_client.facility import Intake, OrderAtFacility
    from seqfacility_client.rules.plan import Plan
    from seqfacility_client.rules.samples import Sample
    from seqfacility_client.rules.sessions import Session

_MATES = ("R1", "R2")
ARTIFACTS = ("qc_report", "multiqc_report", "demux_stats", "sample_sheet", "delivery_report", "attachment")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `upload`. Decision: G262, G320."""
    add_connection_arguments(parser)
    parser.add_argument("--sample", metavar="S", help="id, code or alias; without it the names decide")
    parser.add_argument("--role", choices=[*_MATES, *ARTIFACTS], metavar="R1", help="R1, R2, or an artifact")
    parser.add_argument("--data-class", choices=["raw", "cleaned", "unknown"], metavar="C")
    parser.add_argument("--checksum", action="store_true", help="hash each file first and send the MD5 along")
    parser.add_argument("--sequencing-run", metavar="RUN", help="link the reads to this run of the order")
    parser.add_argument("--join-lanes", action="store_true", help="send the lanes of a mate as one file")
    parser.add_argument(
        "--supersede", action="store_true", help="also where reads leave a published delivery by it"
    )
    parser.add_argument("--dry-run", action="store_true", help="print what would be sent, and send nothing")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")


def run(arguments: argparse.Namespace) -> int:
    """Send every file; 0 only when all of them arrived. Decision: G259, G262."""
    check_connection_arguments(arguments)
    if arguments.role in ARTIFACTS and arguments.data_class:
        raise WrongUsage("--data-class belongs to reads")
    if arguments.dry_run and arguments.result:
        raise WrongUsage("--dry-run has no result to write")
    return run_transfer(lambda password: _sent(arguments, password))


def _sent(arguments: argparse.Namespace, password: str) -> str | None:
    from seqfacility_client.checksum_lists import found_checksums
    from seqfacility_client.connection import Connection
    from seqfacility_client.local_files import size_of
    from seqfacility_client.progress import shown_progress
    from seqfacility_client.rate import Rate
    from seqfacility_client.rules.plan_table import plan_table
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
    connection: "Connection", arguments: argparse.Namespace
) -> "tuple[OrderAtFacility, Intake, list[Session], str | None]":
    from seqfacility_client.facility import order_at

    order = order_at(connection, arguments.order)
    run = arguments.sequencing_run
    return order, order.intake(), order.sessions(), None if run is None else order.sequencing_run_id(run)


def _planned(arguments: argparse.Namespace, intake: "Intake") -> "Plan":
    """Place every file; raises `Refused` with every problem that there is."""
    from seqfacility_client.local_files import found_files
    from seqfacility_client.rules.names import stem_of
    from seqfacility_client.rules.plan import Placed, Plan, planned
    from seqfacility_client.vocabulary import Mate

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


def _sample(arguments: argparse.Namespace, intake: "Intake") -> "Sample | None":
    """Find the sample that was named; raises `Refused`. Decision: G4."""
    from seqfacility_client.rules.samples import named_sample

    if arguments.sample is None:
        return None
    found = named_sample(arguments.sample, intake.samples)
    if len(found) != 1:
        many = "several samples" if found else "no sample"
        raise Refused(f"the order has {many} {arguments.sample}")
    return found[0]
