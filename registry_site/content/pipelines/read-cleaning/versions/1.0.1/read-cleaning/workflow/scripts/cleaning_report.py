"""Write the report of the run from the facts of all samples."""

import argparse
import json
import sys
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from report_page import (
    Drawn,
    Marked,
    amount,
    count,
    heading,
    page,
    paragraph,
    percent,
    several,
    table,
    verdict,
)
from run_sheet import write_json, write_whole

FEW_LEFT = 0.5
"""Below this share of kept reads a sample deserves a look."""

PARTS = {"kept": "kept", "short": "dropped: too short", "unknown": "dropped: too many unknown bases"}
"""The colours of a bar, and what they stand for."""

COLUMNS = (
    "Sample",
    "What became of them",
    "Before",
    "Kept",
    "Kept share",
    "Too short",
    "Too many N",
    "With adapter (R1, R2)",
    "Bases before",
    "Bases kept",
    "Trimmed for quality",
)


def bar(facts: dict[str, Any]) -> str:
    """Draw what became of the reads of one sample as a bar in three colours."""
    total = facts["readsIn"]
    shares = {"kept": facts["readsOut"], "short": facts["tooShort"], "unknown": facts["tooManyUnknown"]}
    words = "; ".join(f"{PARTS[name]}: {count(number)}" for name, number in shares.items())
    parts = "".join(
        f'<i class="{name}" style="width:{100 * number / total:.2f}%"></i>'
        for name, number in shares.items()
        if total and number
    )
    return Drawn(
        f'<span class="bar" role="img" title="{escape(words)}" aria-label="{escape(words)}">{parts}</span>'
    )


def key() -> str:
    """Explain the colours of the bars."""
    return (
        "<p>"
        + "".join(f'<span class="key"><i class="{name}"></i>{text}</span>' for name, text in PARTS.items())
        + "</p>"
    )


def few_left(facts: dict[str, Any]) -> bool:
    """Tell whether so little is left that a person should look before promoting the reads."""
    return bool(facts["readsOut"] < FEW_LEFT * facts["readsIn"] or not facts["readsIn"])


def report_line(facts: dict[str, Any]) -> list[str]:
    """Lay one sample out as a line of the table."""
    adapters = [count(number) for number in facts["withAdapter"] if number is not None]
    kept = percent(facts["readsOut"], facts["readsIn"])
    return [
        facts["title"],
        bar(facts),
        f"{count(facts['readsIn'])} {'pairs' if facts['paired'] else 'reads'}",
        count(facts["readsOut"]),
        Marked(kept) if few_left(facts) else kept,
        count(facts["tooShort"]),
        count(facts["tooManyUnknown"]),
        ", ".join(adapters) or count(None),
        amount(facts["basesIn"]),
        amount(facts["basesOut"]),
        amount(facts["qualityTrimmed"]),
    ]


def few_sentence(facts: dict[str, Any]) -> str:
    """Say how little of a sample is left."""
    if not facts["readsIn"]:
        return f"{facts['title']}: there were no reads."
    word = "pairs" if facts["paired"] else "reads"
    left = f"only {percent(facts['readsOut'], facts['readsIn'])}" if facts["readsOut"] else "none"
    return f"{facts['title']}: {left} of the {word} are left. Look at the raw reads before promoting these."


def summary(samples: Sequence[dict[str, Any]]) -> str:
    """Say in plain words whether the cleaned reads can be promoted."""
    few = [facts for facts in samples if few_left(facts)]
    look = [few_sentence(facts) for facts in few]
    before, after = (sum(facts[name] for facts in samples) for name in ("basesIn", "basesOut"))
    fine = len(samples) - len(few)
    good = []
    if after:
        good.append(f"{percent(after, before)} of all bases were kept: {amount(after)} of {amount(before)}.")
    if fine:
        whole = several(len(samples), "sample", "samples")
        good.append(f"At least half of the reads were kept in {count(fine)} of {whole}.")
    headline = (
        f"{several(len(few), 'sample deserves', 'samples deserve')} a look before the reads are promoted."
        if few
        else "The cleaned reads look ready to be promoted."
    )
    return verdict(headline, good, look)


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
        f"{several(len(samples), 'sample', 'samples')}. Ends below quality {options.min_quality} and "
        f"adapters were trimmed; reads shorter than {options.min_length} bases or with more than {options.max_n} "
        "unknown bases were dropped."
    )
    lines = [report_line(facts) for facts in samples]
    parts = [
        summary(samples),
        heading("All samples"),
        key(),
        table("One line for each sample", COLUMNS, lines, text_columns=2),
        paragraph(
            "A pair is dropped when either of its reads fails. Adapters are not searched in long reads. "
            "Bases trimmed for quality are counted before reads are dropped."
        ),
    ]
    write_whole(options.output_dir / "report.html", page("Cleaning of the reads", subtitle, parts))
    write_json(options.result, {"samples": len(samples)})
    return 0


if __name__ == "__main__":
    job = globals().get("snakemake")  # the workflow engine sets it; on the command line it is absent
    if status := main(job.params.arguments if job else None):
        sys.exit(status)
