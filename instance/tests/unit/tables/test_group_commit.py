"""Threads that write at the same moment share a commit and nothing else, neither failures nor half a unit."""

import sqlite3
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from seqfacility_instance.tables import base
from seqfacility_instance.tables.errors import WriteLockTimeout
from seqfacility_instance.tables.group_commit import GroupCommit
from seqfacility_instance.tables.sqlite import SerializedSqliteDatabase
from seqfacility_testkit.waiting import DEADLINE_SECONDS, wait_until

WRITERS = 8


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "group.db"
    with sqlite3.connect(path) as line:
        line.execute("PRAGMA journal_mode = wal")
        line.execute("CREATE TABLE written (name TEXT)")
    line.close()
    return path


@pytest.fixture
def opened(path: Path, request: pytest.FixtureRequest) -> Iterator[SerializedSqliteDatabase]:
    patience = getattr(request, "param", DEADLINE_SECONDS)
    opened = SerializedSqliteDatabase(str(path), patience, {}, lock_type="IMMEDIATE")
    before = base.database.obj
    base.database.initialize(opened)
    yield opened
    base.database.initialize(before)


@dataclass
class Names:
    """Stores names; what the sets name cannot be stored together with others, and `mine` not at all."""

    raises: frozenset[str] = frozenset()
    ends_transaction: frozenset[str] = frozenset()
    has_to_wait: frozenset[str] = frozenset()
    groups: list[list[str]] = field(default_factory=list)

    def __call__(self, items: Sequence[str], *, waits: bool) -> list[str | None]:
        """Write the names."""
        self.groups.append(list(items))
        results: list[str | None] = []
        for name in items:
            if name in self.has_to_wait and not waits:
                results.append(None)
                continue
            base.database.execute_sql("INSERT INTO written VALUES (?)", (name,))
            results.append(name)
            if name in self.raises:
                raise LookupError(name)
            if name in self.ends_transaction:
                base.database.connection().rollback()
        return results


def written(path: Path) -> list[str]:
    with sqlite3.connect(path) as line:
        names = [name for (name,) in line.execute("SELECT name FROM written ORDER BY name")]
    line.close()
    return names


def store_together(opened: SerializedSqliteDatabase, store: Names, names: Sequence[str]) -> list[Future[str]]:
    """Store names that all wait while a foreign program writes."""
    group = GroupCommit(store)

    def run(name: str) -> str:
        with opened.connection_context():
            return group.run(name)

    foreign = sqlite3.connect(opened.database, isolation_level=None)
    foreign.execute("BEGIN IMMEDIATE")
    with ThreadPoolExecutor(len(names) + 1) as pool:
        first = pool.submit(run, "first")
        wait_until(lambda: group._is_storing and not group._waiting, "the first one is being stored")
        futures = [pool.submit(run, name) for name in names]
        wait_until(lambda: len(group._waiting) == len(names), "the others wait")
        if opened._timeout > 1:
            foreign.execute("ROLLBACK")
        for future in (first, *futures):
            future.exception(DEADLINE_SECONDS)
    foreign.close()
    return futures


def test_those_who_wait_share_one_commit(path: Path, opened: SerializedSqliteDatabase) -> None:
    store, names = Names(), [f"w{number}" for number in range(WRITERS)]

    futures = store_together(opened, store, names)

    assert [future.result() for future in futures] == names
    assert written(path) == ["first", *names]
    assert [len(group) for group in store.groups] == [1, WRITERS]


def test_one_that_fails_fails_alone_and_leaves_nothing(path: Path, opened: SerializedSqliteDatabase) -> None:
    futures = store_together(opened, Names(raises=frozenset("b")), ["a", "b", "c"])

    assert [type(future.exception()) for future in futures] == [type(None), LookupError, type(None)]
    assert written(path) == ["a", "c", "first"]


def test_one_that_ends_the_transaction_takes_nobody_with_it(
    path: Path, opened: SerializedSqliteDatabase
) -> None:
    futures = store_together(opened, Names(ends_transaction=frozenset("b")), ["a", "b", "c"])

    assert futures[1].exception() is not None
    assert [futures[0].result(), futures[2].result()] == ["a", "c"]
    assert written(path) == ["a", "c", "first"]


def test_one_that_would_have_to_wait_keeps_nobody_waiting(
    path: Path, opened: SerializedSqliteDatabase
) -> None:
    store = Names(has_to_wait=frozenset("b"))

    futures = store_together(opened, store, ["a", "b", "c"])

    assert [future.result() for future in futures] == ["a", "b", "c"]
    assert written(path) == ["a", "b", "c", "first"]
    assert store.groups[-1] == ["b"]


def test_whoever_comes_later_is_stored_after_a_failure_too(
    path: Path, opened: SerializedSqliteDatabase
) -> None:
    group = GroupCommit(Names(raises=frozenset("b")))
    with opened.connection_context():
        with pytest.raises(LookupError):
            group.run("b")
        assert group.run("c") == "c"

    assert written(path) == ["c"]


@pytest.mark.parametrize("opened", [0.3], indirect=True)
def test_all_are_refused_when_others_write_for_too_long(path: Path, opened: SerializedSqliteDatabase) -> None:
    futures = store_together(opened, Names(), ["a", "b"])

    assert {type(future.exception()) for future in futures} == {WriteLockTimeout}
    assert written(path) == []
