"""Filing the reads that a run made of a sequencing run: what may be filed, and how it becomes reads."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from peewee import IntegrityError

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import FacilityAdmin, LiveFacilityAdmin
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.core.vocabulary.pipelines import RunStatus
from seqfacility_instance.core.vocabulary.sequencing import DataClass, Mate, ReadSource
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.orders import store as orders_store
from seqfacility_instance.orders.rules import check_sequencing_allowed
from seqfacility_instance.pipelines.service import Pipelines
from seqfacility_instance.reads.adding import ReadChangedMeanwhile, add_read
from seqfacility_instance.reads.intake import queue_examination
from seqfacility_instance.reads.store import is_sequencing_run_of
from seqfacility_instance.results import store
from seqfacility_instance.results.copying import CopiedFile, only_worker_in
from seqfacility_instance.results.errors import (
    CandidateFileMissing,
    CandidatesRunNotFound,
    NoBasePath,
    NothingToFile,
    NotOfSequencingRun,
    ReadsNotFileable,
    RunNotCompleted,
)
from seqfacility_instance.results.rules.sequenced_reads import (
    SequencedFiles,
    file_name,
    files_of_mates,
    filing_problems,
    mates_of_outputs,
)
from seqfacility_instance.results.service.placing import DRAFTS, Source, columns_of, copy_all, remove
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.orders import Sample
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.results import PipelineArtifact
from seqfacility_instance.tables.sequencing import Read

_ATTEMPTS = 5
"""Somebody may change the active read of a sample between our read and our write; then we read again."""


@dataclass(frozen=True, slots=True)
class SequencedSample:
    """A sample with the files that the run made of it; `read_id` names the read that they have become."""

    sample: Sample
    artifact_ids: list[str]
    files: SequencedFiles
    read_id: str | None
    problems: list[str]

    @property
    def is_filed(self) -> bool:
        return self.read_id is not None


@dataclass(frozen=True, slots=True)
class Sequenced:
    """What a run made of its sequencing run, beside the reads that would be superseded."""

    run: PipelineRun
    samples: list[SequencedSample]
    current_reads: dict[str, Read]
    default_class: DataClass


class _Lost(Exception):  # never an answer: the transaction is undone
    """Another request filed one of the samples meanwhile."""


@dataclass(frozen=True, slots=True)
class Filing:
    """Lists and files reads of sequencing runs, under the rules of uploads. Decision: G988, G989."""

    pipelines: Pipelines
    facility: FacilitySettings
    clock: Clock

    def show(self, caller: FacilityAdmin, run_id: str) -> Sequenced:
        """List what a run made; raises `CandidatesRunNotFound` or `NotOfSequencingRun`. Decision: G988."""
        run = store.find_run(caller, run_id)
        if run is None:
            raise CandidatesRunNotFound
        if run.sequencing_run_id is None:
            raise NotOfSequencingRun
        samples = self._samples(run)
        current = store.find_active_reads({one.sample.id for one in samples})
        return Sequenced(run, samples, current, self.facility.storage().default_upload_data_class)

    def file(
        self,
        caller: LiveFacilityAdmin,
        run_id: str,
        sample_ids: Sequence[str] | None,
        data_class: DataClass | None,
    ) -> list[str]:
        """Make reads of the named samples, of all that are not filed when none are named; all or nothing.

        Gives the ids of the new reads by sample code. Their class is the one of uploads unless another is
        said. Raises the errors of `show`, `RunNotCompleted`, `SequencingNotAllowed`, `NothingToFile`,
        `ReadsNotFileable` with a line for each reason, `NoBasePath`, `NotEnoughSpace` and
        `CandidateFileMissing`.

        Decision: G988, G989.
        """
        run = self.show(caller, run_id).run
        if run.status is not RunStatus.COMPLETED:
            raise RunNotCompleted
        assert run.order is not None, "who works on a sequencing run works on its order"
        check_sequencing_allowed(run.order)
        self._chosen(run, sample_ids)
        storage = self.facility.storage()
        if storage.data_base_path is None:
            raise NoBasePath
        base = Path(storage.data_base_path)
        drafts = base / "orders" / run.order.id / f"{DRAFTS}{run.id}"
        with only_worker_in(drafts):
            chosen = self._chosen(run, sample_ids)
            sources = {one.sample.id: _sources(run, one, base) for one in chosen}
            copies = copy_all([source for files in sources.values() for source in files], drafts, storage)
            wanted = data_class or storage.default_upload_data_class
            return self._commit(caller, run, chosen, sources, copies, wanted)

    def _samples(self, run: PipelineRun) -> list[SequencedSample]:
        package = self.pipelines.version(run.pipeline_id, run.pipeline_version)
        mates = {} if package is None else mates_of_outputs(package.manifest.outputs)
        by_sample: dict[str, list[PipelineArtifact]] = {}
        for artifact in store.list_sample_artifacts(run.id, mates):
            by_sample.setdefault(str(artifact.sample_id), []).append(artifact)
        extensions = self.facility.uploads().allowed_read_extensions
        samples = [_sequenced(artifacts, mates, extensions) for artifacts in by_sample.values()]
        return sorted(samples, key=lambda one: one.sample.sample_code)

    def _chosen(self, run: PipelineRun, sample_ids: Sequence[str] | None) -> list[SequencedSample]:
        """Choose samples that are not filed yet; ids and codes both name one. Decision: G4, G988."""
        chosen = [
            one
            for one in self._samples(run)
            if not one.is_filed
            and (sample_ids is None or {one.sample.id, one.sample.sample_code} & set(sample_ids))
        ]
        if not chosen:
            raise NothingToFile
        problems = [f"{one.sample.sample_code}: {problem}" for one in chosen for problem in one.problems]
        if problems:
            raise ReadsNotFileable(details=problems)
        return chosen

    def _commit(
        self,
        caller: LiveFacilityAdmin,
        run: PipelineRun,
        chosen: list[SequencedSample],
        sources: dict[str, list[Source]],
        copies: dict[Path, CopiedFile],
        data_class: DataClass,
    ) -> list[str]:
        """Make the reads, or take the copies away again."""
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                return self._make_reads(caller, run, chosen, sources, copies, data_class)
            except _Lost:
                # The winner's reads have the same names, so these files are theirs now.
                raise NothingToFile from None
            except (ReadChangedMeanwhile, IntegrityError):
                if attempt == _ATTEMPTS:
                    remove(copies)
                    raise
            except BaseException:
                remove(copies)
                raise
        raise AssertionError("the last attempt answers or raises")

    def _make_reads(
        self,
        caller: LiveFacilityAdmin,
        run: PipelineRun,
        chosen: list[SequencedSample],
        sources: dict[str, list[Source]],
        copies: dict[Path, CopiedFile],
        data_class: DataClass,
    ) -> list[str]:
        now, read_ids = self.clock.now(), []
        order_id, sequencing_run_id = str(run.order_id), str(run.sequencing_run_id)
        with database.atomic():
            check_sequencing_allowed(orders_store.lock_order(order_id))
            is_known = is_sequencing_run_of(sequencing_run_id, order_id)
            for one in chosen:
                if not store.claim_filing(one.artifact_ids, now):
                    raise _Lost
                values: dict[str, object] = {
                    "data_class": data_class,
                    "source": ReadSource.PIPELINE,
                    "pipeline_run": run.id,
                    "sequencing_run": sequencing_run_id if is_known else None,
                    **columns_of(sources[one.sample.id], copies),
                }
                read = add_read(one.sample.id, values, now)
                if self.facility.uploads().verify_in_background:
                    queue_examination(read.id, now)
                for artifact_id in one.artifact_ids:
                    store.name_promoted_read(artifact_id, read.id)
                read_ids.append(read.id)
            audit.record(caller, AuditAction.READS_FILED, "pipeline-run", run.id, now, readIds=read_ids)
        return read_ids


def _sequenced(
    artifacts: list[PipelineArtifact], mates: dict[str, Mate], extensions: Sequence[str]
) -> SequencedSample:
    paths: dict[Mate, list[str]] = {}
    for artifact in artifacts:
        paths.setdefault(mates[str(artifact.output_id)], []).append(artifact.path)
    files = files_of_mates(paths)
    return SequencedSample(
        sample=store.sample_of_candidate(artifacts[0]),
        artifact_ids=[artifact.id for artifact in artifacts],
        files=files,
        read_id=next((one.promoted_read_id for one in artifacts if one.promoted_read_id), None),
        problems=filing_problems(files, extensions),
    )


def _sources(run: PipelineRun, one: SequencedSample, base: Path) -> list[Source]:
    """Name the files of a sample and their places; raises `CandidateFileMissing`. Decision: G199, G989."""
    sources = []
    for mate, paths in one.files.of_mates():
        parts = tuple(base / path for path in paths)
        if missing := [part.name for part in parts if not part.is_file()]:
            raise CandidateFileMissing(name=missing[0])
        name = f"{run.run_number}-{mate.value}-{file_name(paths)}"
        stored = f"orders/{run.order_id}/reads/{one.sample.sample_code}/{name}"
        sources.append(Source(mate, parts, base / stored, stored))
    return sources
