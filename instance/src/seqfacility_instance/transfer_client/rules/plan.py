"""The plan of an upload: for every file its sample and role, or why it cannot be sent."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from seqfacility_instance.core.vocabulary import Mate
from seqfacility_instance.transfer_client.rules.names import (
    left_out_because,
    read_name,
    settled,
    stem_of,
)
from seqfacility_instance.transfer_client.rules.samples import Choice, Sample, chosen


@dataclass(frozen=True, slots=True)
class Placed:
    """A file that goes to a sample in a role; an artifact may belong to none."""

    path: Path
    sample: Sample | None
    role: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file that is rightly not sent."""

    path: Path
    reason: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What is sent, what is left out, and what stands in the way; with a problem nothing is sent."""

    placed: tuple[Placed, ...]
    left_out: tuple[LeftOut, ...]
    problems: tuple[str, ...]


def planned(
    files: Sequence[Path],
    samples: Sequence[Sample],
    extensions: Sequence[str],
    sample: Sample | None = None,
    mate: Mate | None = None,
) -> Plan:
    """Give every read file its sample and mate.

    `sample` and `mate` are what the person said; they win over the names. A sample has one file for each
    mate: two lanes of the same mate are a problem, because the second would supersede the first.

    Gap: G104, G320.
    """
    stems = {path: stem_of(path.name, extensions) for path in files}
    placed: list[Placed] = []
    taken: dict[tuple[Sample, str], list[str]] = defaultdict(list)
    left_out: list[LeftOut] = []
    problems: list[str] = []
    for path, stem in stems.items():
        reason = None if stem is None else left_out_because(stem)
        if stem is None:
            problems.append(f"{path} has none of the extensions {' '.join(extensions)}")
        elif reason is not None and sample is None:
            left_out.append(LeftOut(path, reason))
        else:
            choice = _choice(path, stem, stems, samples)
            found = (sample,) if sample else choice.samples
            if len(found) == 1:
                role = mate or choice.mate
                placed.append(Placed(path, found[0], role))
                taken[found[0], role].append(path.name)
            else:
                problems.append(_unclear(path, found))
    return Plan(tuple(placed), tuple(left_out), (*problems, *_taken_twice(taken)))


def _choice(path: Path, stem: str, stems: Mapping[Path, str | None], samples: Sequence[Sample]) -> Choice:
    beside = [other for at, other in stems.items() if other is not None and at.parent == path.parent]
    return chosen(settled(read_name(stem), beside), samples)


def _unclear(path: Path, found: Sequence[Sample]) -> str:
    if not found:
        return f"{path} names no sample of the order"
    return f"{path} may belong to {' or '.join(sorted(one.alias or one.code for one in found))}"


def _taken_twice(taken: Mapping[tuple[Sample, str], Sequence[str]]) -> list[str]:
    return [
        f"{sample.alias or sample.code} has several {role} files, join them first: {', '.join(names)}"
        for (sample, role), names in taken.items()
        if len(names) > 1
    ]
