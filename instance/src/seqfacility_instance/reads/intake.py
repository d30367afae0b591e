"""What is known about the files of reads after they were examined, mates compared with each other.

Stored intakes hold the digest of the read names beside what is shown, so that the second mate can be
compared with the first without reading it again. The functions that write stand inside the transaction
of their caller.
"""

from datetime import datetime
from typing import TYPE_CHECKING, Protocol, cast

from seqfacility_wire.timestamps import format_time

from seqfacility_instance.background import queue
from seqfacility_instance.core.vocabulary.sequencing import IntakeVerdict
from seqfacility_instance.reads import checksums, store
from seqfacility_instance.tables.sequencing import Read

if TYPE_CHECKING:
    from seqfacility_schemas import answers

Intake = dict[str, object]

NAMES_DIGEST = "namesDigest"
EXAMINE_JOB = "examine-read"
OUT_OF_STEP = "The mates do not have the same reads in the same order"


class Examined(Protocol):
    """The findings of one examination of a file."""

    @property
    def gzip_intact(self) -> bool | None:
        """Whether every gzip member is whole; None for a plain file."""

    @property
    def record_shape(self) -> bool | None:
        """Whether all records have four lines of the right shape."""

    @property
    def read_count(self) -> int | None: ...

    @property
    def base_count(self) -> int | None:
        """How many letters their sequences have together."""

    @property
    def names_digest(self) -> str | None:
        """Equal for files whose reads have the same names in the same order."""

    @property
    def problems(self) -> tuple[str, ...]:
        """The problems, in sentences for people."""


def queue_examination(read_id: str, now: datetime) -> None:
    """Queue the examination of a read's files that were not uploaded. Decision: G431."""
    queue.enqueue(EXAMINE_JOB, {"readId": read_id}, now, dedupe_key=f"{EXAMINE_JOB}:{read_id}")


def intake_of(found: Examined, now: datetime) -> Intake:
    """Write findings as they are stored, mates not compared yet. Decision: G107."""
    return {
        "verdict": IntakeVerdict.PROBLEM if found.problems else IntakeVerdict.OK,
        "gzipIntact": found.gzip_intact,
        "recordShape": found.record_shape,
        "matesInStep": None,
        "readCount": found.read_count,
        "baseCount": found.base_count,
        "problems": list(found.problems),
        "checkedAt": format_time(now),
        NAMES_DIGEST: found.names_digest,
    }


def shown_intake(stored: Intake | None) -> "answers.Intake | None":
    """Return the part of an intake that an answer shows. Decision: G107."""
    if stored is None:
        return None
    return cast("answers.Intake", {key: value for key, value in stored.items() if key != NAMES_DIGEST})


def compared(one: Intake, other: Intake) -> tuple[Intake, Intake]:
    """Return both intakes with the comparison of the mates; unchanged when one of them has no names.

    Decision: G107.
    """
    if one[NAMES_DIGEST] is None or other[NAMES_DIGEST] is None:
        return one, other
    in_step = one[NAMES_DIGEST] == other[NAMES_DIGEST] and one["readCount"] == other["readCount"]
    return _with_step(one, in_step=in_step), _with_step(other, in_step=in_step)


def _with_step(intake: Intake, *, in_step: bool) -> Intake:
    listed = intake["problems"]
    assert isinstance(listed, list)
    problems = [problem for problem in listed if problem != OUT_OF_STEP] + ([] if in_step else [OUT_OF_STEP])
    verdict = IntakeVerdict.PROBLEM if problems else IntakeVerdict.OK
    return {**intake, "matesInStep": in_step, "problems": problems, "verdict": verdict}


def note_intake(path: str, md5: str, intake: Intake | None, now: datetime) -> dict[str, Intake]:
    """Write what was found to every read or artifact that has the file, and compare a read with its mate.

    An empty checksum is filled, that of a read is else compared. Return the intakes that changed, by path.

    Decision: G107, G112.
    """
    store.fill_artifact_checksum(path, md5)
    changed: dict[str, Intake] = {}
    for read in store.lock_reads_with_path(path):
        values: dict[str, object] = {"updated_at": now}
        for number in ("1", "2"):
            if getattr(read, f"file{number}") == path:
                stored: str | None = getattr(read, f"checksum{number}")
                values[f"checksum_verified{number}"] = checksums.verified(stored, md5)
                values[f"checksum{number}"] = stored or md5
                if intake is not None:
                    values |= {f"intake{number}": intake, f"read_count{number}": intake["readCount"]}
        values |= _compared_columns(read, values, changed)
        store.update_read(read.id, values)
    return changed


def _compared_columns(read: Read, values: dict[str, object], changed: dict[str, Intake]) -> dict[str, object]:
    one, other = values.get("intake1", read.intake1), values.get("intake2", read.intake2)
    if not (isinstance(one, dict) and isinstance(other, dict) and read.file1 and read.file2):
        return {}
    one, other = compared(one, other)
    changed |= {read.file1: one, read.file2: other}
    return {"intake1": one, "intake2": other}
