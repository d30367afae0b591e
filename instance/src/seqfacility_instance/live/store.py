"""Queries on changes; prunes their table, which triggers fill."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import cast

from peewee import SqliteDatabase, fn

from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.live import ChangeKind
from seqfacility_instance.live.rules import Position
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.live import LiveChange


def current_position() -> Position:
    """Return what can be read now. Changes that are read after this are at least these. Decision: G558."""
    if isinstance(database.obj, SqliteDatabase):
        return Position((LiveChange.select(fn.MAX(LiveChange.transaction)).scalar() or 0) + 1)
    snapshot: str = database.execute_sql("SELECT pg_current_snapshot()::text").fetchone()[0]
    _, following, still_open = snapshot.split(":")
    return Position(int(following), frozenset(int(number) for number in still_open.split(",") if number))


def changes_since(position: Position) -> Sequence[LiveChange]:
    """Return what somebody at `position` has not read, each change once, at most one more than is told."""
    unread = LiveChange.transaction >= position.next
    if position.open:
        unread |= LiveChange.transaction.in_(sorted(position.open))
    query = LiveChange.select(
        LiveChange.kind, LiveChange.object_id, LiveChange.owner_id, LiveChange.owner_sees
    ).distinct()
    return list(query.where(unread).limit(limits.LIVE_REPLAYED_CHANGES + 1))


def version_of(kind: ChangeKind, object_id: str) -> tuple[int, int]:
    """Return a value that is another one after each change of an object, for `LIVE_KEPT`.

    WHY: on PostgreSQL changes are seen in the order of commits, not of numbers, so the newest number does not
    tell of every one. Their count and sum do: what is pruned has smaller numbers than what came since.

    Decision: G584.
    """
    of_object = (LiveChange.kind == kind) & (LiveChange.object_id == object_id)
    found = LiveChange.select(fn.COUNT(LiveChange.transaction), fn.SUM(LiveChange.transaction)).where(
        of_object
    )
    ((count, total),) = cast("Iterable[tuple[int, int | None]]", found.tuples())
    return count, int(total or 0)


def prune(now: datetime) -> bool:
    """Remove changes that are replayed to nobody; the newest stays, as SQLite counts on from it."""
    newest = LiveChange.select(fn.MAX(LiveChange.transaction))
    old = (LiveChange.at < now - limits.LIVE_KEPT) & (LiveChange.transaction < newest)
    removed: int = LiveChange.delete().where(old).execute()
    return removed > 0
