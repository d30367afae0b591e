"""What the report says in plain words: what is good, and what a person should look at."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from report_page import amount, count, percent

LOW_QUALITY = {"short": 20, "long": 10}
"""Qualities below these deserve a look; single long molecules are read with more errors."""

MANY_UNKNOWN = 0.01
MANY_REPEATED = 0.5
MUCH_ADAPTER = 5.0
"""Per cent of the reads. A few are no reason to clean: a genome may hold the searched letters by chance."""

LOW_END = 0.05
"""So much of the read may be of low quality before the report speaks of it."""

MOST_PLACES = 8
"""Of so many files a sentence gives the names; the others are found by their marks."""

SENTENCES = {
    "reads": "No reads: there is nothing in",
    "bases": "Reads without bases in",
    "mates": "R1 and R2 hold different numbers of reads, so one of the files is probably not complete:",
    "quality": "The mean quality is low:",
    "end": "The quality stays low towards the end of the reads; cleaning trims such ends:",
    "adapter": "Adapters stand in many reads; cleaning removes them from short reads:",
    "unknown": "Many bases are unknown (N):",
    "distinct": (
        "Most reads occur more than once, which is usual for amplicons and small genomes; other libraries "
        "were probably amplified too often. Distinct are:"
    ),
}

GOOD_SENTENCES = {
    ("quality",): "the mean quality is high enough",
    ("quality", "end"): "the quality holds up to the end of the reads",
    ("adapter",): "hardly any adapter is left",
    ("unknown",): "unknown bases are rare",
    ("distinct",): "most reads are distinct",
}
"""Each is true of a file without those findings."""


@dataclass(frozen=True)
class Finding:
    """Something that a person should look at; `fact` is a key of `SENTENCES`, `mate` the file or ``""``."""

    place: str
    mate: str
    fact: str
    detail: str


def short_names(samples: Sequence[dict[str, Any]]) -> dict[str, str]:
    """Name each sample, by its code, as people do: by its alias when no other sample has the same."""
    times = Counter(sample["alias"] for sample in samples)
    return {
        sample["code"]: sample["alias"]
        if sample["alias"] and times[sample["alias"]] == 1
        else sample["title"]
        for sample in samples
    }


def findings(sample: dict[str, Any], name: str) -> list[Finding]:
    """Find what deserves a look in one sample, which the sentences call `name`."""
    found = [
        Finding(name, facts["mate"], fact, detail)
        for facts in sample["files"]
        for fact, detail in _in_file(sample, facts)
    ]
    counts = [facts["reads"] for facts in sample["files"]]
    if len(set(counts)) > 1:
        found.append(Finding(name, "", "mates", " and ".join(map(count, counts))))
    return found


def things_to_look_at(found: Sequence[Finding]) -> list[str]:
    """Say each kind of finding in one sentence that names the files."""
    lines = []
    for fact, sentence in SENTENCES.items():
        places = [
            f"{item.place} {item.mate}".strip() + (f" ({item.detail})" if item.detail else "")
            for item in found
            if item.fact == fact
        ]
        if places:
            more = len(places) - MOST_PLACES
            named = "; ".join(places[:MOST_PLACES])
            lines.append(f"{sentence} {named}{f'; and {count(more)} more' if more > 0 else ''}.")
    return lines


def good_news(samples: Sequence[dict[str, Any]], found: Mapping[str, Sequence[Finding]]) -> list[str]:
    """Say what is good, and of how many files; what is good nowhere is left out."""
    wrong = {(code, item.mate, item.fact) for code, items in found.items() for item in items}
    files = [(sample["code"], facts["mate"]) for sample in samples for facts in sample["files"]]
    filled = [place for place in files if not wrong & {(*place, "reads"), (*place, "bases")}]
    pairs = [sample["code"] for sample in samples if len(sample["files"]) == 2]
    even = sum((code, "", "mates") not in wrong for code in pairs)
    bases = amount(sum(facts["bases"] for sample in samples for facts in sample["files"]))
    lines = [f"{_of(len(filled), len(files), 'file')} hold reads: {bases} bases together."] if filled else []
    if even:
        lines.append(f"R1 and R2 hold the same number of reads in {_of(even, len(pairs), 'pair')}.")
    for facts, sentence in GOOD_SENTENCES.items():
        fine = sum(not any((*place, fact) in wrong for fact in facts) for place in filled)
        if fine:
            lines.append(f"{sentence} in {_of(fine, len(filled), 'file')}.")
    return [line[0].upper() + line[1:] for line in lines]


def headline(samples: int, watched: int) -> str:
    """Give the verdict in one sentence."""
    looks, deserves = ("looks good", "deserves a look") if samples == 1 else ("look good", "deserve a look")
    if watched in {0, samples}:
        who = {1: "The sample", 2: "Both samples"}.get(samples, f"All {count(samples)} samples")
        return f"{who} {deserves if watched else looks}."
    fine = samples - watched
    return (
        f"{count(fine)} of {count(samples)} samples {'looks' if fine == 1 else 'look'} good, "
        f"{count(watched)} {'deserves' if watched == 1 else 'deserve'} a look."
    )


def _of(some: int, whole: int, word: str) -> str:
    if whole == 1:
        return f"the one {word}"
    if some == whole == 2:
        return f"both {word}s"
    return f"all {count(whole)} {word}s" if some == whole else f"{count(some)} of {count(whole)} {word}s"


def _in_file(sample: dict[str, Any], facts: dict[str, Any]) -> list[tuple[str, str]]:
    """Find what deserves a look in one file: keys of `SENTENCES`, each with its detail."""
    if not facts["bases"]:
        return [("bases" if facts["reads"] else "reads", "")]
    long = sample["layout"] == "long"
    low = LOW_QUALITY["long" if long else "short"]
    said = []
    if facts["meanQuality"] < low:
        said.append(("quality", f"{facts['meanQuality']:.1f}, below {low}"))
    elif (start := _low_from(facts, low)) is not None:
        said.append(("end", f"below {low} from base {count(start)} on"))
    for name, share in facts["adapters"].items():
        if share > MUCH_ADAPTER and ("nanopore" in name.lower()) == long:
            said.append(("adapter", f"{name}, {share:.1f}\u202f% of the reads"))
    if facts["unknownBases"] > MANY_UNKNOWN * facts["bases"]:
        said.append(("unknown", percent(facts["unknownBases"], facts["bases"])))
    if facts["distinctShare"] < 1 - MANY_REPEATED:
        said.append(("distinct", percent(facts["distinctShare"], 1)))
    return said


def _low_from(facts: dict[str, Any], low: int) -> int | None:
    """Find the position from which on the quality is low up to the end; None when that is a short piece."""
    end, start = facts["lengths"]["width"] * len(facts["lengths"]["counts"]), None
    for words, quality in zip(facts["positions"], facts["qualityByPosition"], strict=False):
        position = int(words.split("-")[0])
        if position > end:
            break
        if quality >= low:
            start = None
        elif start is None:
            start = position
    return start if start is not None and end - start >= LOW_END * end else None
