"""Count the reads of one sample, and those that are long enough."""

import argparse
import gzip
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from run_sheet import read_rows, table_text, write_json, write_whole

HEADER = ("sample", "file", "reads", "long_enough")


def lengths(path: Path) -> list[int]:
    """Read a FASTQ file, compressed or not; return the length of each read."""
    with path.open("rb") as stream:
        is_compressed = stream.read(2) == b"\x1f\x8b"
    with gzip.open(path, "rb") if is_compressed else path.open("rb") as lines:
        return [len(line.strip()) for number, line in enumerate(lines) if number % 4 == 1]


def main(arguments: Sequence[str] | None = None) -> int:
    """Write `<sample code>.reads.tsv`, one line a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sheet", type=Path, required=True)
    parser.add_argument("--sample", required=True, help="key of the sample in the sheet")
    parser.add_argument("--output-dir", type=Path, required=True)
    parser.add_argument("--result", type=Path, required=True)
    parser.add_argument("--min-length", type=int, required=True)
    options = parser.parse_args(arguments)
    row = read_rows(options.sheet)[options.sample]
    lines = []
    for path in row.files:
        found = lengths(path)
        long_enough = sum(length >= options.min_length for length in found)
        lines.append([row.code, path.name, len(found), long_enough])
    write_whole(options.output_dir / f"{row.code}.reads.tsv", table_text(HEADER, lines))
    write_json(options.result, lines)
    return 0


if __name__ == "__main__":
    job = globals().get("snakemake")  # the workflow engine sets it; on the command line it is absent
    if status := main(job.params.arguments if job else None):
        sys.exit(status)
