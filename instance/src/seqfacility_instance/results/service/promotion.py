"""Read candidates: what waits for an admin, and how a candidate becomes the active read of its sample."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path, PurePosixPath

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import FacilityAdmin, LiveFacilityAdmin
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.seen_keys import SeenKeys
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.core.vocabulary.pipelines import CandidateStatus, RunStatus
from seqfacility_instance.core.vocabulary.sequencing import DataClass, Mate, ReadSource
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.pipelines.service import Pipelines
from seqfacility_instance.reads.adding import add_read
from seqfacility_instance.reads.intake import queue_examination
from seqfacility_instance.results import store
from seqfacility_instance.results.copying import only_worker_in
from seqfacility_instance.results.errors import (
    CandidatesRunNotFound,
    NoBasePath,
    NotCompleted,
    NothingToPromote,
    NotOrderScoped,
    NotReadCleaning,
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
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.results import PipelineArtifact
from seqfacility_instance.tables.sequencing import Read

_SWEPT_EVERY = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Pending:
    """The candidates of a run beside the reads that they would supersede."""

    run: PipelineRun
    candidates: list[PipelineArtifact]
    current_reads: dict[str, Read]
    reports: list[PipelineArtifact]


class _Lost(Exception):  # never an answer: the transaction is undone
    """One of the candidates is gone meanwhile, or promoted."""


@dataclass(frozen=True, slots=True)
class Promotion:
    """Lists and promotes read candidates. Decision: G196-G200."""

    pipelines: Pipelines
    facility: FacilitySettings
    clock: Clock
    walks: SeenKeys = field(default_factory=lambda: SeenKeys(_SWEPT_EVERY))

    def pending(self, caller: FacilityAdmin, run_id: str, only_cleaning: bool = False) -> Pending:
        """List the candidates of a run; raises the errors of G198 and G200. Decision: G196."""
        run = self._run(caller, run_id, only_cleaning)
        candidates = store.list_candidates(run.id)
        sample_ids = {candidate.sample_id for candidate in candidates if candidate.sample_id}
        return Pending(run, candidates, store.find_active_reads(sample_ids), store.list_reports(run.id))

    def promote(
        self,
        caller: LiveFacilityAdmin,
        run_id: str,
        sample_ids: Sequence[str] | None,
        only_cleaning: bool = False,
    ) -> list[str]:
        """Promote the open candidates of the named samples, of all when none are named; all or nothing.

        Gives the ids of the new reads by sample code. One promotion of a run goes on at a time, so a
        candidate is copied and promoted once, however many requests race.

        Decision: G198, G199, G270.
        """
        run = self._run(caller, run_id, only_cleaning)
        if run.status is not RunStatus.COMPLETED:
            raise NotCompleted
        chosen = self._chosen(run, sample_ids)
        storage = self.facility.storage()
        if storage.data_base_path is None:
            raise NoBasePath
        drafts = Path(storage.data_base_path) / "orders" / str(run.order_id) / f"{DRAFTS}{run.id}"
        with only_worker_in(drafts):
            chosen = self._chosen(run, sample_ids)
            sources = {item.id: _sources(run, item, Path(storage.data_base_path)) for item in chosen}
            copies = copy_all([source for files in sources.values() for source in files], drafts, storage)
            try:
                return named_by_rows(copies, lambda: self._make_reads(caller, run, chosen, sources, copies))
            except _Lost:
                raise NothingToPromote from None

    def sweep_drafts(self, now: datetime) -> bool:
        """Remove what killed promotions left behind; False, for none of it is urgent. Decision: G379."""
        base = self.facility.storage().data_base_path
        if base is not None and self.walks.first_seen("promotions", now):
            for drafts in Path(base).glob(f"orders/*/{DRAFTS}*/"):
                with suppress(BlockingIOError), only_worker_in(drafts, waits=False):
                    pass
        return False

    def _run(self, caller: FacilityAdmin, run_id: str, only_cleaning: bool) -> PipelineRun:
        run = store.find_run(caller, run_id)
        if run is None:
            raise CandidatesRunNotFound
        if run.order_id is None:
            raise NotOrderScoped
        if only_cleaning:
            package = self.pipelines.version(run.pipeline_id, run.pipeline_version)
            if package is None or not package.manifest.read_cleaning:
                raise NotReadCleaning
        return run

    def _chosen(self, run: PipelineRun, sample_ids: Sequence[str] | None) -> list[PipelineArtifact]:
        """Choose the open candidates, one per sample; ids and codes both name a sample.

        Decision: G4, G198.
        """
        chosen: dict[str, PipelineArtifact] = {}
        for candidate in store.list_candidates(run.id):
            sample = store.sample_of_candidate(candidate)
            named = sample_ids is None or sample.id in sample_ids or sample.sample_code in sample_ids
            if named and candidate.candidate_status is CandidateStatus.CANDIDATE:
                chosen.setdefault(sample.id, candidate)
        if not chosen:
            raise NothingToPromote
        return list(chosen.values())

    def _make_reads(
        self,
        caller: LiveFacilityAdmin,
        run: PipelineRun,
        chosen: list[PipelineArtifact],
        sources: dict[str, list[Source]],
        copies: Copies,
    ) -> list[str]:
        now, read_ids = self.clock.now(), []
        with database.atomic():
            for candidate in chosen:
                if not store.claim_promotion(candidate.id, now):
                    raise _Lost
                values: dict[str, object] = {
                    "data_class": _unprotected(candidate.target_data_class),
                    "source": ReadSource.PIPELINE,
                    "pipeline_run": run.id,
                }
                values |= columns_of(sources[candidate.id], copies)
                read = add_read(str(candidate.sample_id), values, now)
                if self.facility.uploads().verify_in_background:
                    queue_examination(read.id, now)
                store.name_promoted_read(candidate.id, read.id)
                read_ids.append(read.id)
            audit.record(caller, AuditAction.READS_PROMOTED, "pipeline-run", run.id, now, readIds=read_ids)
        return read_ids


def _unprotected(data_class: DataClass | None) -> DataClass:
    """A candidate never takes a protected class. Spec: instance, Read candidates."""
    if data_class is not DataClass.CLEANED:
        raise AssertionError(data_class)
    return data_class


def _sources(run: PipelineRun, candidate: PipelineArtifact, base: Path) -> list[Source]:
    """Name the files of a candidate and their places; raises the errors of `source_of`. Decision: G199."""
    code = store.sample_of_candidate(candidate).sample_code
    sources = []
    # The size is recorded of the first file alone.
    for mate, path, size in (
        (Mate.R1, candidate.file1, candidate.size),
        (Mate.R2, candidate.file2, None),
    ):
        if path is not None:
            part, name = part_of(run, base, path, size), PurePosixPath(path).name
            sources.append(source_of(run, base, mate, code, name, [part]))
    return sources
