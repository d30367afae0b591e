"""What the background worker does in a tick: the sweeps, then every job that is due, with sweeps between."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from seqfacility_instance.background import queue
from seqfacility_instance.background.renewal import renewed
from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.tables.errors import OncePerReason, is_busy, is_unavailable
from seqfacility_instance.tables.site import BackgroundJob

_log = logging.getLogger("seqfacility.worker")
_sweeps_log = logging.getLogger("seqfacility.worker.sweeps")
_sweeps_log.addFilter(OncePerReason())

Work = Callable[[Mapping[str, object]], None]
"""Does the work that a payload describes; repeatable, because a worker may die in the middle."""

Sweep = Callable[[datetime], bool]
"""Tidies something up; True when there was anything to do."""


SWEPT_EVERY = timedelta(seconds=10)
"""How long short jobs one after the other may take before the sweeps have their turn."""


@dataclass(frozen=True, slots=True)
class Worker:
    """Does queued work by kind, and the sweeps that need no queue. Decision: G262, G264."""

    holder: str
    works: Mapping[str, Work]
    sweeps: Sequence[Sweep]
    clock: Clock
    beat: Callable[[datetime], None] = lambda _now: None
    """Notes that this process is alive, also in the middle of a long job. Decision: G49."""

    renewed_every_seconds: float = limits.JOB_RENEWED_EVERY.total_seconds()

    def tick(self, now: datetime) -> bool:
        """Run everything that is due; return True when anything was. Many jobs delay no sweep.

        Decision: G436.
        """
        did_work = self._sweep(now)
        while self.do_next_job():
            did_work = True
            if self.clock.now() - now >= SWEPT_EVERY:
                now = self.clock.now()
                self.beat(now)
                self._sweep(now)
        return did_work

    def _sweep(self, now: datetime) -> bool:
        """Run every sweep; one that fails is logged and keeps no other waiting, nor the jobs.

        Raises what means that the database is busy or away: nothing else would go better.

        Decision: G833.
        """
        did_work = False
        for sweep in self.sweeps:
            try:
                did_work = sweep(now) or did_work
            except Exception as failed:
                if is_busy(failed) or is_unavailable(failed):
                    raise
                _sweeps_log.exception("a sweep failed: %s", getattr(sweep, "__qualname__", sweep))
        return did_work

    def do_next_job(self) -> bool:
        """Run one due job; return False without one. A failing job is recorded and tried again later."""
        job = queue.claim_next(self.holder, sorted(self.works), self.clock.now())
        if job is None:
            return False
        try:
            with renewed(lambda: self._renew(job), self.renewed_every_seconds):
                self.works[job.kind](job.payload)
        except queue.JobRefused as refused:
            queue.fail_permanently(job, self.holder, str(refused), self.clock.now())
        except Exception as error:
            _log.exception("job %s of kind %s failed", job.id, job.kind)
            queue.fail(job, self.holder, f"{type(error).__name__}: {error}", self.clock.now())
        else:
            queue.finish(job.id, self.holder, self.clock.now())
        return True

    def _renew(self, job: BackgroundJob) -> bool:
        now = self.clock.now()
        self.beat(now)
        return queue.renew(job.id, self.holder, now)
