"""Result files that become the files of reads: copied into the order, all or none, before any row says so."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from peewee import IntegrityError

from seqfacility_instance.core.vocabulary.sequencing import Mate
from seqfacility_instance.facility_settings.sections import StorageSection
from seqfacility_instance.reads.adding import ReadChangedMeanwhile
from seqfacility_instance.reads.store import is_known_path, save_digest
from seqfacility_instance.results.copying import CopiedFile, Part, check_space, copy_durably
from seqfacility_instance.results.errors import CandidateFileMissing, FileNameTaken
from seqfacility_instance.tables.pipelines import PipelineRun

DRAFTS = ".promotion-"
"""How the folder of an order begins in which results of a run are made its reads."""

_ATTEMPTS = 5
"""Somebody may change the active read of a sample between our read and our write; then we read again."""

Made = TypeVar("Made")
Copies = dict[str, CopiedFile]
"""Finished copies by their stored paths."""


@dataclass(frozen=True, slots=True)
class Source:
    """One file of a read: its parts, one behind the other, and where it goes."""

    mate: Mate
    parts: tuple[Part, ...]
    target: Path
    stored: str


def source_of(
    run: PipelineRun, base: Path, mate: Mate, code: str, name: str, parts: Iterable[Part]
) -> Source:
    """Name the place of a file among the reads of a sample; looks at each part first.

    Raises the errors of `Part.opened`, and `FileNameTaken` when a read or an artifact has the place.

    Decision: G199, G996.
    """
    stored = f"orders/{run.order_id}/reads/{code}/{run.run_number}-{mate.value}-{name}"
    source = Source(mate, tuple(parts), base / stored, stored)
    for part in source.parts:
        with part.opened():
            pass
    if is_known_path(stored):
        raise FileNameTaken(name=source.target.name)
    return source


def part_of(run: PipelineRun, base: Path, path: str, size: int | None) -> Part:
    """Find a file that a run left by its stored path; raises `CandidateFileMissing`."""
    place = base / path
    # WHY by its number, which is the name of its folder: the data folder may have moved since.
    root = next((parent for parent in place.parents if parent.name == run.run_number), None)
    if root is None:
        raise CandidateFileMissing(name=place.name)
    return Part(root, str(place.relative_to(root)), size)


def columns_of(sources: Iterable[Source], copies: Copies) -> dict[str, object]:
    """Return the columns of a read that has these files, and keep their digests; stands in a transaction."""
    values: dict[str, object] = {}
    for source in sources:
        number, copied = ("1" if source.mate is Mate.R1 else "2"), copies[source.stored]
        values[f"file{number}"] = source.stored
        values[f"size{number}"] = copied.state.size
        values[f"checksum{number}"] = copied.digest.md5
        save_digest(source.stored, copied.state, copied.digest)
    return values


def copy_all(sources: list[Source], drafts: Path, storage: StorageSection) -> Copies:
    """Copy every file, or none: what was copied before a failure is taken away again."""
    copies: Copies = {}
    try:
        copied = [one for one in sources if len(one.parts) > 1 or not storage.hard_link_on_promotion]
        if copied:
            needed = sum(_size_of(part) for source in copied for part in source.parts)
            check_space(sources[0].target.parent, needed, storage.min_free_bytes)
        for source in sources:
            copies[source.stored] = copy_durably(
                source.parts, source.target, drafts, storage.hard_link_on_promotion
            )
    except BaseException:
        for copied_file in copies.values():
            copied_file.path.unlink(missing_ok=True)
        raise
    return copies


def named_by_rows(copies: Copies, make_rows: Callable[[], Made]) -> Made:
    """Make the rows that name these copies; where none come to be, the copies are taken away again.

    `make_rows` is a transaction, done again when somebody changed the reads meanwhile.
    """
    try:
        for _attempt in range(1, _ATTEMPTS):
            try:
                return make_rows()
            except (ReadChangedMeanwhile, IntegrityError):
                continue
        return make_rows()
    except BaseException:
        for stored, copied in copies.items():
            if not is_known_path(stored):
                copied.path.unlink(missing_ok=True)
        raise


def _size_of(part: Part) -> int:
    return (part.root / part.path).stat().st_size if part.size is None else part.size
