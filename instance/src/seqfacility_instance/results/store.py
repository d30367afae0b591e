"""Queries on what runs leave behind, and the only writes to those tables."""

from collections.abc import Collection, Iterable
from datetime import datetime

from peewee import JOIN, fn

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.owned_rows import in_reach
from seqfacility_instance.core.vocabulary.pipelines import CandidateStatus, PipelineArtifactType
from seqfacility_instance.tables.orders import Order, Sample
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.results import Assembly, Bin, PipelineArtifact
from seqfacility_instance.tables.sequencing import Read


def find_run(caller: SignedIn, run_id: str) -> PipelineRun | None:
    """Find a run in the caller's reach. Decision: G163, G283."""
    return PipelineRun.get_or_none((PipelineRun.id == run_id) & in_reach(caller, PipelineRun.user))


def find_run_by_id(run_id: str) -> PipelineRun | None:
    """Find a run for work that was asked for before, by somebody who had it in reach."""
    return PipelineRun.get_or_none(PipelineRun.id == run_id)


def samples_of(run: PipelineRun) -> list[Sample]:
    """List the samples of a run by code, each with its order: its selection, else all of its target."""
    query = Sample.select(Sample, Order).join(Order)
    if run.input_sample_ids:
        query = query.where(Sample.id.in_(run.input_sample_ids))
    elif run.order_id is not None:
        query = query.where(Sample.order == run.order_id)
    else:
        query = query.where(Sample.study == run.study_id)
    return list(query.order_by(Sample.sample_code))


def find_active_reads(sample_ids: Collection[str]) -> dict[str, Read]:
    """Read the active reads of samples, by sample id. Decision: G109."""
    query = Read.select().where(Read.sample.in_(list(sample_ids)) & Read.is_active)
    return {read.sample_id: read for read in query}


def add_assembly(values: dict[str, object]) -> bool:
    """Record an assembly; False when this run recorded the same file of the sample before. Decision: G192."""
    made: int = Assembly.insert(**values).on_conflict_ignore().as_rowcount().execute()
    return made == 1


def save_bin(values: dict[str, object]) -> bool:
    """Record a bin; one that is recorded gets its grades anew, and the answer is False. Decision: G192."""
    made: int = Bin.insert(**values).on_conflict_ignore().as_rowcount().execute()
    if made == 0:
        grades = {name: values[name] for name in ("completeness", "contamination", "size")}
        Bin.update(**grades).where(
            (Bin.sample == values["sample"])
            & (Bin.created_by_pipeline_run == values["created_by_pipeline_run"])
            & (Bin.bin_file == values["bin_file"])
        ).execute()
    return made == 1


def save_artifact(values: dict[str, object]) -> bool:
    """Record an artifact; one that is recorded gets its size anew, and the answer is False.

    Decision: G192.
    """
    made: int = PipelineArtifact.insert(**values).on_conflict_ignore().as_rowcount().execute()
    if made == 0:
        PipelineArtifact.update(size=values["size"]).where(
            (PipelineArtifact.pipeline_run == values["pipeline_run"])
            & (PipelineArtifact.path == values["path"])
        ).execute()
        _fill_second_mate(values)
    return made == 1


def _fill_second_mate(values: dict[str, object]) -> None:
    """Let a candidate that was recorded without its second mate take the one that came late.

    Decision: G181.
    """
    if values.get("file2") is None:
        return
    PipelineArtifact.update(file2=values["file2"], read_layout=values["read_layout"]).where(
        (PipelineArtifact.pipeline_run == values["pipeline_run"])
        & (PipelineArtifact.path == values["path"])
        & (PipelineArtifact.candidate_status == CandidateStatus.CANDIDATE)
        & PipelineArtifact.file2.is_null()
    ).execute()


def list_candidates(run_id: str) -> list[PipelineArtifact]:
    """List the read candidates of a run by sample code, promoted ones too. Decision: G196."""
    return list(
        PipelineArtifact.select(PipelineArtifact, Sample)
        .join(Sample, JOIN.INNER)
        .where((PipelineArtifact.pipeline_run == run_id) & PipelineArtifact.candidate_status.is_null(False))
        .order_by(Sample.sample_code, PipelineArtifact.output_position, PipelineArtifact.id)
    )


def sample_of_candidate(candidate: PipelineArtifact) -> Sample:
    """Return the sample of a candidate that was read with it."""
    sample = candidate.sample
    assert sample is not None, candidate.id
    return sample


def list_reports(run_id: str) -> list[PipelineArtifact]:
    """List the reports on a run as a whole. Decision: G196."""
    return list(
        PipelineArtifact.select()
        .where(
            (PipelineArtifact.pipeline_run == run_id)
            # HAZARD: a plain IS NULL lets SQLite walk the artifacts without a sample of all runs.
            & (fn.COALESCE(PipelineArtifact.sample, "") == "")
            & (PipelineArtifact.type == PipelineArtifactType.QC_REPORT)
        )
        .order_by(PipelineArtifact.output_position, PipelineArtifact.id)
    )


def list_mates(run_id: str) -> list[PipelineArtifact]:
    """List the files of a run that are mates of its samples, in the order of paths. Decision: G988, G996."""
    return list(
        PipelineArtifact.select()
        .where(
            (PipelineArtifact.pipeline_run == run_id)
            & PipelineArtifact.mate.is_null(False)
            & PipelineArtifact.sample.is_null(False)
        )
        .order_by(PipelineArtifact.path)
    )


def claim_filing(artifact_ids: Collection[str], now: datetime) -> bool:
    """Note that the files of a sample are filed; False when one of them is a read's. Decision: G989, G996."""
    changed: int = (
        PipelineArtifact.update(promoted_at=now)
        .where(PipelineArtifact.id.in_(list(artifact_ids)) & PipelineArtifact.promoted_read.is_null())
        .execute()
    )
    return changed == len(artifact_ids)


def claim_promotion(artifact_id: str, now: datetime) -> bool:
    """Move a candidate to promoted; False when another request did. Decision: G199."""
    changed: int = (
        PipelineArtifact.update(candidate_status=CandidateStatus.PROMOTED, promoted_at=now)
        .where(
            (PipelineArtifact.id == artifact_id)
            & (PipelineArtifact.candidate_status == CandidateStatus.CANDIDATE)
        )
        .execute()
    )
    return changed == 1


def name_promoted_read(artifact_id: str, read_id: str) -> None:
    """Note which read a candidate has become. Decision: G199."""
    PipelineArtifact.update(promoted_read=read_id).where(PipelineArtifact.id == artifact_id).execute()


def has_promoted(run_id: str) -> bool:
    """Return whether files of a run have become reads, as candidates or filed. Decision: G710, G989."""
    is_promoted = PipelineArtifact.promoted_at.is_null(False)
    found = PipelineArtifact.select(PipelineArtifact.id)
    return bool(found.where((PipelineArtifact.pipeline_run == run_id) & is_promoted).exists())


def forget_outputs(run_id: str) -> None:
    """Forget what was found of a run that goes on: it is looked for again at its end. Decision: G711."""
    for run in (PipelineArtifact.pipeline_run, Assembly.created_by_pipeline_run, Bin.created_by_pipeline_run):
        run.model.delete().where(run == run_id).execute()


def list_run_artifacts(run_ids: Iterable[str]) -> list[PipelineArtifact]:
    """List the artifacts of runs, in manifest order. Decision: G159."""
    return list(
        PipelineArtifact.select()
        .where(PipelineArtifact.pipeline_run.in_(list(run_ids)))
        .order_by(PipelineArtifact.pipeline_run, PipelineArtifact.output_position, PipelineArtifact.path)
    )


def list_assemblies(run_id: str) -> list[Assembly]:
    """List the assemblies that a run made."""
    return list(
        Assembly.select()
        .where(Assembly.created_by_pipeline_run == run_id)
        .order_by(Assembly.assembly_name, Assembly.id)
    )


def list_bins(run_id: str) -> list[Bin]:
    """List the bins that a run made."""
    return list(Bin.select().where(Bin.created_by_pipeline_run == run_id).order_by(Bin.bin_name, Bin.id))
