"""Result files that become the files of reads: copied into the order, all or none, before any row says so."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from seqfacility_instance.core.vocabulary.sequencing import Mate
from seqfacility_instance.facility_settings.sections import StorageSection
from seqfacility_instance.reads.store import save_digest
from seqfacility_instance.results.copying import CopiedFile, check_space, copy_durably
from seqfacility_instance.results.errors import CandidateFileMissing

DRAFTS = ".promotion-"
"""How the folder of an order begins in which results of a run are made its reads."""


@dataclass(frozen=True, slots=True)
class Source:
    """One file of a read: where its parts lie, one behind the other, and where it goes."""

    mate: Mate
    paths: tuple[Path, ...]
    target: Path
    stored: str


def columns_of(sources: Iterable[Source], copies: dict[Path, CopiedFile]) -> dict[str, object]:
    """Return the columns of a read that has these files, and keep their digests; stands in a transaction."""
    values: dict[str, object] = {}
    for source in sources:
        number, copied = ("1" if source.mate is Mate.R1 else "2"), copies[source.target]
        values[f"file{number}"] = source.stored
        values[f"size{number}"] = copied.state.size
        values[f"checksum{number}"] = copied.digest.md5
        save_digest(source.stored, copied.state, copied.digest)
    return values


def copy_all(sources: list[Source], drafts: Path, storage: StorageSection) -> dict[Path, CopiedFile]:
    """Copy every file, or none: what was copied before a failure is taken away again."""
    copies: dict[Path, CopiedFile] = {}
    try:
        copied = [one for one in sources if len(one.paths) > 1 or not storage.hard_link_on_promotion]
        if copied:
            needed = sum(path.stat().st_size for source in copied for path in source.paths)
            check_space(sources[0].target.parent, needed, storage.min_free_bytes)
        for source in sources:
            copies[source.target] = copy_durably(
                source.paths, source.target, drafts, storage.hard_link_on_promotion
            )
    except FileNotFoundError as gone:
        remove(copies)
        raise CandidateFileMissing(name=Path(gone.filename or "").name) from gone
    except BaseException:
        remove(copies)
        raise
    return copies


def remove(copies: dict[Path, CopiedFile]) -> None:
    """Take copies away again that nothing refers to."""
    for path in copies:
        path.unlink(missing_ok=True)
