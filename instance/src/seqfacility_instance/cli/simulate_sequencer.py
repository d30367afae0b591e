"""Write a believable MinKNOW run: folders, growing FASTQ files, failing and late ones, summaries, checksums.

The reads are fragments of a reference genome, or given ones. For tests and demonstrations of live ingest.
"""

import argparse
import csv
import json
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from seqfacility_wire.command_line.refusal import Refused

if TYPE_CHECKING:
    import numpy as np

    from seqfacility_instance.streams.simulation.molecules import Molecules


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("output", type=Path, metavar="FOLDER", help="where the run folder is made")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--reference", type=Path, metavar="FASTA", help="genome that reads are cut from")
    source.add_argument("--reads", type=Path, metavar="FASTQ", help="reads that are sent again and again")
    parser.add_argument("--minutes", type=int, default=60, metavar="N", help="length of the run")
    parser.add_argument("--reads-per-minute", type=int, default=60, metavar="N", help="at its beginning")
    parser.add_argument("--reads-per-file", type=int, default=400, metavar="N")
    parser.add_argument("--mean-length", type=int, default=4000, metavar="BASES")
    barcodes = parser.add_mutually_exclusive_group()
    barcodes.add_argument("--barcodes", type=int, default=4, metavar="N", help="0 for a run without barcodes")
    barcodes.add_argument(
        "--sample-sheet",
        type=Path,
        metavar="CSV",
        help="barcodes and their aliases, as the service writes it",
    )
    parser.add_argument("--late-files", type=int, default=1, metavar="N", help="closed after the summary")
    parser.add_argument("--speed-up", type=float, default=60.0, metavar="X", help="0: as fast as it goes")
    parser.add_argument("--layout", choices=["nested", "flat"], default="nested")
    parser.add_argument("--names-only", action="store_true", help="barcodes in file names, not in folders")
    parser.add_argument("--plain", action="store_true", help="FASTQ that is not compressed")
    parser.add_argument("--experiment", default="simulated", metavar="NAME")
    parser.add_argument("--sample", default="pool", metavar="NAME")
    parser.add_argument("--device", default="X1", metavar="NAME")
    parser.add_argument("--flow-cell", default="FBA00001", metavar="NAME")
    parser.add_argument("--seed", type=int, default=1, metavar="N")


def run(arguments: argparse.Namespace) -> int:
    """Write the run; the last line on standard output says as JSON what it holds. Decision: G317."""
    import numpy as np

    from seqfacility_instance.streams.simulation.instrument import Instrument, Plan, run_folder
    from seqfacility_instance.streams.simulation.run_folder import RunIdentity, Written

    random = np.random.default_rng(arguments.seed)
    identity = RunIdentity.make(
        arguments.experiment,
        arguments.sample,
        arguments.device,
        arguments.flow_cell,
        datetime.now(UTC).replace(microsecond=0),
        arguments.seed,
    )
    folder = run_folder(arguments.output, identity, is_nested=arguments.layout == "nested")
    plan = Plan(
        minutes=max(1, arguments.minutes),
        reads_per_minute=max(1, arguments.reads_per_minute),
        reads_per_file=max(1, arguments.reads_per_file),
        barcodes=_barcodes(arguments),
        in_folders=not arguments.names_only,
        is_compressed=not arguments.plain,
        late_files=arguments.late_files,
    )
    sys.stdout.write(f"run folder: {folder}\n")
    sys.stdout.flush()

    def pause(seconds: float) -> None:
        if arguments.speed_up > 0:
            time.sleep(seconds / arguments.speed_up)

    written = Instrument(identity, plan, _molecules(arguments, random), random, pause, Written(folder)).work()
    sys.stdout.write(json.dumps(written.totals()) + "\n")
    return 0


def _barcodes(arguments: argparse.Namespace) -> dict[str, str]:
    """Return every barcode and its alias; without a sample sheet a barcode is its own."""
    if arguments.sample_sheet is None:
        names = [f"barcode{number:02d}" for number in range(1, arguments.barcodes + 1)]
        return dict(zip(names, names, strict=True))
    try:
        with arguments.sample_sheet.open(encoding="utf-8", newline="") as file:
            return {row["barcode"]: row["alias"] for row in csv.DictReader(file)}
    except (OSError, ValueError, KeyError) as unreadable:
        raise Refused(
            f"{arguments.sample_sheet} is no sample sheet with barcodes: {unreadable}"
        ) from unreadable


def _molecules(arguments: argparse.Namespace, random: "np.random.Generator") -> "Molecules":
    from seqfacility_instance.streams.simulation.molecules import (
        ReferenceFragments,
        RepeatedReads,
        read_fasta,
        read_fastq,
    )

    try:
        if arguments.reads is not None:
            return RepeatedReads(read_fastq(arguments.reads))
        return ReferenceFragments(read_fasta(arguments.reference), arguments.mean_length, random)
    except (OSError, ValueError) as unreadable:
        raise Refused(str(unreadable)) from unreadable
