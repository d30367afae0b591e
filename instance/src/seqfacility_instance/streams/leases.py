"""Leases of stream runs: one monitor at a time, and at once another one when it died."""

from datetime import datetime

from seqfacility_instance.core import limits
from seqfacility_instance.core.process_names import is_dead
from seqfacility_instance.streams.store import runs
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.streams import StreamRun


def take(run: StreamRun, holder: str, now: datetime) -> bool:
    """Take or renew the lease of a run; return False while another monitor has it. Decision: G214, G264."""
    if not is_free(run, holder, now):
        return False
    with database.atomic():
        return runs.claim_lease(run, holder, now)


def is_free(run: StreamRun, holder: str, now: datetime) -> bool:
    """Return whether `holder` may take a run: its lease is free, its own, expired, or of a dead process.

    An end further ahead than any lease was written before a clock was set back.
    """
    if run.lease_holder is None or run.lease_holder == holder or run.leased_until is None:
        return True
    if not now < run.leased_until <= now + 2 * limits.STREAM_LEASE:
        return True
    return is_dead(run.lease_holder)
