"""Which files of a watched directory count, and when a file is ready to be counted."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

EXTENSIONS: Final = (".fastq", ".fastq.gz", ".fq", ".fq.gz")
_SKIPPED: Final = "fastq_skip"
_FAILED: Final = "fastq_fail"
_FINAL_SUMMARY: Final = "final_summary"
_OUTPUT_HASH: Final = "output_hash"


@dataclass(frozen=True, slots=True)
class FileState:
    """What one scan saw of a file."""

    size: int
    modified_ns: int
    inode: str


@dataclass(frozen=True, slots=True)
class KnownFile:
    """What is stored of a file: its last state, since when, and which state was counted."""

    state: FileState
    unchanged_since: datetime
    counted: tuple[int, int] | None
    problem: str | None

    @property
    def is_counted(self) -> bool:
        """Whether the counts belong to the last state."""
        return self.counted == (self.state.size, self.state.modified_ns)


def is_hidden(name: str) -> bool:
    """Return whether files and folders of this name are left out. Decision: G215, G282."""
    return name.startswith(".")


def is_left_out_folder(name: str, *, include_failed: bool) -> bool:
    """Return whether everything below a folder of this name is left out. Decision: G215, G282."""
    lowered = name.lower()
    return is_hidden(name) or lowered == _SKIPPED or (lowered == _FAILED and not include_failed)


def is_sequencing_file(name: str) -> bool:
    """Return whether a file is FASTQ by its name. Decision: G215."""
    return name.lower().endswith(EXTENSIONS) and not is_hidden(name)


def is_gzip_name(path: str) -> bool:
    """Return whether a file is gzip by its name. Decision: G282."""
    return path.lower().endswith(".gz")


def is_final_summary(name: str) -> bool:
    """Return whether the instrument ends a run with this file. Decision: G222."""
    return name.startswith(_FINAL_SUMMARY)


def is_hash_list(name: str) -> bool:
    """Return whether this file is the instrument's list of the checksums of its files."""
    return name.startswith(_OUTPUT_HASH) and name.lower().endswith(".csv")


def is_settled(known: KnownFile, seen: FileState, now: datetime, stability: timedelta) -> bool:
    """Return whether a file is stable: equal in two scans, and older than `stability`.

    Its age is that of its own time stamp, or how long we have seen it unchanged: the clock of an
    instrument that runs ahead must not keep a file away for ever.

    Decision: G214.
    """
    if (known.state.size, known.state.modified_ns) != (seen.size, seen.modified_ns):
        return False
    own_age = now.timestamp() - seen.modified_ns / 1e9
    observed = (now - known.unchanged_since).total_seconds()
    return max(own_age, observed) >= stability.total_seconds()


def closed_at(modified_ns: int, now: datetime, started_at: datetime, believed: timedelta) -> datetime:
    """Choose the minute that a file's yield belongs to: when it was closed, if that can be believed.

    A time in the future or long before the start comes from a wrong clock; then it is `now`.
    """
    seconds = modified_ns / 1e9
    is_believed = (started_at - believed).timestamp() <= seconds <= now.timestamp()
    closed = datetime.fromtimestamp(int(seconds), now.tzinfo) if is_believed else now
    return closed.replace(second=0, microsecond=0)


def silent_minutes(last_file_at: datetime, stalled_after_minutes: int, now: datetime) -> int | None:
    """Return the minutes since the last file, None below `stalled_after_minutes`. Decision: G222."""
    silence = now - last_file_at
    return (
        int(silence / timedelta(minutes=1)) if silence >= timedelta(minutes=stalled_after_minutes) else None
    )
