"""Selecting the run that counts, and taking the selection back."""

from dataclasses import dataclass

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import LiveFacilityAdmin
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.messages import NotificationType
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.core.vocabulary.pipelines import RunStatus
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.notifications.store import notify
from seqfacility_instance.reads import reports
from seqfacility_instance.runs.errors import NoTarget, NotCompleted
from seqfacility_instance.runs.store import rows, selection, targets
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.results import PipelineResultSelection


@dataclass(frozen=True, slots=True)
class RunSelection:
    """Selects final results. Decision: G166."""

    facility: FacilitySettings
    clock: Clock

    def select(self, caller: LiveFacilityAdmin, run_id: str) -> PipelineResultSelection:
        """Make a completed run the final result of its pipeline and target, in the place of any other.

        Raises `RunNotFound`, `NotCompleted` or `NoTarget`. One transaction checks and replaces, so there is
        always at most one selection, and the run that loses it is hidden in the same step.

        Spec: instance, Result selection. Decision: G166, G491.
        """
        run, now = rows.get_for(caller, run_id), self.clock.now()
        if run.status is not RunStatus.COMPLETED:
            raise NotCompleted
        if run.order_id is None and run.study_id is None:
            raise NoTarget
        key = targets.target_of(run).key
        with database.atomic():
            # The upsert comes first: whoever else selects for this target waits for its row, and what is
            # read behind it is what the other has left.
            selection.save(run, key, caller.user_id, now)
            selection.hide_others(run)
            owner_id = targets.owner_of_target(run)
            if not selection.claim_visible(run.id, owner_id, now):
                raise NotCompleted
            audit.record(caller, AuditAction.RUN_SELECTED, "pipeline-run", run.id, now, targetKey=key)
            if run.order_id is not None and self.facility.uploads().verify_in_background:
                reports.queue_examination(run.id, now)
            if owner_id is not None:
                notify(
                    NotificationType.RUN_SELECTED,
                    f"Run {run.run_number}: these results count",
                    owner_id=owner_id,
                    actor_id=caller.user_id,
                    now=now,
                    order_id=run.order_id,
                    pipeline_run_id=run.id,
                )
            selected = selection.find_of_run(run.id)
        assert selected is not None
        return selected

    def clear(self, caller: LiveFacilityAdmin, run_id: str) -> bool:
        """Take back the selection of a run; False when another run, or none, is selected.

        Spec: instance, Result selection. Decision: G166.
        """
        run, now = rows.get_for(caller, run_id), self.clock.now()
        with database.atomic():
            cleared = selection.claim_cleared(run.id)
            if cleared:
                selection.hide(run.id)
                audit.record(caller, AuditAction.RUN_UNSELECTED, "pipeline-run", run.id, now)
        return cleared
