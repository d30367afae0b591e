"""Reading what a run works on: target, samples, their reads."""

from collections.abc import Collection

from peewee import Field, fn

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.owned_rows import in_reach
from seqfacility_instance.core.vocabulary.pipelines import TargetType
from seqfacility_instance.runs.rules.requests import Target
from seqfacility_instance.tables.orders import Order, Sample
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.sequencing import Read
from seqfacility_instance.tables.studies import Study


def target_of(run: PipelineRun) -> Target:
    """Name the target of a run. Decision: G146."""
    return Target(run.target_type, run.order_id or run.study_id or "")


def target_exists(caller: SignedIn, target: Target) -> bool:
    """Return whether the target is in the caller's reach. Decision: G148, G283."""
    if target.type is TargetType.ORDER:
        orders = Order.select().where((Order.id == target.id) & in_reach(caller, Order.user))
        return bool(orders.exists())
    studies = Study.select().where((Study.id == target.id) & in_reach(caller, Study.user))
    return bool(studies.exists())


def codes_of_target(target: Target) -> dict[str, str]:
    """Return the sample codes of a target by sample id, oldest first."""
    rows = Sample.select(Sample.id, Sample.sample_code).where(_target_column(target) == target.id)
    return {row.id: row.sample_code for row in rows.order_by(Sample.created_at, Sample.id)}


def find_study(study_id: str) -> Study | None:
    """Read the study of a run."""
    return Study.get_or_none(Study.id == study_id)


def list_samples(target: Target, sample_ids: Collection[str] | None) -> list[Sample]:
    """List the samples of a target by code, each with its order; `sample_ids` None means all."""
    query = Sample.select(Sample, Order).join(Order).where(_target_column(target) == target.id)
    if sample_ids is not None:
        query = query.where(Sample.id.in_(list(sample_ids)))
    return list(query.order_by(Sample.sample_code))


def active_reads(sample_ids: Collection[str]) -> dict[str, Read]:
    """Read the active reads of samples, by sample id. Decision: G109."""
    query = Read.select().where(Read.sample.in_(list(sample_ids)) & Read.is_active)
    return {read.sample_id: read for read in query}


def reads_size(target: Target, sample_ids: Collection[str] | None) -> int:
    """Return how many bytes the active reads of samples have, as far as that was recorded; None means all."""
    size = fn.COALESCE(Read.size1, 0) + fn.COALESCE(Read.size2, 0)
    query = Read.select(fn.SUM(size)).join(Sample, on=Read.sample)
    query = query.where((_target_column(target) == target.id) & Read.is_active)
    if sample_ids is not None:
        query = query.where(Sample.id.in_(list(sample_ids)))
    return int(query.scalar() or 0)


def owner_of_target(run: PipelineRun) -> str | None:
    """Return the owner of a run's target; None when it has none."""
    if run.order_id is not None:
        order = Order.get_or_none(Order.id == run.order_id)
        return None if order is None else order.user_id
    study = None if run.study_id is None else find_study(run.study_id)
    return None if study is None else study.user_id


def _target_column(target: Target) -> Field:
    column: Field = Sample.order if target.type is TargetType.ORDER else Sample.study
    return column
