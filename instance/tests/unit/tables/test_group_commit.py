"""Threads that write at the same moment share a commit and nothing else, neither failures nor half a unit."""

import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
from seqfacility_instance.tables import base
from seqfacility_instance.tables.errors import TurnTaken
from seqfacility_instance.tables.group_commit import GroupCommit
from seqfacility_instance.tables.sqlite import TurnTakingSqliteDatabase
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
def opened(path: Path, request: pytest.FixtureRequest) -> Iterator[TurnTakingSqliteDatabase]:
    patience = getattr(request, "param", DEADLINE_SECONDS)
    opened = TurnTakingSqliteDatabase(str(path), patience, {}, lock_type="IMMEDIATE")
    before = base.database.obj
    base.database.initialize(opened)
    yield opened
    base.database.initialize(before)


def write(name: str, *, then: Callable[[], object] = lambda: None) -> str:
    base.database.execute_sql("INSERT INTO written VALUES (?)", (name,))
    then()
    return name


def written(path: Path) -> list[str]:
    with sqlite3.connect(path) as line:
        names = [name for (name,) in line.execute("SELECT name FROM written ORDER BY name")]
    line.close()
    return names


def run_together(
    path: Path, opened: TurnTakingSqliteDatabase, units: list[Callable[[], str]]
) -> tuple[list[Future[str]], list[str]]:
    """Run units that all wait while a foreign program writes; gives their futures and the commits made."""
    group, commits = GroupCommit(), list[str]()

    def run(unit: Callable[[], str]) -> str:
        with opened.connection_context():
            opened.connection().set_trace_callback(
                lambda sql: commits.append(sql) if sql == "COMMIT" else None
            )  # type: ignore[no-untyped-call]
            return group.run(unit)

    foreign = sqlite3.connect(path, isolation_level=None)
    foreign.execute("BEGIN IMMEDIATE")
    with ThreadPoolExecutor(len(units) + 1) as pool:
        first = pool.submit(run, lambda: write("first"))
        wait_until(group._turn.locked, "the first one writes")
        futures = [pool.submit(run, unit) for unit in units]
        wait_until(lambda: len(group._waiting) == len(units), "the others wait")
        if opened._patience > 1:
            foreign.execute("ROLLBACK")
        for future in (first, *futures):
            future.exception(DEADLINE_SECONDS)
    foreign.close()
    return futures, commits


def test_those_who_wait_share_one_commit(path: Path, opened: TurnTakingSqliteDatabase) -> None:
    names = [f"w{number}" for number in range(WRITERS)]

    futures, commits = run_together(path, opened, [lambda name=name: write(name) for name in names])

    assert [future.result() for future in futures] == names
    assert written(path) == ["first", *names]
    assert len(commits) == 2


def test_a_unit_that_fails_fails_alone_and_leaves_nothing(
    path: Path, opened: TurnTakingSqliteDatabase
) -> None:
    def fail() -> None:
        raise LookupError("mine")

    units = [lambda: write("a"), lambda: write("b", then=fail), lambda: write("c")]

    futures, _ = run_together(path, opened, units)

    assert [type(future.exception()) for future in futures] == [type(None), LookupError, type(None)]
    assert written(path) == ["a", "c", "first"]


def test_a_unit_that_ends_the_transaction_takes_nobody_with_it(
    path: Path, opened: TurnTakingSqliteDatabase
) -> None:
    def roll_back() -> None:
        opened.connection().rollback()  # type: ignore[no-untyped-call]

    units = [lambda: write("a"), lambda: write("b", then=roll_back), lambda: write("c")]

    futures, _ = run_together(path, opened, units)

    assert futures[1].exception() is not None
    assert [futures[0].result(), futures[2].result()] == ["a", "c"]
    assert written(path) == ["a", "c", "first"]


@pytest.mark.parametrize("opened", [0.3], indirect=True)
def test_all_are_refused_when_others_write_for_too_long(path: Path, opened: TurnTakingSqliteDatabase) -> None:
    futures, _ = run_together(path, opened, [lambda: write("a"), lambda: write("b")])

    assert {type(future.exception()) for future in futures} == {TurnTaken}
    assert written(path) == []
