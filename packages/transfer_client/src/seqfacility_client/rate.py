"""How fast all transfers of a command may go together."""

import time
from dataclasses import dataclass, field
from threading import Event, Lock

from seqfacility_client.errors import Stopped

_BLOCKS_PER_SECOND = 4


@dataclass(slots=True)
class Rate:
    """Slows all threads of a command down to `bytes_per_second` together; None: no limit. Decision: G426."""

    stop: Event
    bytes_per_second: float | None = None
    _free_at: float = 0.0
    _lock: Lock = field(default_factory=Lock)

    def block(self, size: int) -> int:
        """Cut a block to what moves in a fraction of a second: silence would look like a broken line."""
        if self.bytes_per_second is None:
            return size
        return min(size, max(1, int(self.bytes_per_second / _BLOCKS_PER_SECOND)))

    def wait(self, size: int) -> None:
        """Wait until `size` bytes may have moved; raises `Stopped`."""
        seconds = 0.0
        if self.bytes_per_second is not None:
            with self._lock:
                now = time.monotonic()
                self._free_at = max(now, self._free_at) + size / self.bytes_per_second
                seconds = self._free_at - now
        if self.stop.wait(seconds) if seconds else self.stop.is_set():
            raise Stopped
