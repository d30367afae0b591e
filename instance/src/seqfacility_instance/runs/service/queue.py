"""Who gets the room of this machine: one run after the other, in the order in which they were started.

A scheduler has a queue of its own; this one is for executors without. It is kept in the database: nothing is
lost with a process, and whoever takes room holds the queue while it decides.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from seqfacility_workflow_runtime.executors.contract import Executor, Resources
from seqfacility_workflow_runtime.machine_size import usable_cores, usable_memory_bytes

from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.pipelines import Backend
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.runs.rules.room import Need, Room, fits, room_of, waiting_reason
from seqfacility_instance.runs.service.jobs import Jobs, is_ended
from seqfacility_instance.runs.store import monitors, queue, rows
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.pipelines import PipelineRun

_UNKNOWN_CORES = 4
"""What a run counts that an earlier release launched."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a run waits, and why; position 1 is next."""

    position: int
    reason: str
    since: datetime


@dataclass(frozen=True, slots=True)
class LocalQueue:
    """Limits what runs of this machine take together. Decision: G716-G719."""

    jobs: Jobs
    executors: Mapping[Backend, Executor]
    facility: FacilitySettings
    clock: Clock
    machine_cores: int = field(default_factory=usable_cores)
    machine_memory_bytes: int = field(default_factory=usable_memory_bytes)

    @property
    def room(self) -> Room:
        """What the runs of this machine may take together."""
        return room_of(self.facility.execution(), self.machine_cores, self.machine_memory_bytes)

    def admit(
        self,
        run_id: str,
        token: str,
        resources: Resources,
        choices: Mapping[str, object],
        prepare: Callable[[datetime], None],
    ) -> Place | None:
        """Claim the launch of a run, or let it wait when it has no room or others wait: first in, first out.

        Nobody passes a run that waits, so the smallest never keep a large one from its turn. `prepare` runs
        in the transaction before the claim, and `choices` are kept for the time when the run is launched.
        Raises `AlreadyStarted`, and what `prepare` raises.

        Decision: G717, G718.
        """
        host, need, room = self.host, Need(resources.cores, resources.memory_gb), self.room
        over, now = self._over(), self.clock.now()
        values = {"queue_host": host, "needed_cores": need.cores, "needed_memory_gb": need.memory_gb}
        with database.atomic():
            queue.hold(host, now)
            prepare(now)
            waiting = [row.id for row in queue.list_waiting(host)]
            before = waiting.index(run_id) if run_id in waiting else len(waiting)
            taken = self._taken(over)
            if not before and fits(need, taken, room):
                if not rows.claim_launch(run_id, token, now, values):
                    raise rows.already_started(run_id)
                return None
            if not queue.claim_place(run_id, {**values, **choices}, now):
                raise rows.already_started(run_id)
            reason = waiting_reason(need, taken, room, before)
            queue.note_place(run_id, before + 1, reason)
        row = rows.find(run_id)
        return Place(
            before + 1, reason, now if row is None or row.waiting_since is None else row.waiting_since
        )

    def next(self) -> PipelineRun | None:
        """Return the run whose turn it is."""
        return next(iter(queue.list_waiting(self.host)), None)

    def note_places(self, held_up: str | None = None) -> bool:
        """Note where each run waits and why; `held_up` says why the first does, if not for room.

        Decision: G719.
        """
        waiting, has_news = queue.list_waiting(self.host), False
        if not waiting:
            return False
        taken, room = self._taken(self._over()), self.room
        for before, run in enumerate(waiting):
            reason = waiting_reason(need_of(run), taken, room, before)
            if held_up is not None and not before:
                reason = held_up
            has_news |= queue.note_place(run.id, before + 1, reason)
        return has_news

    def adopt(self) -> None:
        """Take over the runs that wait for a machine whose monitor has been silent for ten minutes.

        They were never launched, so nothing of them is there. Decision: G719.
        """
        now = self.clock.now()
        for host in queue.hosts_with_waiting():
            seen_at = now if host == self.host else monitors.last_seen(host)
            if seen_at is None or now - seen_at > limits.MACHINE_GIVEN_UP:
                queue.move_waiting(host, self.host)

    @property
    def host(self) -> str:
        """The machine whose queue this is."""
        return self.jobs.machine.host or ""

    def _taken(self, over: set[str]) -> list[Need]:
        return [need_of(run) for run in queue.list_taking(self.host, self._backends) if run.id not in over]

    def _over(self) -> set[str]:
        """Ask which jobs have ended that nobody has noted yet; never inside a transaction."""
        runs = queue.list_taking(self.host, self._backends)
        seen = self.jobs.ask(runs, self.clock.now()) if runs else {}
        return {run_id for run_id, one in seen.items() if is_ended(one.state)}

    @property
    def _backends(self) -> tuple[Backend, ...]:
        return tuple(backend for backend, executor in self.executors.items() if not executor.queues)


def need_of(run: PipelineRun) -> Need:
    """Return what a run of a machine takes there."""
    return Need(run.needed_cores or _UNKNOWN_CORES, run.needed_memory_gb)


def place_of(run: PipelineRun) -> Place | None:
    """Return where a run waits; None of one that does not."""
    if not queue.waits(run) or run.waiting_since is None:
        return None
    return Place(run.queue_position or 1, run.queue_reason or "Is started next", run.waiting_since)
