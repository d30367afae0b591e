"""Write the report of the run from the facts of all samples."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from report_page import count, notes, page, percent, table
from run_sheet import write_json, write_whole

FEW_LEFT = 0.5
"""Below this share of kept reads a sample deserves a look."""

COLUMNS = (
    "Sample",
    "Counted as",
    "Before",
    "Kept",
    "Kept share",
    "Too short",
    "Too many N",
    "Adapter in R1",
    "Adapter in R2",
    "Bases before",
    "Bases kept",
    "Trimmed for quality",
)


def report_line(facts: dict[str, Any]) -> list[str]:
    """Lay one sample out as a line of the table."""
    first, second = facts["withAdapter"]
    return [
        facts["title"],
        "pairs" if facts["paired"] else "reads",
        count(facts["readsIn"]),
        count(facts["readsOut"]),
        percent(facts["readsOut"], facts["readsIn"]),
        count(facts["tooShort"]),
        count(facts["tooManyUnknown"]),
        count(first),
        count(second),
        count(facts["basesIn"]),
        count(facts["basesOut"]),
        count(facts["qualityTrimmed"]),
    ]


def warnings(samples: Sequence[dict[str, Any]]) -> list[str]:
    """Say what a person should look at before promoting the reads."""
    found = []
    for facts in samples:
        if not facts["readsIn"]:
            found.append(f"{facts['title']}: there were no reads")
        elif facts["readsOut"] < FEW_LEFT * facts["readsIn"]:
            found.append(
                f"{facts['title']}: only {percent(facts['readsOut'], facts['readsIn'])} of the reads are left"
            )
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Write `report.html`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output-dir", type=Path, required=True)
    parser.add_argument("--result", type=Path, required=True)
    parser.add_argument("--min-length", type=int, required=True)
    parser.add_argument("--min-quality", type=int, required=True)
    parser.add_argument("--max-n", type=int, required=True)
    parser.add_argument("facts", type=Path, nargs="+")
    options = parser.parse_args(arguments)
    samples = [json.loads(path.read_text(encoding="utf-8")) for path in options.facts]
    subtitle = (
        f"{len(samples)} samples. Ends below quality {options.min_quality} and adapters were trimmed; reads "
        f"shorter than {options.min_length} bases or with more than {options.max_n} unknown bases were dropped."
    )
    lines = [report_line(facts) for facts in samples]
    parts = [notes(warnings(samples)), table("One line a sample", COLUMNS, lines, text_columns=2)]
    write_whole(options.output_dir / "report.html", page("Cleaning of the reads", subtitle, parts))
    write_json(options.result, {"samples": len(samples)})
    return 0


if __name__ == "__main__":
    job = globals().get("snakemake")  # the workflow engine sets it; on the command line it is absent
    if status := main(job.params.arguments if job else None):
        sys.exit(status)
