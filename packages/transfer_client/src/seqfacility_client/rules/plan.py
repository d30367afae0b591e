"""The plan of an upload: for every file its sample and role, or why it cannot be sent."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from seqfacility_client.rules.names import (
    lane_of,
    left_out_because,
    read_name,
    settled,
    stem_of,
)
from seqfacility_client.rules.samples import Choice, Sample, chosen
from seqfacility_client.vocabulary import Mate


@dataclass(frozen=True, slots=True)
class Placed:
    """A file that goes to a sample in a role; an artifact may belong to none.

    `further` are the other lanes of a read, sent behind the first as one file.
    """

    path: Path
    sample: Sample | None
    role: str
    further: tuple[Path, ...] = ()

    @property
    def paths(self) -> tuple[Path, ...]:
        return (self.path, *self.further)

    @property
    def shown(self) -> str:
        """The path for people; joined lanes are all named."""
        return "+".join([str(self.path), *(path.name for path in self.further)])

    @property
    def name(self) -> str:
        """The name at the facility; that of joined lanes has no lane."""
        lane = lane_of(self.path.name) if self.further else None
        return self.path.name if lane is None else lane[1]


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
    *,
    join_lanes: bool = False,
) -> Plan:
    """Assign a sample and a mate to every read file.

    `sample` and `mate` are what the person said; they win over the names. A sample has one file for each
    mate: of two the second would supersede the first. So several are a problem, unless they are lanes that
    are to be joined.

    Decision: G104, G320, G425.
    """
    stems = {path: stem_of(path.name, extensions) for path in files}
    placed: dict[tuple[Sample, str], list[Path]] = defaultdict(list)
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
                placed[found[0], mate or choice.mate].append(path)
            else:
                problems.append(_unclear(path, found))
    problems += _several_files(placed, join_lanes=join_lanes)
    if join_lanes:
        problems += _unequal_lanes(placed)
    return Plan(
        tuple(_placed(sample, role, paths) for (sample, role), paths in placed.items()),
        tuple(left_out),
        tuple(problems),
    )


def _placed(sample: Sample, role: str, paths: Iterable[Path]) -> Placed:
    first, *further = sorted(paths, key=lambda path: path.name)
    return Placed(first, sample, role, tuple(further))


def _choice(path: Path, stem: str, stems: Mapping[Path, str | None], samples: Sequence[Sample]) -> Choice:
    beside = [other for at, other in stems.items() if other is not None and at.parent == path.parent]
    return chosen(settled(read_name(stem), beside), samples)


def _unclear(path: Path, found: Sequence[Sample]) -> str:
    if not found:
        return f"{path} names no sample of the order"
    return f"{path} may belong to {' or '.join(sorted(one.alias or one.code for one in found))}"


def _are_lanes(paths: Sequence[Path]) -> bool:
    """Return whether files have the same name but for the lane, each another one."""
    lanes = [lane_of(path.name) for path in paths]
    names = {lane[1] for lane in lanes if lane is not None}
    return None not in lanes and len(set(lanes)) == len(paths) and len(names) == 1


def _several_files(placed: Mapping[tuple[Sample, str], Sequence[Path]], *, join_lanes: bool) -> list[str]:
    problems = []
    for (sample, role), paths in placed.items():
        who = sample.alias or sample.code
        if len(paths) == 1 or (join_lanes and _are_lanes(paths)):
            continue
        if _are_lanes(paths):
            problems.append(
                f"{who} has its {role} in {len(paths)} lanes; --join-lanes sends them as one file"
            )
        else:
            names = ", ".join(path.name for path in paths)
            problems.append(f"{who} has several {role} files, join them first: {names}")
    return problems


def _unequal_lanes(placed: Mapping[tuple[Sample, str], Sequence[Path]]) -> list[str]:
    """Name the samples whose mates come in different lanes: joined they would be out of step."""
    problems = []
    for (sample, role), paths in placed.items():
        other = placed.get((sample, Mate.R2))
        if role == Mate.R1 and other is not None and _lanes(paths) != _lanes(other):
            problems.append(f"{sample.alias or sample.code} has R1 and R2 of different lanes")
    return problems


def _lanes(paths: Sequence[Path]) -> set[int | None]:
    return {lane[0] if (lane := lane_of(path.name)) else None for path in paths}
