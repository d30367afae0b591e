"""The reads that a run made of a sequencing run: which files of a sample are which mate, lane by lane."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from seqfacility_instance.core.vocabulary.sequencing import Mate
from seqfacility_instance.reads.rules import has_extension
from seqfacility_instance.uploads.matching.names import are_lanes, lane_of, lanes_of


@dataclass(frozen=True, slots=True)
class SequencedFiles:
    """The files of one sample, each mate in the order of its lanes, and their sizes by path."""

    first: list[str]
    second: list[str]
    sizes: Mapping[str, int | None]

    def of_mates(self) -> list[tuple[Mate, list[str]]]:
        """List the mates that there are, R1 first."""
        return [(mate, paths) for mate, paths in ((Mate.R1, self.first), (Mate.R2, self.second)) if paths]


def files_by_mate(paths: Mapping[Mate, Mapping[str, int | None]]) -> SequencedFiles:
    """Order the paths of each mate by lane; their values are the sizes that were recorded."""
    first, second = (sorted(paths.get(mate, ()), key=_by_lane) for mate in (Mate.R1, Mate.R2))
    return SequencedFiles(first, second, {path: size for of in paths.values() for path, size in of.items()})


def file_name(paths: Sequence[str]) -> str:
    """Return the name of the file that parts become: that of joined lanes has no lane. Decision: G425."""
    name = PurePosixPath(paths[0]).name
    lane = lane_of(name) if len(paths) > 1 else None
    return name if lane is None else lane[1]


def filing_problems(files: SequencedFiles, extensions: Sequence[str]) -> list[str]:
    """List what keeps files from being the reads of their sample, as it would keep an upload.

    Decision: G320, G425, G988, G996.
    """
    problems = []
    if not files.first:
        problems.append("has no R1")
    for mate, paths in files.of_mates():
        names = [PurePosixPath(path).name for path in paths]
        if len(names) > 1 and not are_lanes(names):
            problems.append(f"has {len(names)} files of {mate.value} that are not lanes of each other")
        if not all(has_extension(name, list(extensions)) for name in names):
            problems.append(f"{mate.value} is not an allowed sequencing file extension")
        if any(files.sizes[path] == 0 for path in paths):
            problems.append(f"{mate.value} is an empty file")
    if files.first and files.second and _lanes(files.first) != _lanes(files.second):
        problems.append("has R1 and R2 of different lanes")
    return problems


def _lanes(paths: Sequence[str]) -> set[int | None]:
    return lanes_of([PurePosixPath(path).name for path in paths])


def _by_lane(path: str) -> tuple[int, str]:
    lane = lane_of(PurePosixPath(path).name)
    return (0 if lane is None else lane[0], path)
