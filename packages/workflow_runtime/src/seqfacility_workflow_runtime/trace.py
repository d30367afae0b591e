"""Reads `trace.txt`, one row per task, raw or formatted, from where the last reading stopped."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from seqfacility_workflow_runtime.regular_file import Unreadable, open_regular

COLUMNS = (
    "task_id", "hash", "native_id", "process", "tag", "name", "status", "exit", "attempt", "submit",
    "start", "complete", "duration", "realtime", "%cpu", "peak_rss",
)  # fmt: skip
MISSING = "-"
MAX_READING_BYTES = 1024 * 1024
MAX_HEADER_BYTES = 64 * 1024

_UNIT_MILLISECONDS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
_UNIT_BYTES = {
    unit: 1024**power for power, unit in enumerate(("B", "KB", "MB", "GB", "TB", "PB", "EB", "ZB"))
}
_DURATION_PART = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)", re.ASCII)
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGTPEZ]?B)", re.ASCII)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class TraceRow:
    """One attempt of one task. Moments are aware and in UTC; what the file does not say is None.

    An engine gives a task that it tries again a higher attempt: Nextflow under another id, Snakemake under
    the same.

    Decision: G161, G184.
    """

    task_id: str | None
    hash: str | None
    native_id: str | None
    process: str
    tag: str | None
    name: str | None
    status: str
    exit_code: int | None
    attempt: int
    submitted_at: datetime | None
    started_at: datetime | None
    completed_at: datetime | None
    duration_ms: int | None
    realtime_ms: int | None
    cpu_percent: float | None
    peak_rss_bytes: int | None
    log_files: str | None = None
    """The logs of the tool, as JSON, where the engine writes this column."""


@dataclass(frozen=True, slots=True)
class TraceReading:
    """The rows that were new and the byte offset to read on from.

    `has_more` says that a reading stopped at its size limit and should be repeated at once, `problem` why
    there is a trace that cannot be read.
    """

    rows: tuple[TraceRow, ...]
    offset: int
    has_more: bool = False
    problem: str | None = None


def read_trace(path: Path, offset: int) -> TraceReading:
    """Read the whole lines that lie behind byte `offset`; 0 begins at the top.

    A line without its line feed is still being written and waits for the next
    reading. The header is read again each time, since columns are a pipeline's
    choice. A file that is missing gives no rows; one that is shorter than
    `offset` was begun anew and is read from the top; one that cannot be read gives
    its problem. Reads at most 1 MiB: what is read is stored in one transaction,
    and others want to write as well.

    Decision: G184, G375.
    """
    stream = open_regular(path)
    if stream is None:
        return TraceReading((), 0)
    if isinstance(stream, Unreadable):
        return TraceReading((), offset, problem=stream.problem)
    try:
        with stream:
            header = stream.readline(MAX_HEADER_BYTES)
            if not header.endswith(b"\n"):
                return TraceReading((), 0)
            size = stream.seek(0, 2)
            start = len(header) if offset < len(header) or offset > size else offset
            stream.seek(start)
            block = stream.read(MAX_READING_BYTES)
    except OSError as failed:
        return TraceReading((), offset, problem=failed.strerror)
    end = block.rfind(b"\n") + 1
    if end == 0 and len(block) == MAX_READING_BYTES:
        return TraceReading((), start + len(block), has_more=True)
    columns = _text(header).rstrip("\r\n").split("\t")
    lines = _text(block[:end]).split("\n")
    rows = tuple(row for line in lines if (row := read_row(columns, line)) is not None)
    return TraceReading(rows, start + end, has_more=len(block) == MAX_READING_BYTES)


def read_row(columns: Sequence[str], line: str) -> TraceRow | None:
    """Read one line by the names of its columns; None for a line that names no task.

    Values that cannot be understood are left out one by one, so that a strange
    cell costs that cell and not the row.

    Decision: G184.
    """
    cells = line.rstrip("\r").split("\t")
    fields = {name.strip(): cell for name, cell in zip(columns, cells, strict=False)}
    name = _word(fields, "name")
    process = _word(fields, "process") or (name.split(" (")[0] if name else None)
    status = _word(fields, "status")
    if process is None or status is None:
        return None
    return TraceRow(
        task_id=_word(fields, "task_id"),
        hash=_word(fields, "hash"),
        native_id=_word(fields, "native_id"),
        process=process,
        tag=_word(fields, "tag") or _tag_of(name),
        name=name,
        status=status.upper(),
        exit_code=read_int(fields.get("exit", "")),
        attempt=max(1, read_int(fields.get("attempt", "")) or 1),
        submitted_at=read_timestamp(fields.get("submit", "")),
        started_at=read_timestamp(fields.get("start", "")),
        completed_at=read_timestamp(fields.get("complete", "")),
        duration_ms=read_duration(fields.get("duration", "")),
        realtime_ms=read_duration(fields.get("realtime", "")),
        cpu_percent=read_percent(fields.get("%cpu", "")),
        peak_rss_bytes=read_size(fields.get("peak_rss", "")),
        log_files=_word(fields, "log"),
    )


def latest_attempts(rows: Sequence[TraceRow]) -> tuple[TraceRow, ...]:
    """Keep one row per process and tag (else name), the one of its highest attempt; of equal ones the later.

    That is one row per job of Snakemake; tasks of Nextflow may share a tag. The order is that of the first
    appearance.

    Decision: G184.
    """
    latest: dict[tuple[str, str | None], TraceRow] = {}
    for row in rows:
        key = (row.process, row.tag or row.name)
        known = latest.get(key)
        if known is None or row.attempt >= known.attempt:
            latest[key] = row
    return tuple(latest.values())


def read_int(text: str) -> int | None:
    """Read a whole number of at most 18 digits; 2147483647 is an engine's way to say "not known"."""
    text = text.strip()
    if not re.fullmatch(r"-?\d{1,18}", text, re.ASCII):
        return None
    value = int(text)
    return None if value == 2147483647 else value


def read_timestamp(text: str) -> datetime | None:
    """Read epoch milliseconds or an ISO date; a date without a zone is this machine's local time.

    Decision: G184.
    """
    text = text.strip()
    milliseconds = read_int(text)
    try:
        if milliseconds is not None and len(text) > 8:
            return datetime.fromtimestamp(milliseconds / 1000, UTC)
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None


def read_duration(text: str) -> int | None:
    """Read a duration in milliseconds: a bare number, or units such as `238ms`, `8.5s`, `1h 2m 3s`.

    Decision: G184.
    """
    text = text.strip()
    if _NUMBER.fullmatch(text):
        return _bounded(float(text))
    if not text or _DURATION_PART.sub("", text).strip():
        return None
    parts = _DURATION_PART.findall(text)
    return _bounded(sum(float(amount) * _UNIT_MILLISECONDS[unit] for amount, unit in parts))


def read_size(text: str) -> int | None:
    """Read a size in bytes: a bare number, or a number with a unit of base 1024 such as `1.2 GB`.

    Decision: G184.
    """
    text = text.strip()
    if _NUMBER.fullmatch(text):
        return _bounded(float(text))
    match = _SIZE.fullmatch(text)
    return None if match is None else _bounded(float(match[1]) * _UNIT_BYTES[match[2]])


def read_percent(text: str) -> float | None:
    """Read a percentage with or without its sign; more than 100 is normal for several threads.

    Decision: G184.
    """
    text = text.strip().removesuffix("%")
    if not _NUMBER.fullmatch(text):
        return None
    value = float(text)
    return value if 0 <= value < 1e9 else None


def _bounded(value: float) -> int | None:
    """Keep what fits a database's integer and is not negative."""
    return round(value) if 0 <= value < 2**63 else None


def _word(fields: Mapping[str, str], name: str) -> str | None:
    value = fields.get(name, "").strip()
    return None if value in ("", MISSING) else value


def _tag_of(name: str | None) -> str | None:
    """Take the tag out of `PROCESS (tag)`."""
    if name is None or not name.endswith(")") or " (" not in name:
        return None
    return name.split(" (", 1)[1][:-1] or None


def _text(raw: bytes) -> str:
    """Decode, without the NULs that a crashed or remote disk leaves and no database holds."""
    return raw.decode("utf-8", "replace").replace("\0", "")
