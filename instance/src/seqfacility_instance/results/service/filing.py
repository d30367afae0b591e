"""Filing the reads that a run made of a sequencing run: what may be filed, and how it becomes reads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from seqfacility_wire.errors import ServiceError

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import FacilityAdmin, LiveFacilityAdmin
from seqfacility_instance.background import queue
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.core.vocabulary.pipelines import FilingState, RunStatus
from seqfacility_instance.core.vocabulary.sequencing import DataClass, Mate, ReadSource
from seqfacility_instance.core.vocabulary.site import JobStatus
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.orders import store as orders_store
from seqfacility_instance.orders.rules import check_sequencing_allowed
from seqfacility_instance.reads.adding import add_read
from seqfacility_instance.reads.intake import queue_examination
from seqfacility_instance.reads.store import is_sequencing_run_of
from seqfacility_instance.results import store
from seqfacility_instance.results.copying import only_worker_in
from seqfacility_instance.results.errors import (
    CandidatesRunNotFound,
    InvalidSampleIds,
    NoBasePath,
    NothingToFile,
    NotOfSequencingRun,
    ReadsNotFileable,
    RunNotCompleted,
)
from seqfacility_instance.results.rules.sequenced_reads import (
    SequencedFiles,
    file_name,
    files_by_mate,
    filing_problems,
)
from seqfacility_instance.results.service.placing import (
    DRAFTS,
    Copies,
    Source,
    columns_of,
    copy_all,
    named_by_rows,
    part_of,
    source_of,
)
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.connections import connection_released
from seqfacility_instance.tables.orders import Sample
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.results import PipelineArtifact
from seqfacility_instance.tables.sequencing import Read
from seqfacility_instance.tables.site import BackgroundJob

FILE_JOB: Final = "file-reads"


@dataclass(frozen=True, slots=True)
class SequencedSample:
    """A sample of a run with the files that the run made of it, none where it made none.

    `read_id` names the read that they are, `error` says why the last attempt to file them failed.
    """

    sample: Sample
    artifact_ids: list[str]
    files: SequencedFiles
    state: FilingState
    read_id: str | None
    problems: list[str]
    error: str | None


@dataclass(frozen=True, slots=True)
class Sequenced:
    """What a run made of its sequencing run, beside the reads that would be superseded."""

    run: PipelineRun
    samples: list[SequencedSample]
    current_reads: dict[str, Read]
    default_class: DataClass


class _Lost(Exception):  # never an answer: the transaction is undone
    """The files of the sample are gone meanwhile, or filed."""


@dataclass(frozen=True, slots=True)
class Filing:
    """Lists reads of sequencing runs, takes orders to file them, and files them, under the rules of uploads.

    Decision: G988, G989, G997.
    """

    facility: FacilitySettings
    clock: Clock

    def check(self, caller: FacilityAdmin, run_id: str) -> PipelineRun:
        """Find a run that worked on a sequencing run.

        Raises `CandidatesRunNotFound` or `NotOfSequencingRun`.
        """
        run = store.find_run(caller, run_id)
        if run is None:
            raise CandidatesRunNotFound
        if run.sequencing_run_id is None:
            raise NotOfSequencingRun
        return run

    def show(self, caller: FacilityAdmin, run_id: str) -> Sequenced:
        """List what a run made of each of its samples; raises the errors of `check`. Decision: G988."""
        run = self.check(caller, run_id)
        samples = self._samples(run)
        current = store.find_active_reads({one.sample.id for one in samples})
        return Sequenced(run, samples, current, self.facility.storage().default_upload_data_class)

    def queue(
        self,
        caller: LiveFacilityAdmin,
        run_id: str,
        sample_ids: Sequence[str] | None,
        data_class: DataClass | None,
    ) -> int:
        """Queue a job for each of the named samples, for all that are not filed when none are named.

        Returns how many jobs are new. The class of the reads is the one of uploads unless another is said.
        Raises the errors of `check`, `RunNotCompleted`, `SequencingNotAllowed`, `InvalidSampleIds`,
        `NothingToFile`, `ReadsNotFileable` with a line for each reason, and `NoBasePath`.

        Decision: G988, G997.
        """
        run = self.check(caller, run_id)
        if run.status is not RunStatus.COMPLETED:
            raise RunNotCompleted
        assert run.order is not None, "who works on a sequencing run works on its order"
        check_sequencing_allowed(run.order)
        chosen = _chosen(self._samples(run), sample_ids)
        storage, now, queued = self.facility.storage(), self.clock.now(), 0
        if storage.data_base_path is None:
            raise NoBasePath
        wanted = data_class or storage.default_upload_data_class
        with database.atomic():
            for one in chosen:
                payload: dict[str, object] = {
                    "runId": run.id,
                    "sampleId": one.sample.id,
                    "dataClass": wanted.value,
                    "userId": caller.user_id,
                    "tokenId": caller.token_id,
                }
                queued += queue.enqueue(FILE_JOB, payload, now, dedupe_key=_key(run, one.sample.id))
        return queued

    def file(self, payload: Mapping[str, object]) -> None:
        """Make the read of one sample; the work of `FILE_JOB`, repeatable at any point.

        Raises `JobRefused` in words, which stand in the list until somebody asks again.

        Decision: G989, G997.
        """
        run, sample_id = store.find_run_by_id(str(payload["runId"])), str(payload["sampleId"])
        base = self.facility.storage().data_base_path
        try:
            if run is None or run.status is not RunStatus.COMPLETED:
                return
            if base is None:
                raise NoBasePath
            drafts = Path(base) / "orders" / str(run.order_id) / f"{DRAFTS}{run.id}-{sample_id}"
            with only_worker_in(drafts):
                # WHY read in here: whoever worked here before may have filed it.
                found = [one for one in self._samples(run) if one.sample.id == sample_id and not one.read_id]
                for one in found:
                    self._file(run, one, payload, Path(base), drafts)
        except _Lost:
            return
        except ServiceError as refused:
            raise queue.JobRefused("; ".join([refused.text, *(refused.details or [])])) from refused
        except OSError as failed:
            reason = failed.strerror or "unknown error"
            raise queue.JobRefused(f"The files could not be copied: {reason}") from failed

    def _samples(self, run: PipelineRun) -> list[SequencedSample]:
        """Look at every sample of a run that is completed; of others nothing can be filed."""
        if run.status is not RunStatus.COMPLETED:
            return []
        by_sample: dict[str, list[PipelineArtifact]] = {}
        for artifact in store.list_mates(run.id):
            by_sample.setdefault(str(artifact.sample_id), []).append(artifact)
        extensions = self.facility.uploads().allowed_read_extensions
        jobs = queue.newest_with_prefix(FILE_JOB, _key(run, ""))
        return [
            _sequenced(sample, by_sample.get(sample.id, []), jobs.get(_key(run, sample.id)), extensions)
            for sample in store.samples_of(run)
        ]

    def _file(
        self,
        run: PipelineRun,
        one: SequencedSample,
        asked: Mapping[str, object],
        base: Path,
        drafts: Path,
    ) -> None:
        if one.problems:
            raise ReadsNotFileable(details=one.problems)
        sources, storage = _sources(run, one, base), self.facility.storage()
        with connection_released():
            copies = copy_all(sources, drafts, storage)
        named_by_rows(copies, lambda: self._make_read(run, one, asked, sources, copies))

    def _make_read(
        self,
        run: PipelineRun,
        one: SequencedSample,
        asked: Mapping[str, object],
        sources: list[Source],
        copies: Copies,
    ) -> None:
        now = self.clock.now()
        order_id, sequencing_run_id = str(run.order_id), str(run.sequencing_run_id)
        with database.atomic():
            check_sequencing_allowed(orders_store.lock_order(order_id))
            if not store.claim_filing(one.artifact_ids, now):
                raise _Lost
            is_known = is_sequencing_run_of(sequencing_run_id, order_id)
            values: dict[str, object] = {
                "data_class": DataClass(str(asked["dataClass"])),
                "source": ReadSource.PIPELINE,
                "pipeline_run": run.id,
                "sequencing_run": sequencing_run_id if is_known else None,
                **columns_of(sources, copies),
            }
            read = add_read(one.sample.id, values, now)
            if self.facility.uploads().verify_in_background:
                queue_examination(read.id, now)
            for artifact_id in one.artifact_ids:
                store.name_promoted_read(artifact_id, read.id)
            detail: dict[str, object] = {"readIds": [read.id]}
            if asked["tokenId"] is not None:
                detail["token"] = asked["tokenId"]
            actor = str(asked["userId"])
            audit.write(actor, None, AuditAction.READS_FILED, "pipeline-run", run.id, now, detail)


def _key(run: PipelineRun, sample_id: str) -> str:
    return f"{FILE_JOB}:{run.id}:{sample_id}"


def _chosen(samples: list[SequencedSample], names: Sequence[str] | None) -> list[SequencedSample]:
    """Choose samples that are not filed yet; ids and codes both name one. Decision: G4, G988, G996."""
    known = {name for one in samples for name in (one.sample.id, one.sample.sample_code)}
    if unknown := [name for name in dict.fromkeys(names or ()) if name not in known]:
        raise InvalidSampleIds(ids=", ".join(unknown))
    chosen = [
        one
        for one in samples
        if one.state is not FilingState.FILED
        and (names is None or {one.sample.id, one.sample.sample_code} & set(names))
    ]
    if not chosen:
        raise NothingToFile
    problems = [f"{one.sample.sample_code}: {problem}" for one in chosen for problem in one.problems]
    if problems:
        raise ReadsNotFileable(details=problems)
    return chosen


def _sequenced(
    sample: Sample,
    artifacts: list[PipelineArtifact],
    job: BackgroundJob | None,
    extensions: Sequence[str],
) -> SequencedSample:
    paths: dict[Mate, dict[str, int | None]] = {}
    for artifact in artifacts:
        assert artifact.mate is not None, artifact.id
        paths.setdefault(artifact.mate, {})[artifact.path] = artifact.size
    files = files_by_mate(paths)
    read_id = next((one.promoted_read_id for one in artifacts if one.promoted_read_id), None)
    state = _state(read_id, job)
    return SequencedSample(
        sample=sample,
        artifact_ids=[artifact.id for artifact in artifacts],
        files=files,
        state=state,
        read_id=read_id,
        problems=filing_problems(files, extensions),
        error=job.last_error if job is not None and state is FilingState.FAILED else None,
    )


def _state(read_id: str | None, job: BackgroundJob | None) -> FilingState:
    if read_id is not None:
        return FilingState.FILED
    if job is None:
        return FilingState.OPEN
    return FilingState.FAILED if job.status is JobStatus.FAILED else FilingState.QUEUED


def _sources(run: PipelineRun, one: SequencedSample, base: Path) -> list[Source]:
    """Name the files of a sample and their places; raises the errors of `source_of`. Decision: G989."""
    code = one.sample.sample_code
    return [
        source_of(
            run,
            base,
            mate,
            code,
            file_name(paths),
            [part_of(run, base, path, one.files.sizes[path]) for path in paths],
        )
        for mate, paths in one.files.of_mates()
    ]
