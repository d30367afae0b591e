"""Booking counted files: rows, totals, counters and events change together or not at all.

The counters are sums over the rows, kept by adding what a file brings and taking out what it brought before.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import cast

from seqfacility_instance.core import limits
from seqfacility_instance.core.fastq_counting import Bucket, FastqCount
from seqfacility_instance.core.ids import epoch_milliseconds
from seqfacility_instance.core.vocabulary.streams import StreamEventKind
from seqfacility_instance.orders import sample_store
from seqfacility_instance.streams.rules.barcodes import (
    barcode_of,
    mapped_sample,
    needs_warning,
    unknown_folder,
)
from seqfacility_instance.streams.rules.files import FileState, closed_at
from seqfacility_instance.streams.store import counters, events, files, runs
from seqfacility_instance.streams.store.counters import Change, Changes
from seqfacility_instance.streams.store.events import NewEvent
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.orders import Sample
from seqfacility_instance.tables.streams import StreamFile, StreamRun


class LeaseLost(Exception):  # never an answer: the monitor lets go of the run
    """Another monitor has taken the run over."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A file in the state in which it was counted; no count for a malformed one."""

    path: str
    state: FileState
    count: FastqCount | None


@dataclass(frozen=True, slots=True)
class Moved:
    """A counted file that was renamed; one that had changed since is to be counted again."""

    old_path: str
    path: str
    state: FileState
    is_as_counted: bool = True


@dataclass(slots=True)
class Ledger:
    """What one transaction changes: fed file by file, written at its end."""

    run: StreamRun
    now: datetime
    samples: Mapping[str, Sample]
    codes: Mapping[str, str]
    """The map with the sample's code where it names a sample otherwise: files are named after codes."""

    changes: Changes = field(default_factory=Changes)
    total: Change = field(default_factory=Change)
    events: list[NewEvent] = field(default_factory=list)
    left_barcodes: set[str] = field(default_factory=set)
    unknown_folder: str | None = None

    def take_out(self, file: StreamFile) -> None:
        self._add(file, -1)
        self.left_barcodes.add(file.barcode)

    def put_in(self, file: StreamFile, *, replaced: bool) -> None:
        """Add a counted file and its event. Decision: G213, G217, G218."""
        self._add(file, 1)
        self.changes.newest[file.barcode] = (self.now, file.path)
        self.unknown_folder = self.unknown_folder or unknown_folder(file.path, self.codes)
        code = mapped_sample(file.barcode, self.run.barcode_map)
        sample = None if code is None else self.samples.get(code)
        payload = {
            "filePath": file.path,
            "barcode": file.barcode or None,
            "size": file.counted_size,
            "reads": file.reads,
            "bases": file.bases,
            "sampleId": None if sample is None else sample.id,
            "sampleCode": None if sample is None else sample.sample_code,
            "replaced": replaced,
            "malformed": file.malformed,
        }
        self.events.append((StreamEventKind.FILE_INGESTED, payload))

    def add_path_gone(self, path: str, barcode: str) -> None:
        """Add the event that a path is empty now: its file was counted under another name."""
        payload = {
            "filePath": path,
            "barcode": barcode or None,
            "size": 0,
            "reads": 0,
            "bases": 0,
            "sampleId": None,
            "sampleCode": None,
            "replaced": True,
            "malformed": False,
        }
        self.events.append((StreamEventKind.FILE_INGESTED, payload))

    def _add(self, file: StreamFile, sign: int) -> None:
        share = cast("dict[str, list[list[int]]]", file.share or {})
        facts = cast("dict[str, int]", file.share or {})
        errors = facts.get("errors", 0)
        whole = Change(1, file.counted_size or 0, file.reads, file.bases, errors)
        self.total.add(whole, sign)
        self.changes.barcodes.setdefault(file.barcode, Change()).add(whole, sign)
        if "minute" in facts:
            minute = datetime.fromtimestamp(facts["minute"] / 1000, UTC)
            self.changes.minutes.setdefault((file.barcode, minute), Change()).add(whole, sign)
        for counted, name in ((self.changes.lengths, "lengths"), (self.changes.qualities, "qualities")):
            for start, reads, bases in share.get(name, []):
                change = Change(reads=reads, bases=bases)
                counted.setdefault((file.barcode, start), Change()).add(change, sign)

    def close(self) -> None:
        """Write counters, totals and events; runs in the transaction that locked the run."""
        for barcode in self.left_barcodes - self.changes.newest.keys():
            newest = files.newest_of_barcode(self.run.id, barcode)
            if newest is not None and newest.counted_at is not None:
                self.changes.newest[barcode] = (newest.counted_at, newest.path)
        counters.apply(self.run.id, self.changes)
        runs.add_totals(self.run.id, files=self.total.files, reads=self.total.reads, bases=self.total.bases)
        unmapped = {
            barcode: barcode
            for barcode in sorted(self.changes.newest)
            if needs_warning(barcode, self.run.barcode_map)
        }
        if self.unknown_folder is not None:
            unmapped[""] = self.unknown_folder
        for barcode, shown in unmapped.items():
            if counters.claim_unmapped_report(self.run.id, barcode):
                self.events.append((StreamEventKind.BARCODE_UNMAPPED, {"barcode": shown}))
        events.write(self.run.id, self.events, self.now)


def open_ledger(run: StreamRun, now: datetime) -> Ledger:
    """Open the ledger of a run that the caller has locked; samples are looked up again. Decision: G210."""
    samples = sample_store.find_in_order(run.order_id, sorted(set(run.barcode_map.values())))
    codes = {
        barcode: samples[named].sample_code if named in samples else named
        for barcode, named in run.barcode_map.items()
    }
    return Ledger(run, now, samples, codes)


def record(run_id: str, holder: str, found: Sequence[Counted | Moved], now: datetime) -> None:
    """Record what was counted in one transaction, except what another monitor recorded meanwhile.

    Raises `LeaseLost`.

    Decision: G214, G217, G218.
    """
    with database.atomic():
        run = locked_by(run_id, holder)
        ledger = open_ledger(run, now)
        paths = [item.path for item in found] + [item.old_path for item in found if isinstance(item, Moved)]
        rows = files.files_by_path(run_id, paths)
        for item in found:
            if isinstance(item, Moved):
                _record_moved(ledger, rows, item)
            else:
                _record_counted(ledger, rows, item)
        _report_repeated(ledger, {item.path: rows[item.path] for item in found if isinstance(item, Counted)})
        ledger.close()
        if ledger.events:
            runs.update_run(run_id, {"last_file_at": now, "stalled_at": None})


def locked_by(run_id: str, holder: str) -> StreamRun:
    """Lock a run inside a transaction; raises `LeaseLost` unless `holder` still has it. Decision: G214."""
    run = runs.lock_run(run_id)
    if run.lease_holder != holder:
        raise LeaseLost
    return run


def _record_counted(ledger: Ledger, rows: dict[str, StreamFile], item: Counted) -> None:
    row = rows.get(item.path) or StreamFile(stream_run=ledger.run.id, path=item.path)
    state = (item.state.size, item.state.modified_ns)
    if (row.counted_size, row.counted_modified_ns) == state:
        return
    was_counted = row.counted_at is not None
    if was_counted:
        ledger.take_out(row)
    count = item.count or FastqCount()
    row.size, row.modified_ns, row.inode = item.state.size, item.state.modified_ns, item.state.inode
    row.counted_size, row.counted_modified_ns = state
    row.counted_at = ledger.now
    row.malformed = item.count is None
    row.reads, row.bases = count.reads, count.bases
    row.sha256 = count.sha256 or None
    row.first_read = count.first_read or None
    row.barcode = barcode_of(item.path, ledger.codes)
    row.share = _share(count, item.state, ledger)
    row.reported_problem = None
    files.save_counted(row)
    rows[item.path] = row
    ledger.put_in(row, replaced=was_counted)


def _report_repeated(ledger: Ledger, counted: Mapping[str, StreamFile]) -> None:
    """Add an event for files that begin with the reads of another: of those just counted, and of those
    whose reads begin with theirs.

    Decision: G481.
    """
    first_reads = {row.first_read for row in counted.values() if row.first_read}
    for (_reads, original), *others in files.files_by_first_read(ledger.run.id, first_reads).values():
        for _more, path in others:
            if path in counted or original in counted:
                payload = {"message": f"The file begins with the reads of {original}", "filePath": path}
                ledger.events.append((StreamEventKind.ERROR, payload))


def _record_moved(ledger: Ledger, rows: dict[str, StreamFile], item: Moved) -> None:
    row, taken = rows.get(item.old_path), rows.get(item.path)
    state = (item.state.size, item.state.modified_ns)
    if row is not None and not item.is_as_counted:
        ledger.take_out(row)
        ledger.add_path_gone(item.old_path, row.barcode)
        files.forget(row)
        return
    if row is None or (row.counted_size, row.counted_modified_ns) != state:
        return
    if taken is not None and (taken.counted_size, taken.counted_modified_ns) == state:
        return
    is_replaced = taken is not None and taken.counted_at is not None
    if taken is not None:
        if is_replaced:
            ledger.take_out(taken)
        files.forget(taken)
    ledger.take_out(row)
    ledger.add_path_gone(item.old_path, row.barcode)
    files.forget(row)
    row.path, row.barcode = item.path, barcode_of(item.path, ledger.codes)
    row.counted_at = ledger.now
    files.save_counted(row)
    del rows[item.old_path]
    rows[item.path] = row
    ledger.put_in(row, replaced=is_replaced)


def record_new_map(run: StreamRun, now: datetime) -> None:
    """Attribute the files of a locked run to the barcodes that its map, just changed, gives them.

    Samples follow from the barcode at each reading; only where a key of the map is itself the name of a
    folder the barcode changes, and the files get new events.

    Decision: G220, G314.
    """
    ledger = open_ledger(run, now)
    for row in files.list_counted(run.id):
        barcode = barcode_of(row.path, ledger.codes)
        if barcode != row.barcode:
            ledger.take_out(row)
            row.barcode = barcode
            files.save_counted(row)
            ledger.put_in(row, replaced=True)
    ledger.close()


def _share(count: FastqCount, state: FileState, ledger: Ledger) -> dict[str, object]:
    minute = closed_at(state.modified_ns, ledger.now, ledger.run.started_at, limits.STREAM_CLOCK_BELIEVED)
    return {
        "minute": epoch_milliseconds(minute),
        "errors": count.expected_errors,
        "cleanEnd": count.ends_cleanly,
        "lengths": _plain(count.lengths.values()),
        "qualities": _plain(count.qualities.values()),
    }


def _plain(buckets: Iterable[Bucket]) -> list[list[int]]:
    return [[bucket.start, bucket.reads, bucket.bases] for bucket in buckets]
