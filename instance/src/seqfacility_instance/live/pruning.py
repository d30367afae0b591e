"""Keeps the table of changes short."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from seqfacility_instance.core.seen_keys import SeenKeys
from seqfacility_instance.live import store

PRUNED_EVERY: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Pruning:
    """A sweep of the background worker."""

    seen: SeenKeys

    def sweep(self, now: datetime) -> bool:
        """Remove changes that nobody will be told of; True when there were any. Decision: G558."""
        return self.seen.first_seen("live", now) and store.prune(now)
