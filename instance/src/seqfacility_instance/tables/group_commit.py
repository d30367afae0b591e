"""Group commit: one transaction for the items of several threads."""

import threading
import time
from collections.abc import Sequence
from typing import Final, Generic, Protocol, TypeVar

from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.errors import WriteLockTimeout

# Those who were just answered come again: a server had a fifth less work for each event.
_GATHER_SECONDS: Final = 0.003

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")
ItemT_contra = TypeVar("ItemT_contra", contravariant=True)
ResultT_co = TypeVar("ResultT_co", covariant=True)


class Store(Protocol[ItemT_contra, ResultT_co]):
    """Stores items inside a transaction, and does nothing else than read and write the database."""

    def __call__(self, items: Sequence[ItemT_contra], /, *, waits: bool) -> Sequence[ResultT_co | None]:
        """Return a result for each item; unless it `waits`, None for one that would have to, or cannot be."""


class _Waiting(Generic[ItemT, ResultT]):
    """An item whose thread waits until it is stored, or until it is called to store those that wait."""

    def __init__(self, item: ItemT) -> None:
        self.item = item
        self.is_taken = False
        self.result: ResultT | None = None
        self.refusal: WriteLockTimeout | None = None
        self.call = threading.Lock()
        self.call.acquire()


class GroupCommit(Generic[ItemT, ResultT]):
    """Stores items of several threads in one transaction, and answers when it is durable.

    WHY: a commit waits for the disk, and each statement for the database. What arrives meanwhile is stored by
    the first of those who wait, with as many statements as one item alone.

    Decision: G482.
    """

    def __init__(self, store: Store[ItemT, ResultT]) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._is_storing = False
        self._waiting: list[_Waiting[ItemT, ResultT]] = []

    def run(self, item: ItemT) -> ResultT:
        """Store an item and give its result; alone, when it could not be stored together with others.

        Raises what storing it alone raises, and `WriteLockTimeout` when others write for too long.
        """
        own = _Waiting[ItemT, ResultT](item)
        with self._lock:
            self._waiting.append(own)
            is_first, self._is_storing = not self._is_storing, True
        if not is_first:
            own.call.acquire()
            if not own.is_taken:
                time.sleep(_GATHER_SECONDS)
        if not own.is_taken:
            self._store_group()
        if own.refusal is not None:
            raise WriteLockTimeout(*own.refusal.args)
        if own.result is not None:
            return own.result
        with database.atomic():
            (result,) = self._store([item], waits=True)
        assert result is not None, "whoever waits stores or raises"
        return result

    def _store_group(self) -> None:
        with self._lock:
            group, self._waiting = self._waiting, []
        for waiting in group:
            waiting.is_taken = True
        try:
            with database.atomic():
                results = self._store([waiting.item for waiting in group], waits=False)
        except WriteLockTimeout as refused:
            for waiting in group:
                waiting.refusal = refused
        except Exception:  # noqa: BLE001  # whose it is shows when each is stored alone
            return
        else:
            for waiting, result in zip(group, results, strict=True):
                waiting.result = result
        finally:
            self._call(group)

    def _call(self, group: Sequence[_Waiting[ItemT, ResultT]]) -> None:
        """Wake the threads of a group, and the first that arrived meanwhile: it stores the next group."""
        with self._lock:
            called = [*group, *self._waiting[:1]]
            self._is_storing = bool(self._waiting)
        for waiting in called:
            waiting.call.release()
