"""The run list: one page, its total, and what its rows show, in a fixed number of queries."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from peewee import JOIN, Expression, ModelSelect, fn

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.owned_rows import in_reach
from seqfacility_instance.core.vocabulary import RunStatus
from seqfacility_instance.tables import (
    Assembly,
    Bin,
    Order,
    PipelineArtifact,
    PipelineResultSelection,
    PipelineRun,
    Study,
    User,
)


@dataclass(frozen=True, slots=True)
class RunFilter:
    """What a caller wants to see of the list. Spec: instance, Pipeline runs. Gap: G157."""

    pipeline_id: str | None = None
    statuses: Sequence[RunStatus] | None = None
    study_id: str | None = None
    order_id: str | None = None
    selected_only: bool = False


@dataclass(frozen=True, slots=True)
class RunExtras:
    """What belongs to the runs of a page, by run id."""

    counts: dict[str, tuple[int, int, int]]
    artifacts: dict[str, list[PipelineArtifact]]
    selections: dict[str, PipelineResultSelection]


def list_runs(caller: SignedIn, wanted: RunFilter, limit: int, offset: int) -> tuple[list[PipelineRun], int]:
    """Give a page of runs with target and user, newest first, and how many there are in all.

    The page's ids come out of an index alone; their rows are read afterwards, so a far page costs little
    more than the first.

    Spec: instance, Pipeline runs. Gap: G157.
    """
    condition = _condition(caller, wanted)
    if caller.is_admin:
        ids = PipelineRun.select(PipelineRun.id).where(condition)
    else:
        ids = _with_targets(PipelineRun.select(PipelineRun.id)).where(condition)
    total = ids.count()
    page = ids.order_by(PipelineRun.created_at.desc(), PipelineRun.id.desc()).limit(limit).offset(offset)
    wanted_ids = [row.id for row in page]
    rows = (
        _with_targets(PipelineRun.select(PipelineRun, Order, Study, User))
        .switch(PipelineRun)
        .join(User, on=PipelineRun.user)
        .where(PipelineRun.id.in_(wanted_ids))
        .order_by(PipelineRun.created_at.desc(), PipelineRun.id.desc())
    )
    return list(rows), total


def extras_of(run_ids: Sequence[str]) -> RunExtras:
    """Read what a page of runs shows beside its rows. Gap: G158, G159."""
    return RunExtras(_counts(run_ids), _artifacts(run_ids), _selections(run_ids))


def _with_targets(query: "ModelSelect[PipelineRun]") -> "ModelSelect[PipelineRun]":
    return (
        query.join(Order, JOIN.LEFT_OUTER, on=PipelineRun.order)
        .switch(PipelineRun)
        .join(Study, JOIN.LEFT_OUTER, on=PipelineRun.study)
    )


def _condition(caller: SignedIn, wanted: RunFilter) -> Expression:
    """Say which runs a caller sees: an admin all in reach, a researcher the selected ones of own targets.

    `visible_to` finds a researcher's runs without a join; the owner is compared as well, since a target
    can change hands. Gap: G157, G163.
    """
    if caller.is_admin:
        condition = in_reach(caller, PipelineRun.user)
        if wanted.selected_only:
            condition &= PipelineRun.visible_to.is_null(False)
    else:
        owner = fn.COALESCE(Order.user, Study.user)
        condition = (PipelineRun.visible_to == caller.user_id) & (owner == caller.user_id)
    if wanted.pipeline_id is not None:
        condition &= PipelineRun.pipeline_id == wanted.pipeline_id
    if wanted.statuses is not None:
        condition &= PipelineRun.status.in_(list(wanted.statuses))
    if wanted.study_id is not None:
        condition &= PipelineRun.study == wanted.study_id
    if wanted.order_id is not None:
        condition &= PipelineRun.order == wanted.order_id
    return condition


def _counts(run_ids: Sequence[str]) -> dict[str, tuple[int, int, int]]:
    assemblies = _count_by_run(
        Assembly.select(Assembly.created_by_pipeline_run, fn.COUNT(Assembly.id))
        .where(Assembly.created_by_pipeline_run.in_(list(run_ids)))
        .group_by(Assembly.created_by_pipeline_run)
        .tuples()
    )
    bins = _count_by_run(
        Bin.select(Bin.created_by_pipeline_run, fn.COUNT(Bin.id))
        .where(Bin.created_by_pipeline_run.in_(list(run_ids)))
        .group_by(Bin.created_by_pipeline_run)
        .tuples()
    )
    artifacts = _count_by_run(
        PipelineArtifact.select(PipelineArtifact.pipeline_run, fn.COUNT(PipelineArtifact.id))
        .where(PipelineArtifact.pipeline_run.in_(list(run_ids)))
        .group_by(PipelineArtifact.pipeline_run)
        .tuples()
    )
    return {
        run_id: (assemblies.get(run_id, 0), bins.get(run_id, 0), artifacts.get(run_id, 0))
        for run_id in run_ids
    }


def _count_by_run(rows: Iterable[object]) -> dict[str, int]:
    counted = {}
    for row in rows:
        assert isinstance(row, tuple)
        counted[str(row[0])] = int(row[1])
    return counted


def _artifacts(run_ids: Sequence[str]) -> dict[str, list[PipelineArtifact]]:
    """Read the artifacts of whole runs, those of single samples left out, in manifest order. Gap: G159."""
    by_run: dict[str, list[PipelineArtifact]] = {run_id: [] for run_id in run_ids}
    query = (
        PipelineArtifact.select()
        .where(PipelineArtifact.pipeline_run.in_(list(run_ids)) & PipelineArtifact.sample.is_null())
        .order_by(PipelineArtifact.output_position, PipelineArtifact.path, PipelineArtifact.id)
    )
    for artifact in query:
        by_run[str(artifact.pipeline_run_id)].append(artifact)
    return by_run


def _selections(run_ids: Sequence[str]) -> dict[str, PipelineResultSelection]:
    query = (
        PipelineResultSelection.select(PipelineResultSelection, User)
        .join(User, on=PipelineResultSelection.selected_by)
        .where(PipelineResultSelection.selected_run.in_(list(run_ids)))
    )
    return {selection.selected_run_id: selection for selection in query}
