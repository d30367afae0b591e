"""Write the report of the run from the facts of all samples."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from report_page import count, heading, line_chart, notes, page, percent, table
from run_sheet import table_text, write_json, write_whole

LOW_QUALITY = 20
TABLE = (
    "sample",
    "mate",
    "file",
    "reads",
    "bases",
    "mean_quality",
    "q20_share",
    "gc_share",
    "mean_length",
    "n50",
)
COLUMNS = (
    "Sample",
    "File",
    "Reads",
    "Bases",
    "Mean quality",
    "Bases ≥ Q20",
    "GC",
    "Unknown",
    "Length",
    "N50",
    "Distinct",
)


def report_line(sample: dict[str, Any], facts: dict[str, Any]) -> list[str]:
    """Lay one file out as a line of the overview."""
    bases = facts["bases"]
    lengths = f"{facts.get('shortest', 0)}–{facts.get('longest', 0)}"
    return [
        sample["title"],
        f"{facts['mate']}: {facts['file']}",
        count(facts["reads"]),
        count(bases),
        "–" if facts["meanQuality"] is None else f"{facts['meanQuality']:.1f}",
        percent(facts.get("q20Bases", 0), bases),
        percent(facts.get("gcBases", 0), bases),
        percent(facts.get("unknownBases", 0), bases),
        lengths if bases else "–",
        count(facts.get("n50")),
        percent(facts.get("distinctShare", 0), 1) if bases else "–",
    ]


def warnings(samples: Sequence[dict[str, Any]]) -> list[str]:
    """Say what a person should look at."""
    found = []
    for sample in samples:
        for facts in sample["files"]:
            place = f"{sample['title']}, {facts['mate']}"
            if not facts["reads"]:
                found.append(f"{place}: the file holds no reads")
            elif facts["meanQuality"] is not None and facts["meanQuality"] < LOW_QUALITY:
                found.append(f"{place}: mean quality {facts['meanQuality']:.1f} is below {LOW_QUALITY}")
            for name, share in facts.get("adapters", {}).items():
                found.append(f"{place}: {name} in {share:g} % of the reads")
        counts = {facts["reads"] for facts in sample["files"]}
        if len(counts) > 1:
            found.append(f"{sample['title']}: R1 and R2 hold different numbers of reads")
    return found


def report(samples: Sequence[dict[str, Any]]) -> str:
    """Write the page."""
    lines = [report_line(sample, facts) for sample in samples for facts in sample["files"]]
    total = sum(facts["reads"] for sample in samples for facts in sample["files"])
    parts = [notes(warnings(samples)), table("One line a read file", COLUMNS, lines, text_columns=2)]
    parts.append(heading("Mean quality along the read"))
    for sample in samples:
        for facts in sample["files"]:
            if facts.get("qualityByPosition"):
                caption = f"{sample['title']}, {facts['mate']}"
                parts.append(line_chart(caption, facts["positions"], facts["qualityByPosition"], 40))
    subtitle = (
        f"{len(samples)} samples, {len(lines)} files, {count(total)} reads. Mean quality is over all bases."
    )
    return page("Quality of the reads", subtitle, parts)


def table_line(sample: dict[str, Any], facts: dict[str, Any]) -> list[object]:
    """Lay one file out as a line of the table."""
    bases = facts["bases"]
    share = {
        name: round(facts[key] / bases, 4) if bases else None
        for name, key in (("q20", "q20Bases"), ("gc", "gcBases"))
    }
    plain = [sample["code"], facts["mate"], facts["file"], facts["reads"], bases, facts["meanQuality"]]
    return [*plain, share["q20"], share["gc"], facts.get("meanLength"), facts.get("n50")]


def main(arguments: Sequence[str] | None = None) -> int:
    """Write `report.html` and `reads-qc.tsv`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output-dir", type=Path, required=True)
    parser.add_argument("--result", type=Path, required=True)
    parser.add_argument("facts", type=Path, nargs="+")
    options = parser.parse_args(arguments)
    samples = [json.loads(path.read_text(encoding="utf-8")) for path in options.facts]
    lines = [table_line(sample, facts) for sample in samples for facts in sample["files"]]
    write_whole(options.output_dir / "reads-qc.tsv", table_text(TABLE, lines))
    write_whole(options.output_dir / "report.html", report(samples))
    write_json(options.result, {"samples": len(samples)})
    return 0


if __name__ == "__main__":
    job = globals().get("snakemake")  # the workflow engine sets it; on the command line it is absent
    if status := main(job.params.arguments if job else None):
        sys.exit(status)
