"""Put the lines of all samples into one table."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from checksum import HEADER
from run_sheet import table_text, write_json, write_whole


def main(arguments: Sequence[str] | None = None) -> int:
    """Write `checksums.tsv`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output-dir", type=Path, required=True)
    parser.add_argument("--result", type=Path, required=True)
    parser.add_argument("lines", type=Path, nargs="+")
    options = parser.parse_args(arguments)
    lines = [json.loads(path.read_text(encoding="utf-8")) for path in options.lines]
    write_whole(options.output_dir / "checksums.tsv", table_text(HEADER, lines))
    write_json(options.result, {"samples": len(lines)})
    return 0


if __name__ == "__main__":
    job = globals().get("snakemake")  # the workflow engine sets it; on the command line it is absent
    if status := main(job.params.arguments if job else None):
        sys.exit(status)
