"""The run list: one page, its total, and what its rows show, in a fixed number of queries."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from peewee import JOIN, SQL, Expression, fn

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.owned_rows import in_reach, in_the_demo, sees_nearly_all
from seqfacility_instance.core.vocabulary.pipelines import CandidateStatus, RunStatus
from seqfacility_instance.tables.orders import Order
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.results import Assembly, Bin, PipelineArtifact, PipelineResultSelection
from seqfacility_instance.tables.studies import Study


@dataclass(frozen=True, slots=True)
class RunFilter:
    """What a caller wants to see of the list. Spec: instance, Pipeline runs. Decision: G157."""

    pipeline_id: str | None = None
    pipeline_version: str | None = None
    statuses: Sequence[RunStatus] | None = None
    study_id: str | None = None
    order_id: str | None = None
    selected_only: bool = False
    text: str | None = None


@dataclass(frozen=True, slots=True)
class RunExtras:
    """What belongs to the runs of a page, by run id."""

    counts: dict[str, tuple[int, int, int]]
    candidates: dict[str, dict[CandidateStatus, int]]
    artifacts: dict[str, list[PipelineArtifact]]
    selections: dict[str, PipelineResultSelection]


def list_runs(caller: SignedIn, wanted: RunFilter, limit: int, offset: int) -> tuple[list[PipelineRun], int]:
    """Return a page of runs with target and user, newest first, and how many there are in all.

    Ids and total come out of an index alone; the rows of the page are read afterwards, so a far page and
    many runs cost little more than the first page of a few.

    Spec: instance, Pipeline runs. Decision: G157, G346.
    """
    filters, has_demo = _filters(wanted), sees_nearly_all(caller) and _has_demo_runs()
    ids = PipelineRun.select(PipelineRun.id).where(*_visible(caller, has_demo=has_demo), *filters)
    total = _count(*filters) if sees_nearly_all(caller) else _count(*_visible(caller), *filters)
    if has_demo:
        total -= _count(in_the_demo(PipelineRun.user), *filters)
    page = ids.order_by(PipelineRun.created_at.desc(), PipelineRun.id.desc()).limit(limit).offset(offset)
    rows = (
        PipelineRun.select(PipelineRun, Order, Study, User)
        .join(Order, JOIN.LEFT_OUTER, on=PipelineRun.order)
        .switch(PipelineRun)
        .join(Study, JOIN.LEFT_OUTER, on=PipelineRun.study)
        .switch(PipelineRun)
        .join(User, on=PipelineRun.user)
        .where(PipelineRun.id.in_([row.id for row in page]))
        .order_by(PipelineRun.created_at.desc(), PipelineRun.id.desc())
    )
    if caller.is_admin:
        return list(rows), total
    own = [row for row in rows if _owner(row) == caller.user_id]
    return own, total if len(own) == len(rows) else _count_own(caller, filters)


def _owner(run: PipelineRun) -> str | None:
    if run.order is not None:
        return run.order.user_id
    return None if run.study is None else run.study.user_id


def extras_of(run_ids: Sequence[str]) -> RunExtras:
    """Read what a page of runs shows beside its rows. Decision: G158, G159."""
    return RunExtras(_counts(run_ids), _candidates(run_ids), _artifacts(run_ids), _selections(run_ids))


def _visible(caller: SignedIn, *, has_demo: bool = True) -> list[Expression]:
    """Return which runs a caller sees: an admin all in reach, a researcher the selected ones of own targets.

    `visible_to` finds a researcher's runs by an index. A target can change hands, and until the monitor has
    noticed it still names the former owner: whoever shows rows compares the owner as well. That no run of
    the demo is among the ids is said by ids, which every index has.

    Decision: G157, G163, G283.
    """
    if not caller.is_admin:
        return [PipelineRun.visible_to == caller.user_id]
    if not sees_nearly_all(caller):
        return [in_reach(caller, PipelineRun.user)]
    demo_runs = PipelineRun.alias()
    return [
        PipelineRun.id.not_in(demo_runs.select(demo_runs.id).where(in_the_demo(demo_runs.user)))
        if has_demo
        else PipelineRun.id.is_null(False)
    ]


def _filters(wanted: RunFilter) -> list[Expression]:
    chosen: list[Expression] = []
    if wanted.selected_only:
        chosen.append(PipelineRun.visible_to.is_null(False))
    if wanted.pipeline_id is not None:
        chosen.append(PipelineRun.pipeline_id == wanted.pipeline_id)
    if wanted.pipeline_version is not None:
        chosen.append(PipelineRun.pipeline_version == wanted.pipeline_version)
    if wanted.statuses is not None:
        chosen.append(PipelineRun.status.in_(list(wanted.statuses)))
    if wanted.study_id is not None:
        chosen.append(PipelineRun.study == wanted.study_id)
    if wanted.order_id is not None:
        chosen.append(PipelineRun.order == wanted.order_id)
    if wanted.text is not None:
        chosen.append(_named(wanted.text))
    return chosen


def _named(text: str) -> Expression:
    """Return the condition that a run is called so: by its number, its order or its study. Decision: G725."""
    named_orders = Order.order_number.contains(text) | Order.name.contains(text)
    return (
        PipelineRun.run_number.contains(text)
        | PipelineRun.order.in_(Order.select(Order.id).where(named_orders))
        | PipelineRun.study.in_(Study.select(Study.id).where(Study.title.contains(text)))
    )


def _count(*conditions: Expression) -> int:
    query = PipelineRun.select(fn.COUNT(SQL("*")))
    return int((query.where(*conditions) if conditions else query).scalar() or 0)


def _count_own(caller: SignedIn, filters: list[Expression]) -> int:
    """Count while a target has changed hands and the monitor has not noticed yet."""
    query = (
        PipelineRun.select(fn.COUNT(PipelineRun.id))
        .join(Order, JOIN.LEFT_OUTER, on=PipelineRun.order)
        .switch(PipelineRun)
        .join(Study, JOIN.LEFT_OUTER, on=PipelineRun.study)
        .where(*_visible(caller), fn.COALESCE(Order.user, Study.user) == caller.user_id, *filters)
    )
    return int(query.scalar() or 0)


def _has_demo_runs() -> bool:
    """Return whether anybody in the demo has runs; on most instances nobody has."""
    return PipelineRun.select(PipelineRun.id).where(in_the_demo(PipelineRun.user)).exists()


def _counts(run_ids: Sequence[str]) -> dict[str, tuple[int, int, int]]:
    """Count assemblies, bins and artifacts of runs."""
    counted: list[dict[str, int]] = []
    for run in (Assembly.created_by_pipeline_run, Bin.created_by_pipeline_run, PipelineArtifact.pipeline_run):
        rows = run.model.select(run, fn.COUNT(SQL("*"))).where(run.in_(list(run_ids))).group_by(run).tuples()
        counted.append({run_id: int(count) for run_id, count in rows})
    assemblies, bins, artifacts = counted
    return {
        run_id: (assemblies.get(run_id, 0), bins.get(run_id, 0), artifacts.get(run_id, 0))
        for run_id in run_ids
    }


def _candidates(run_ids: Sequence[str]) -> dict[str, dict[CandidateStatus, int]]:
    """Count the samples of runs that have read candidates, by their status. Decision: G771."""
    status, run = PipelineArtifact.candidate_status, PipelineArtifact.pipeline_run
    rows = (
        PipelineArtifact.select(run, status, fn.COUNT(PipelineArtifact.sample.distinct()))
        .where(run.in_(list(run_ids)) & status.is_null(False))
        .group_by(run, status)
        .tuples()
    )
    found = cast("Iterable[tuple[str, str, int]]", rows)
    counted = {(run_id, CandidateStatus(word)): number for run_id, word, number in found}
    return {
        run_id: {word: counted.get((run_id, word), 0) for word in CandidateStatus}
        for run_id in {run_id for run_id, _ in counted}
    }


def _artifacts(run_ids: Sequence[str]) -> dict[str, list[PipelineArtifact]]:
    """Read the artifacts of whole runs, those of single samples left out, in manifest order.

    Decision: G159.
    """
    by_run: dict[str, list[PipelineArtifact]] = {run_id: [] for run_id in run_ids}
    # HAZARD: a plain IS NULL lets SQLite walk all artifacts without a sample, of all runs there are.
    has_no_sample = fn.COALESCE(PipelineArtifact.sample, "") == ""
    query = (
        PipelineArtifact.select()
        .where(PipelineArtifact.pipeline_run.in_(list(run_ids)) & has_no_sample)
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
