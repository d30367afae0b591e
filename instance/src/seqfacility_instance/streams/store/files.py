"""The files of a stream run as they were seen and counted."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from itertools import islice
from typing import Final, TypeVar, cast

from seqfacility_instance.core.ids import new_id
from seqfacility_instance.streams.rules.files import FileState, KnownFile
from seqfacility_instance.tables.prepared import Prepared, placeholder
from seqfacility_instance.tables.streams import StreamFile

ROWS_PER_STATEMENT: Final = 500
"""SQLite takes 32,766 variables in a statement."""

_T = TypeVar("_T")


def known_files(run_id: str) -> dict[str, KnownFile]:
    rows = (
        StreamFile.select(
            StreamFile.path,
            StreamFile.size,
            StreamFile.modified_ns,
            StreamFile.inode,
            StreamFile.unchanged_since,
            StreamFile.counted_size,
            StreamFile.counted_modified_ns,
            StreamFile.reported_problem,
        )
        .where(StreamFile.stream_run == run_id)
        .tuples()
        .iterator()
    )
    return {
        path: KnownFile(
            FileState(size, modified_ns, inode),
            unchanged_since,
            None if counted_size is None else (counted_size, counted_modified),
            problem,
        )
        for path, size, modified_ns, inode, unchanged_since, counted_size, counted_modified, problem in rows
    }


_SEEN: Final = (StreamFile.size, StreamFile.modified_ns, StreamFile.inode, StreamFile.unchanged_since)
_NOTE: Final = Prepared(
    lambda: StreamFile.insert(
        {
            column: placeholder(column.name)
            for column in (StreamFile.id, StreamFile.stream_run, StreamFile.path, *_SEEN)
        }
    ).on_conflict(conflict_target=[StreamFile.stream_run, StreamFile.path], preserve=list(_SEEN))
)


def note_states(run_id: str, states: Iterable[tuple[str, FileState]], now: datetime) -> None:
    """Store the scanned state of files that are new or have changed. Decision: G214."""
    since = StreamFile.unchanged_since.db_value(now)
    _NOTE.change_each(
        {
            "id": new_id(),
            "stream_run": run_id,
            "path": path,
            "size": state.size,
            "modified_ns": state.modified_ns,
            "inode": state.inode,
            "unchanged_since": since,
        }
        for path, state in states
    )


def note_problem(run_id: str, path: str, problem: str, now: datetime) -> None:
    """Store that a path was reported, so that it is not reported again. Decision: G214."""
    StreamFile.insert(
        stream_run=run_id,
        path=path,
        size=0,
        modified_ns=0,
        inode="",
        unchanged_since=now,
        reported_problem=problem,
    ).on_conflict(
        conflict_target=[StreamFile.stream_run, StreamFile.path], preserve=[StreamFile.reported_problem]
    ).execute()


def files_by_path(run_id: str, paths: Collection[str]) -> dict[str, StreamFile]:
    found: dict[str, StreamFile] = {}
    for part in _parts(list(paths)):
        rows = StreamFile.select().where((StreamFile.stream_run == run_id) & StreamFile.path.in_(part))
        found |= {row.path: row for row in rows}
    return found


_WRITTEN: Final = (
    StreamFile.size,
    StreamFile.modified_ns,
    StreamFile.inode,
    StreamFile.barcode,
    StreamFile.reads,
    StreamFile.bases,
    StreamFile.malformed,
    StreamFile.sha256,
    StreamFile.share,
    StreamFile.counted_size,
    StreamFile.counted_modified_ns,
    StreamFile.counted_at,
    StreamFile.reported_problem,
    StreamFile.first_read,
)
_NEW: Final = (StreamFile.id, StreamFile.path, StreamFile.unchanged_since, *_WRITTEN)
_SAVE: Final = Prepared(
    lambda: StreamFile.insert(
        {
            StreamFile.stream_run: placeholder("stream_run"),
            **{column: placeholder(column.name) for column in _NEW},
        }
    ).on_conflict(conflict_target=[StreamFile.stream_run, StreamFile.path], preserve=list(_WRITTEN))
)


def save_counted(file: StreamFile) -> None:
    """Save a file with its counts under its path, new or known; the caller holds the run. Decision: G217."""
    stored = {column.name: column.db_value(getattr(file, column.name)) for column in _NEW}
    _SAVE.change(stream_run=file.stream_run_id, **stored)


def forget(file: StreamFile) -> None:
    """Remove the row of a path; the caller holds the run and took out what the file brought."""
    StreamFile.delete().where(StreamFile.id == file.id).execute()


def list_counted(run_id: str) -> list[StreamFile]:
    return list(
        StreamFile.select()
        .where((StreamFile.stream_run == run_id) & StreamFile.counted_at.is_null(False))
        .order_by(StreamFile.path)
    )


def files_by_first_read(run_id: str, first_reads: Collection[str]) -> dict[str, list[tuple[int, str]]]:
    """List reads and path of counted files by the id of their first read, fewest reads first.

    Decision: G481.
    """
    found: dict[str, list[tuple[int, str]]] = {}
    for part in _parts(sorted(first_reads)):
        rows = (
            StreamFile.select(StreamFile.first_read, StreamFile.reads, StreamFile.path)
            .where((StreamFile.stream_run == run_id) & StreamFile.first_read.in_(part))
            .order_by(StreamFile.reads, StreamFile.path)
            .tuples()
        )
        for first_read, reads, path in cast("Iterable[tuple[str, int, str]]", rows):
            found.setdefault(first_read, []).append((reads, path))
    return found


def list_collectable(run_id: str, barcodes: Sequence[str]) -> list[StreamFile]:
    """List the well-formed files of some barcodes in the order in which they are joined. Decision: G221.

    Of files that begin with the same read the one with the fewest reads is listed: the others were merged
    from it and more, or are its copies. Decision: G481.
    """
    found = list(
        StreamFile.select()
        .where(
            (StreamFile.stream_run == run_id)
            & StreamFile.barcode.in_(list(barcodes))
            & StreamFile.counted_at.is_null(False)
            & ~StreamFile.malformed
            & (StreamFile.counted_size > 0)
        )
        .order_by(StreamFile.path)
    )
    least: dict[str, StreamFile] = {}
    for file in found:
        if file.first_read and file.reads < least.setdefault(file.first_read, file).reads:
            least[file.first_read] = file
    return [file for file in found if not file.first_read or least[file.first_read] is file]


def digests(run_id: str) -> dict[str, str | None]:
    """Return the SHA-256 of every counted file of a run, by path; None where there is none yet."""
    rows = (
        StreamFile.select(StreamFile.path, StreamFile.sha256)
        .where((StreamFile.stream_run == run_id) & StreamFile.counted_at.is_null(False))
        .tuples()
    )
    return dict(cast("Iterable[tuple[str, str | None]]", rows))


def newest_of_barcode(run_id: str, barcode: str) -> StreamFile | None:
    """Find the file of a barcode that was counted last."""
    found: StreamFile | None = (
        StreamFile.select()
        .where(
            (StreamFile.stream_run == run_id)
            & (StreamFile.barcode == barcode)
            & StreamFile.counted_at.is_null(False)
        )
        .order_by(StreamFile.counted_at.desc(), StreamFile.path.desc())
        .first()
    )
    return found


def _parts(values: Sequence[_T]) -> Iterable[list[_T]]:
    remaining = iter(values)
    while part := list(islice(remaining, ROWS_PER_STATEMENT)):
        yield part
