"""Write the report of the run from the facts of all samples."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from read_charts import Lengths, length_chart, quality_chart
from report_page import (
    Marked,
    amount,
    count,
    heading,
    page,
    paragraph,
    percent,
    section,
    several,
    table,
    verdict,
)
from run_sheet import table_text, write_json, write_whole
from verdicts import LOW_QUALITY, Finding, findings, good_news, headline, short_names, things_to_look_at

OPEN_SAMPLES = 12
"""A run of at most so many samples shows all pictures at once; a larger one those that deserve a look."""

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
    "Bases of Q20 and more",
    "GC",
    "Unknown bases",
    "Length (bases)",
    "N50 (long reads)",
    "Distinct reads",
)

TABLE_REMARK = (
    "Mean quality is the mean of the Phred scores of all bases. N50: half of all bases lie in reads of at "
    "least this length. Distinct reads are those that would be left without repeats, estimated. Marked cells "
    "deserve a look."
)
PICTURE_REMARK = (
    "The curves show the quality that belongs to the mean error rate at each position, so they lie below the "
    "mean of the scores: at 20, one base in 100 is expected to be wrong, at 30 one in 1\u202f000."
)


def report_line(sample: dict[str, Any], facts: dict[str, Any], marked: set[str]) -> list[str]:
    """Lay one file out as a line of the overview; `marked` names the facts that deserve a look."""
    bases = facts["bases"]
    shortest, longest = facts.get("shortest", 0), facts.get("longest", 0)
    lengths = count(longest) if shortest == longest else f"{count(shortest)}–{count(longest)}"
    quality = "–" if facts["meanQuality"] is None else f"{facts['meanQuality']:.1f}"
    cells = {
        "reads": count(facts["reads"]),
        "bases": amount(bases),
        "quality": quality,
        "q20": percent(facts.get("q20Bases", 0), bases),
        "gc": percent(facts.get("gcBases", 0), bases),
        "unknown": percent(facts.get("unknownBases", 0), bases),
        "length": lengths if bases else "–",
        "n50": count(facts.get("n50")) if sample["layout"] == "long" else "–",
        "distinct": percent(facts.get("distinctShare", 0), 1) if bases else "–",
    }
    figures = [Marked(cell) if name in marked else cell for name, cell in cells.items()]
    return [sample["title"], f"{facts['mate']}: {facts['file']}", *figures]


def pictures(sample: dict[str, Any], facts: dict[str, Any]) -> str:
    """Draw the two pictures of one file."""
    if not facts["bases"]:
        return paragraph(f"{facts['mate']}: there is nothing to draw, the file holds no bases.")
    lengths = Lengths(facts["lengths"]["width"], tuple(facts["lengths"]["counts"]), facts["lengths"]["cut"])
    long = sample["layout"] == "long"
    low = LOW_QUALITY["long" if long else "short"]
    quality = quality_chart(facts["mate"], facts["positions"], facts["qualityByPosition"], low, lengths.end)
    drawn = length_chart(facts["mate"], lengths, facts["n50"] if long else None)
    return f'<div class="pair">{quality}{drawn}</div>'


def sample_section(sample: dict[str, Any], found: Sequence[Finding], opened: bool) -> str:
    """Show the pictures of one sample."""
    state = several(len(found), "thing to look at", "things to look at") if found else "looks good"
    content = "\n".join(pictures(sample, facts) for facts in sample["files"])
    return section(sample["title"], state, watch=bool(found), opened=opened, content=content)


def report(samples: Sequence[dict[str, Any]]) -> str:
    """Write the page."""
    names = short_names(samples)
    found = {sample["code"]: findings(sample, names[sample["code"]]) for sample in samples}
    lines = [
        report_line(
            sample, facts, {item.fact for item in found[sample["code"]] if item.mate == facts["mate"]}
        )
        for sample in samples
        for facts in sample["files"]
    ]
    total = sum(facts["reads"] for sample in samples for facts in sample["files"])
    look = things_to_look_at([item for items in found.values() for item in items])
    parts = [
        verdict(headline(len(samples), sum(map(bool, found.values()))), good_news(samples, found), look),
        heading("All files"),
        table("One line for each read file", COLUMNS, lines, text_columns=2),
        paragraph(TABLE_REMARK),
        heading("Pictures"),
        paragraph(PICTURE_REMARK),
    ]
    few = len(samples) <= OPEN_SAMPLES
    parts += [
        sample_section(sample, found[sample["code"]], few or bool(found[sample["code"]]))
        for sample in samples
    ]
    files = several(len(lines), "file", "files")
    subtitle = f"{several(len(samples), 'sample', 'samples')}, {files}, {several(total, 'read', 'reads')}"
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
