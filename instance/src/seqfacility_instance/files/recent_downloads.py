"""Remembers which downloads were noted a moment ago: a file that is fetched in parts is one download."""

import threading
from collections import OrderedDict
from datetime import datetime, timedelta

REMEMBERED = timedelta(hours=1)
MOST = 10_000


class RecentDownloads:
    """A bounded memory of this process; another process notes the download once more."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seen: OrderedDict[str, datetime] = OrderedDict()

    def is_new(self, key: str, now: datetime) -> bool:
        """Tell whether `key` was not seen within the hour, and remember it. Gap: G22."""
        with self._lock:
            before = self._seen.get(key)
            if before is not None and now - before < REMEMBERED:
                return False
            self._seen[key] = now
            self._seen.move_to_end(key)
            while len(self._seen) > MOST:
                self._seen.popitem(last=False)
            return True
