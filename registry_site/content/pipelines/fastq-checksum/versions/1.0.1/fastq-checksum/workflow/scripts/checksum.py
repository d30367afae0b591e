"""Compute the MD5 of one sample's read files."""

import argparse
import hashlib
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from run_sheet import Row, read_rows, table_text, write_json, write_whole

BLOCK_BYTES = 1024 * 1024
HEADER = ("sample", "file1", "bytes1", "md5_1", "file2", "bytes2", "md5_2")


def file_facts(path: Path) -> dict[str, object]:
    """Hash one file as it lies on disk; compressed files are not unpacked."""
    digest = hashlib.md5(usedforsecurity=False)
    size = 0
    with path.open("rb") as stream:
        while block := stream.read(BLOCK_BYTES):
            digest.update(block)
            size += len(block)
    return {"name": path.name, "bytes": size, "md5": digest.hexdigest()}


def sample_line(row: Row, files: Sequence[dict[str, object]]) -> list[object]:
    """Lay the facts of one or two files out as a line of the table."""
    cells: list[object] = [row.code]
    for facts in files:
        cells += [facts["name"], facts["bytes"], facts["md5"]]
    return cells + [None] * (len(HEADER) - len(cells))


def main(arguments: Sequence[str] | None = None) -> int:
    """Write `<sample code>.checksums.tsv`, and the same line for the table of the run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sheet", type=Path, required=True)
    parser.add_argument("--sample", required=True, help="key of the sample in the sheet")
    parser.add_argument("--output-dir", type=Path, required=True)
    parser.add_argument("--result", type=Path, required=True)
    options = parser.parse_args(arguments)
    row = read_rows(options.sheet)[options.sample]
    line = sample_line(row, [file_facts(path) for path in row.files])
    write_whole(options.output_dir / f"{row.code}.checksums.tsv", table_text(HEADER, [line]))
    write_json(options.result, line)
    return 0


if __name__ == "__main__":
    job = globals().get("snakemake")  # the workflow engine sets it; on the command line it is absent
    if status := main(job.params.arguments if job else None):
        sys.exit(status)
