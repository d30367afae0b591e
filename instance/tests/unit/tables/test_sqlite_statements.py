"""No statement of a connection stays open, and a transaction that is not there is never worked in."""

import gc
import sqlite3
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from peewee import OperationalError
from seqfacility_instance.core.errors import DiskFull
from seqfacility_instance.tables import base, sqlite
from seqfacility_instance.tables.base import open_database
from seqfacility_instance.tables.errors import TransactionLost, is_busy, refusal_for
from seqfacility_instance.tables.prepared import execute_for_each
from seqfacility_instance.tables.sqlite import SerializedSqliteDatabase
from seqfacility_testkit.waiting import wait_until

REFUSED_BEGINS = 20_000
PATIENCE_SECONDS = 2


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "statements.db"
    with sqlite3.connect(path) as first:
        first.execute("PRAGMA journal_mode = wal").fetchall()
        first.execute("CREATE TABLE counted (number INTEGER)")
        first.executemany("INSERT INTO counted VALUES (?)", [(number,) for number in range(5)])
    first.close()
    return path


@pytest.fixture
def other(path: Path) -> Iterator[sqlite3.Connection]:
    """Somebody else's connection."""
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    yield other
    other.close()


@pytest.fixture
def collecting_by_hand() -> Iterator[None]:
    """Let a test collect the garbage, and only what it made itself."""
    gc.disable()
    gc.freeze()
    yield
    gc.unfreeze()
    gc.enable()


def open_with(path: Path, patience: float) -> SerializedSqliteDatabase:
    return SerializedSqliteDatabase(str(path), patience, {}, lock_type="IMMEDIATE")


def numbers(database: SerializedSqliteDatabase) -> list[int]:
    return [number for (number,) in database.execute_sql("SELECT number FROM counted ORDER BY number")]


@pytest.mark.usefixtures("collecting_by_hand")
def test_a_begin_that_is_refused_never_seems_to_have_begun(
    path: Path, other: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """WHY: garbage of one thread's failures is collected by another while the next failure is on its way."""
    monkeypatch.setattr(sqlite, "_ATTEMPT_MILLISECONDS", 0)
    impatient, is_over = open_with(path, 0), threading.Event()
    outcomes: Counter[str] = Counter()

    def collect() -> None:
        while not is_over.is_set():
            gc.collect()

    other.execute("BEGIN IMMEDIATE")
    thread = threading.Thread(target=collect)
    thread.start()
    with impatient.connection_context():
        for _attempt in range(REFUSED_BEGINS):
            try:
                impatient.begin()
                outcomes["begun"] += 1
            except OperationalError as refused:
                outcomes[type(refused).__name__] += 1
    is_over.set()
    thread.join()

    assert outcomes == {"WriteLockTimeout": REFUSED_BEGINS}


@pytest.mark.usefixtures("collecting_by_hand")
def test_a_writer_that_collects_garbage_waits_for_no_other_connection(
    path: Path, other: sqlite3.Connection
) -> None:
    """WHY: it would wait for one that waits for it, and both would stand still until one gives up."""
    waiting = open_with(path, PATIENCE_SECONDS)
    may_write, outcome = threading.Event(), list[str]()

    def write() -> None:
        with waiting.connection_context():
            with pytest.raises(OperationalError), waiting.atomic():
                pass
            outcome.append("refused")
            may_write.wait()
            outcome.append("writes")
            try:
                waiting.execute_sql("UPDATE counted SET number = 9 WHERE number = 0")
                outcome.append("written")
            except OperationalError as refused:
                outcome.append(str(refused))

    thread = threading.Thread(target=write)
    other.execute("BEGIN IMMEDIATE")
    thread.start()
    wait_until(lambda: outcome == ["refused"], "a first transaction is refused")
    may_write.set()
    wait_until(lambda: outcome[1:] == ["writes"], "the write waits for the lock")
    gc.collect()
    other.execute("COMMIT")
    thread.join()

    assert outcome == ["refused", "writes", "written"]


def test_rows_are_walked_while_their_own_connection_and_others_write(
    path: Path, other: sqlite3.Connection
) -> None:
    walked = open_with(path, PATIENCE_SECONDS)

    with walked.connection_context():
        for (number,) in walked.execute_sql("SELECT number FROM counted"):
            other.execute("UPDATE counted SET number = number + 10 WHERE number = ?", (number,))
            walked.execute_sql("UPDATE counted SET number = number + 10 WHERE number = ?", (number + 10,))

        assert numbers(walked) == [20, 21, 22, 23, 24]


def test_rows_come_one_by_one_some_at_a_time_or_all_at_once(path: Path) -> None:
    opened = open_with(path, PATIENCE_SECONDS)
    with opened.connection_context():
        cursor = opened.execute_sql("SELECT number FROM counted ORDER BY number")

        assert cursor.fetchone() == (0,)
        assert cursor.fetchmany(2) == [(1,), (2,)]
        assert next(cursor) == (3,)
        assert cursor.fetchall() == [(4,)]
        assert cursor.fetchone() is None


@pytest.mark.parametrize("is_written_to", [True, False])
def test_in_a_transaction_that_is_no_more_nothing_runs_and_nothing_commits(
    path: Path, *, is_written_to: bool
) -> None:
    opened = open_with(path, PATIENCE_SECONDS)

    def lose() -> None:
        with opened.atomic():
            opened.execute_sql("DELETE FROM counted")
            opened.connection().execute("ROLLBACK")
            if is_written_to:
                opened.execute_sql("INSERT INTO counted VALUES (9)")

    with opened.connection_context():
        with pytest.raises(TransactionLost) as lost:
            lose()

        assert is_busy(lost.value)

        assert numbers(opened) == [0, 1, 2, 3, 4]
        opened.execute_sql("INSERT INTO counted VALUES (5)")
        assert numbers(opened) == [0, 1, 2, 3, 4, 5]


def test_rows_that_are_written_at_once_are_not_when_their_transaction_is_no_more(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = open_with(path, PATIENCE_SECONDS)
    monkeypatch.setattr(base.database, "obj", opened)

    def lose() -> None:
        with opened.atomic():
            opened.connection().execute("ROLLBACK")
            execute_for_each("INSERT INTO counted VALUES (?)", [(8,), (9,)])

    with opened.connection_context():
        with pytest.raises(TransactionLost):
            lose()

        assert numbers(opened) == list(range(5))


def test_a_transaction_that_a_full_disk_ended_is_not_taken_for_a_busy_database(path: Path) -> None:
    """WHY: a daemon would repeat its tick each second, and its log would not tell of the disk."""
    opened = open_with(path, PATIENCE_SECONDS)

    def fill() -> None:
        with opened.atomic(), opened.atomic(), opened.atomic():
            opened.execute_sql("INSERT INTO counted VALUES (?)", ("x" * 100_000,))

    with opened.connection_context():
        (pages,) = opened.execute_sql("PRAGMA page_count").fetchone()
        opened.execute_sql(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(TransactionLost) as lost:
            fill()

        assert not is_busy(lost.value)
        assert isinstance(refusal_for(lost.value), DiskFull)
        assert numbers(opened) == [0, 1, 2, 3, 4]


def test_a_write_outside_a_transaction_waits_in_line_like_all(path: Path) -> None:
    opened = open_with(path, 60)

    def write() -> None:
        with opened.connection_context():
            opened.execute_sql("DELETE FROM counted WHERE number > 0")

    thread = threading.Thread(target=write)
    with opened.connection_context():
        with opened.atomic():
            thread.start()
            wait_until(lambda: len(opened._writers._waiting) == 1, "it stands in line")
            opened.execute_sql("INSERT INTO counted VALUES (9)")
        thread.join()

        assert numbers(opened) == [0]


def test_a_write_outside_a_transaction_that_fails_lets_the_next_one_begin(path: Path) -> None:
    opened = open_with(path, PATIENCE_SECONDS)
    with opened.connection_context():
        with pytest.raises(OperationalError, match="no such column"):
            opened.execute_sql("UPDATE counted SET missing = 1")

        opened.execute_sql("DELETE FROM counted")
        assert numbers(opened) == []


def test_a_connection_is_as_patient_after_a_refused_begin_as_before(
    path: Path, other: sqlite3.Connection
) -> None:
    """WHY: Python runs a compiled `PRAGMA busy_timeout` again, which changes nothing."""
    opened = open_with(path, 0.5)
    with opened.connection_context():
        for _round in range(3):
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(OperationalError), opened.atomic():
                pass
            assert opened.execute_sql("PRAGMA busy_timeout").fetchall() == [(500,)]
            other.execute("COMMIT")
            with opened.atomic():
                assert opened.execute_sql("PRAGMA busy_timeout").fetchall() == [(500,)]


def test_all_who_open_a_new_file_at_once_get_their_connection(tmp_path: Path) -> None:
    together = threading.Barrier(4)

    def opened(number: int) -> None:
        database = open_database(tmp_path / f"{number}.db")
        together.wait()
        database.connect()
        database.close()

    with ThreadPoolExecutor(together.parties) as pool:
        for number in range(100):  # who opens a file that is there meets no race
            for opening in [pool.submit(opened, number) for _ in range(together.parties)]:
                opening.result()


def test_a_connection_waits_for_who_recovers_the_log(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite tells these by codes of their own, of which the last byte is that of busy."""
    connect, refused = sqlite3.connect, sqlite3.OperationalError("database is locked")
    refused.sqlite_errorcode = sqlite3.SQLITE_BUSY_RECOVERY
    answers = [refused, refused]

    def recovering(*arguments: object, **options: object) -> sqlite3.Connection:
        if answers:
            raise answers.pop()
        opened: sqlite3.Connection = connect(*arguments, **options)  # type: ignore[call-overload]
        return opened

    monkeypatch.setattr(sqlite3, "connect", recovering)
    with open_with(path, PATIENCE_SECONDS).connection_context():
        assert answers == []


def test_an_error_without_a_code_is_told_as_it_is(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(*_arguments: object, **_options: object) -> None:
        raise sqlite3.OperationalError("told by Python itself")

    monkeypatch.setattr(sqlite3, "connect", refusing)
    with pytest.raises(OperationalError, match="told by Python itself"):
        open_with(path, PATIENCE_SECONDS).connect()
