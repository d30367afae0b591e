"""A memory of recently seen keys, so that work for them is not repeated at once."""

import threading
from collections import OrderedDict
from datetime import datetime, timedelta

MAX_KEYS = 10_000


class SeenKeys:
    """A bounded memory of this process; another process has its own."""

    def __init__(self, remembered: timedelta) -> None:
        self._remembered = remembered
        self._lock = threading.Lock()
        self._seen: OrderedDict[str, datetime] = OrderedDict()

    def first_seen(self, key: str, now: datetime) -> bool:
        """Return whether `key` was not seen within the time, and remember it."""
        with self._lock:
            before = self._seen.get(key)
            if before is not None and now - before < self._remembered:
                return False
            self._seen[key] = now
            self._seen.move_to_end(key)
            while len(self._seen) > MAX_KEYS:
                self._seen.popitem(last=False)
            return True
