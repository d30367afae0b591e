"""File-system notifications that wake the monitor early; without them it scans by its interval.

The only module that knows pyinotify. What it reports is never believed: it loses events when its queue
overflows, when folders are filled as they are made, and on network mounts.
"""

import logging
import threading
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import pyinotify

_SLICE_SECONDS: Final = 0.2
_GATHER_SECONDS: Final = 0.1
"""Files that are closed at the same time wake once."""

_log = logging.getLogger("seqfacility.streams")


class Waker:
    """Waits for the next scan: until a time has passed, a directory has changed, or a stop.

    A system without inotify, or with too few watches left, only loses the early waking. Decision: G214.
    """

    def __init__(self) -> None:
        self._watches: dict[str, dict[str, int]] = {}
        self._manager: pyinotify.WatchManager | None = None
        self._notifier: pyinotify.Notifier | None = None
        self._is_impossible = False

    def follow(self, directories: Iterable[str]) -> None:
        """Watch exactly these directories and all below them."""
        wanted = set(directories)
        if wanted and self._manager is None and not self._is_impossible:
            self._open()
        if self._manager is None:
            return
        for gone in self._watches.keys() - wanted:
            self._manager.rm_watch(list(self._watches.pop(gone).values()), quiet=True)
        for directory in wanted - self._watches.keys():
            self._watches[directory] = self._add(directory)

    def wait(self, seconds: float, stop: threading.Event) -> None:
        if self._notifier is None or not self._watches:
            stop.wait(seconds)
            return
        deadline = time.monotonic() + seconds
        while not stop.is_set() and (left := deadline - time.monotonic()) > 0:
            if self._notifier.check_events(timeout=int(min(left, _SLICE_SECONDS) * 1000)):
                stop.wait(min(left, _GATHER_SECONDS))
                self._notifier.read_events()
                self._notifier.process_events()
                return

    def close(self) -> None:
        if self._notifier is not None:
            self._notifier.stop()
            self._notifier = self._manager = None
            self._watches.clear()

    def _open(self) -> None:
        try:
            import pyinotify

            # Its own log handler would write beside ours.
            pyinotify.log.setLevel(logging.CRITICAL)
            self._manager = pyinotify.WatchManager()
            self._notifier = pyinotify.Notifier(self._manager, lambda _event: None, timeout=0)
        except (ImportError, OSError) as impossible:
            _log.warning("no file-system notifications, the monitor only scans: %s", impossible)
            self._is_impossible = True

    def _add(self, directory: str) -> dict[str, int]:
        import pyinotify

        assert self._manager is not None
        interesting = (
            pyinotify.IN_CLOSE_WRITE | pyinotify.IN_MOVED_TO | pyinotify.IN_CREATE | pyinotify.IN_DELETE_SELF
        )
        added: dict[str, int] = self._manager.add_watch(
            directory, interesting, rec=True, auto_add=True, quiet=True
        )
        return {path: number for path, number in (added or {}).items() if number > 0}
