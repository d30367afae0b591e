"""Remembers what happened a moment ago, so that it is not done again at once."""

import threading
from collections import OrderedDict
from datetime import datetime, timedelta

MOST_KEYS = 10_000


class Recently:
    """A bounded memory of this process; another process has its own."""

    def __init__(self, remembered: timedelta) -> None:
        self._remembered = remembered
        self._lock = threading.Lock()
        self._seen: OrderedDict[str, datetime] = OrderedDict()

    def is_new(self, key: str, now: datetime) -> bool:
        """Tell whether `key` was not seen within the time, and remember it."""
        with self._lock:
            before = self._seen.get(key)
            if before is not None and now - before < self._remembered:
                return False
            self._seen[key] = now
            self._seen.move_to_end(key)
            while len(self._seen) > MOST_KEYS:
                self._seen.popitem(last=False)
            return True
