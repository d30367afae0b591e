"""Which run counts for a pipeline and a target, and who may see it because of that."""

from datetime import datetime

from peewee import fn

from seqfacility_instance.core.vocabulary.pipelines import RunStatus
from seqfacility_instance.tables.orders import Order
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.results import PipelineResultSelection
from seqfacility_instance.tables.studies import Study


def find_of_run(run_id: str) -> PipelineResultSelection | None:
    """Read the selection that names a run, with its user."""
    found: PipelineResultSelection | None = (
        PipelineResultSelection.select(PipelineResultSelection, User)
        .join(User, on=PipelineResultSelection.selected_by)
        .where(PipelineResultSelection.selected_run == run_id)
        .first()
    )
    return found


def claim_visible(run_id: str, owner_id: str | None, now: datetime) -> bool:
    """Show a completed run to the owner of its target; False when it is not completed. Decision: G166."""
    changed: int = (
        PipelineRun.update(visible_to=owner_id, updated_at=now)
        .where((PipelineRun.id == run_id) & (PipelineRun.status == RunStatus.COMPLETED))
        .execute()
    )
    return changed == 1


def hide(run_id: str) -> None:
    """Hide a run from the owner of its target again."""
    PipelineRun.update(visible_to=None).where(PipelineRun.id == run_id).execute()


def hide_others(run: PipelineRun) -> None:
    """Hide every other run of the same pipeline and target."""
    PipelineRun.update(visible_to=None).where(
        (PipelineRun.pipeline_id == run.pipeline_id)
        & (PipelineRun.order == run.order_id if run.order_id else PipelineRun.study == run.study_id)
        & (PipelineRun.id != run.id)
        & PipelineRun.visible_to.is_null(False)
    ).execute()


def save(run: PipelineRun, target_key: str, user_id: str, now: datetime) -> None:
    """Make a run the selection of its pipeline and target, in the place of any other. Decision: G166."""
    values = {"selected_run": run.id, "selected_by": user_id, "selected_at": now}
    PipelineResultSelection.insert(
        pipeline_id=run.pipeline_id,
        target_key=target_key,
        study=run.study_id,
        order=run.order_id,
        **values,
    ).on_conflict(
        conflict_target=[PipelineResultSelection.pipeline_id, PipelineResultSelection.target_key],
        update=values,
    ).execute()


def claim_cleared(run_id: str) -> bool:
    """Remove the selection that names a run; False when none does. Spec: instance, Result selection."""
    removed: int = (
        PipelineResultSelection.delete().where(PipelineResultSelection.selected_run == run_id).execute()
    )
    return removed == 1


def repair_visibility() -> int:
    """Show selected runs to those who own their targets now; return how many were wrong.

    Orders and studies can change hands, and their slices know nothing of runs.
    """
    order_owner = Order.select(Order.user).where(Order.id == PipelineRun.order)
    study_owner = Study.select(Study.user).where(Study.id == PipelineRun.study)
    owner = fn.COALESCE(order_owner, study_owner)
    selected = PipelineResultSelection.select(PipelineResultSelection.selected_run)
    repaired: int = (
        PipelineRun.update(visible_to=owner)
        .where(
            PipelineRun.id.in_(selected)
            & (PipelineRun.visible_to.is_null() | (PipelineRun.visible_to != owner))
        )
        .execute()
    )
    return repaired
