"""From stream to reads: the files of each mapped sample become one raw read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, cast

from peewee import IntegrityError

from seqfacility_instance.access.callers import FacilityAdmin, LiveFacilityAdmin
from seqfacility_instance.background import queue
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.data_folder import free_bytes
from seqfacility_instance.core.vocabulary.sequencing import DataClass, ReadSource
from seqfacility_instance.core.vocabulary.site import JobStatus
from seqfacility_instance.core.vocabulary.streams import CollectState, StreamEventKind, StreamStatus
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.orders import sample_store
from seqfacility_instance.reads import adding
from seqfacility_instance.reads import store as reads_store
from seqfacility_instance.reads.data_base import data_root
from seqfacility_instance.streams.errors import InvalidSampleIds, StreamNotStopped
from seqfacility_instance.streams.joining import Joined, Source, SourceChanged, join, joined_bytes, tidy
from seqfacility_instance.streams.rules.barcodes import mapped_sample
from seqfacility_instance.streams.rules.picture import mean_quality
from seqfacility_instance.streams.scan import opened_below, opened_directory
from seqfacility_instance.streams.service.runs import StreamRunFor
from seqfacility_instance.streams.store import counters, events, files, runs
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.orders import Sample
from seqfacility_instance.tables.site import BackgroundJob
from seqfacility_instance.tables.streams import StreamBarcode, StreamFile, StreamRun

COLLECT_JOB: Final = "collect-stream"
COMMIT_ATTEMPTS: Final = 50
"""A read of the same sample that is added meanwhile makes us try again; more attempts mean a defect."""


class InsufficientSpace(Exception):  # never an answer: told in the feed
    """The data folder has not enough free space for the joined file."""


class ForeignFile(Exception):  # never an answer: told in the feed
    """A file that is not ours has the name of the joined file."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(path)


@dataclass(frozen=True, slots=True)
class PlannedRead:
    """The read that collecting makes of a sample's barcodes, or has made."""

    sample: Sample
    barcodes: list[str]
    rows: list[StreamBarcode]
    state: CollectState
    read_id: str | None


@dataclass(frozen=True, slots=True)
class Collection:
    """Asks for reads and makes them. Decision: G221."""

    facility: FacilitySettings
    clock: Clock

    def plan(self, opened: StreamRunFor[FacilityAdmin]) -> list[PlannedRead]:
        """List the samples that have streamed reads, and how far the read of each is.

        Decision: G689.
        """
        run = opened.row
        by_barcode = {row.barcode: row for row in counters.list_barcodes(run.id)}
        mapped = _mapped(run)
        paths = {sample.id: "/".join(_place(run, sample)) for sample, _ in mapped}
        made = reads_store.reads_by_file(list(paths.values()))
        jobs = queue.newest_with_prefix(COLLECT_JOB, f"{COLLECT_JOB}:{run.id}:")
        planned = []
        for sample, barcodes in mapped:
            rows = [by_barcode[barcode] for barcode in barcodes]
            read_id = made.get(paths[sample.id])
            job = jobs.get(f"{COLLECT_JOB}:{run.id}:{sample.id}")
            state = _collect_state(read_id, job, sum(row.total_reads for row in rows))
            planned.append(PlannedRead(sample, barcodes, rows, state, read_id))
        return planned

    def queue(self, opened: StreamRunFor[LiveFacilityAdmin], requested: Sequence[str] | None) -> int:
        """Queue a job for each mapped sample with files and no read of this run; return their number.

        Raises `InvalidSampleIds`, `StreamNotStopped` or `DataBasePathNotConfigured`.

        Decision: G4, G221, G316.
        """
        chosen = None if requested is None else _requested_ids(opened.row.order_id, requested)
        storage, now = self.facility.storage(), self.clock.now()
        queued = 0
        with database.atomic():
            run = runs.lock_run(opened.id)
            if run.status is not StreamStatus.STOPPED:
                raise StreamNotStopped
            data_root(storage)
            for sample, barcodes in _mapped(run):
                is_requested = chosen is None or sample.id in chosen
                if not is_requested or not _has_work(run, sample, barcodes):
                    continue
                payload: dict[str, object] = {"streamRunId": run.id, "sampleId": sample.id}
                key = f"{COLLECT_JOB}:{run.id}:{sample.id}"
                queued += queue.enqueue(COLLECT_JOB, payload, now, dedupe_key=key)
        return queued

    def collect(self, payload: Mapping[str, object]) -> None:
        """Make the read of one sample; repeatable at any point. Failures are written into the feed.

        Decision: G221.
        """
        run = runs.find_with_order(str(payload["streamRunId"]))
        if run is None:
            return
        mapped = {sample.id: (sample, barcodes) for sample, barcodes in _mapped(run)}
        found = mapped.get(str(payload["sampleId"]))
        if found is None:
            return
        try:
            self._collect(run, *found)
        except SourceChanged as changed:
            self._report_problem(run, "The file is not any more what was counted", changed.path)
            raise
        except InsufficientSpace:
            self._report_problem(run, "Not enough free disk space", None)
            raise
        except ForeignFile as foreign:
            self._report_problem(run, "Another file has the name of the joined file", foreign.path)
            raise
        except OSError as failed:
            self._report_problem(run, f"The files cannot be joined: {failed.strerror}", None)
            raise

    def _collect(self, run: StreamRun, sample: Sample, barcodes: Sequence[str]) -> None:
        storage = self.facility.storage()
        root = data_root(storage)
        folder, name = _place(run, sample)
        if not reads_store.is_known_path(f"{folder}/{name}"):
            sources = files.list_collectable(run.id, barcodes)
            if not sources:
                return
            missing = sum(file.size for file in sources) - joined_bytes(root, folder, name)
            if free_bytes(root) - missing < storage.min_free_bytes:
                raise InsufficientSpace
            joined = _join(root, folder, name, run, sources)
            self._commit(run, sample, barcodes, sources, f"{folder}/{name}", joined)
        tidy(root, folder, name)

    def _commit(
        self,
        run: StreamRun,
        sample: Sample,
        barcodes: Sequence[str],
        sources: Sequence[StreamFile],
        path: str,
        joined: Joined,
    ) -> None:
        """Insert the read and its event, again while others change the reads of the sample."""
        for _attempt in range(COMMIT_ATTEMPTS):
            now = self.clock.now()
            try:
                with database.atomic():
                    # WHY: locked before the check, so that two workers cannot both find no read.
                    runs.lock_run(run.id)
                    if reads_store.is_known_path(path):
                        return
                    read = adding.add_read(sample.id, _columns(sources, path, joined), now)
                    reads_store.save_digest(path, joined.state, joined.digest)
                    payload = {
                        "readId": read.id,
                        "sampleId": sample.id,
                        "sampleCode": sample.sample_code,
                        "barcode": ", ".join(barcodes),
                    }
                    events.write(run.id, [(StreamEventKind.READ_CREATED, payload)], now)
            except (IntegrityError, adding.ReadChangedMeanwhile):
                continue
            return
        raise AssertionError(f"the read of {sample.id} could not be made in {COMMIT_ATTEMPTS} attempts")

    def _report_problem(self, run: StreamRun, message: str, path: str | None) -> None:
        """Write the problem into the feed once: the job is tried again, and fails the same way."""
        payload = {"message": message, "filePath": path}
        now = self.clock.now()
        with database.atomic():
            runs.lock_run(run.id)
            if not events.has_event(run.id, StreamEventKind.ERROR, payload):
                events.write(run.id, [(StreamEventKind.ERROR, payload)], now)


def _collect_state(read_id: str | None, job: BackgroundJob | None, reads: int) -> CollectState:
    if read_id is not None:
        return CollectState.MADE
    if job is not None:
        return CollectState.FAILED if job.status is JobStatus.FAILED else CollectState.QUEUED
    return CollectState.READY if reads else CollectState.EMPTY


def _requested_ids(order_id: str, requested: Sequence[str]) -> set[str]:
    found = sample_store.find_in_order(order_id, requested)
    unknown = [reference for reference in dict.fromkeys(requested) if reference not in found]
    if unknown:
        raise InvalidSampleIds(ids=", ".join(unknown))
    return {sample.id for sample in found.values()}


def _mapped(run: StreamRun) -> list[tuple[Sample, list[str]]]:
    """List the samples of a run's map with the barcodes that have files, in order of the barcodes."""
    by_code: dict[str, list[str]] = {}
    for row in counters.list_barcodes(run.id):
        code = mapped_sample(row.barcode, run.barcode_map)
        if code is not None:
            by_code.setdefault(code, []).append(row.barcode)
    samples = sample_store.find_in_order(run.order_id, list(by_code))
    by_sample: dict[str, tuple[Sample, list[str]]] = {}
    for code, sample in samples.items():
        by_sample.setdefault(sample.id, (sample, []))[1].extend(by_code[code])
    return [(sample, sorted(barcodes)) for sample, barcodes in by_sample.values()]


def _has_work(run: StreamRun, sample: Sample, barcodes: Sequence[str]) -> bool:
    folder, name = _place(run, sample)
    return bool(files.list_collectable(run.id, barcodes)) and not reads_store.is_known_path(
        f"{folder}/{name}"
    )


def _place(run: StreamRun, sample: Sample) -> tuple[str, str]:
    return f"orders/{run.order_id}/reads/{sample.sample_code}", f"{run.id}.fastq.gz"


def _join(root: Path, folder: str, name: str, run: StreamRun, sources: Sequence[StreamFile]) -> Joined:
    parts = [
        Source(file.path, file.sha256 or "", bool((file.share or {}).get("cleanEnd", True)))
        for file in sources
    ]
    try:
        with opened_directory(run.output_dir) as directory:
            return join(root, folder, name, parts, partial(opened_below, directory))
    except FileExistsError as foreign:
        raise ForeignFile(f"{folder}/{name}") from foreign


def _columns(sources: Sequence[StreamFile], path: str, joined: Joined) -> dict[str, object]:
    bases = sum(file.bases for file in sources)
    errors = sum(cast("int", (file.share or {}).get("errors", 0)) for file in sources)
    return {
        "file1": path,
        "size1": joined.state.size,
        "checksum1": joined.digest.md5,
        "read_count1": sum(file.reads for file in sources),
        "avg_quality1": mean_quality(errors, bases),
        "data_class": DataClass.RAW,
        "source": ReadSource.STREAM,
    }
