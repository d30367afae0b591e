"""What was laid out of an order is kept while the order is as it was, so many files are looked up once."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import Generic, TypeVar

from seqfacility_instance.core import limits

_LayoutT = TypeVar("_LayoutT")


@dataclass(frozen=True, slots=True)
class _Kept(Generic[_LayoutT]):
    layout: _LayoutT
    version: object
    made_at: datetime
    files: int


class Layouts(Generic[_LayoutT]):
    """The layouts of this process, of at most `DELIVERY_LAYOUT_FILES` files; another process has its own.

    A layout counts for the version that was read before its rows were, and for `DELIVERY_LAYOUT_LIFE`.

    Decision: G584.
    """

    def __init__(self, files_of: Callable[[_LayoutT], int]) -> None:
        self._files_of = files_of
        self._lock = Lock()
        self._kept: OrderedDict[str, _Kept[_LayoutT]] = OrderedDict()
        self._turns: dict[str, Lock] = {}

    def find_or_make(
        self, order_id: str, version: object, now: datetime, make: Callable[[], _LayoutT]
    ) -> _LayoutT:
        """Return the layout of an order; whoever asks while it is made waits for it."""
        with self._lock:
            turn = self._turns.setdefault(order_id, Lock())
        try:
            with turn:
                known = self._find(order_id, version, now)
                if known is not None:
                    return known.layout
                layout = make()
                self.keep(order_id, version, now, layout)
                return layout
        finally:
            with self._lock:
                self._turns.pop(order_id, None)

    def keep(self, order_id: str, version: object, now: datetime, layout: _LayoutT) -> None:
        """Keep a layout in place of an older one; what was not used for longest goes."""
        with self._lock:
            self._kept[order_id] = _Kept(layout, version, now, self._files_of(layout))
            self._kept.move_to_end(order_id)
            while len(self._kept) > 1 and self._count() > limits.DELIVERY_LAYOUT_FILES:
                self._kept.popitem(last=False)

    def _find(self, order_id: str, version: object, now: datetime) -> _Kept[_LayoutT] | None:
        with self._lock:
            kept = self._kept.get(order_id)
            if kept is None:
                return None
            if kept.version != version or now - kept.made_at >= limits.DELIVERY_LAYOUT_LIFE:
                del self._kept[order_id]
                return None
            self._kept.move_to_end(order_id)
            return kept

    def _count(self) -> int:
        return sum(max(kept.files, 1) for kept in self._kept.values())
