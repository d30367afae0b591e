"""Writers of one process stand in line, and nothing that goes wrong keeps the next one waiting."""

import os
import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from peewee import InterfaceError, OperationalError
from seqfacility_instance.tables.base import open_database
from seqfacility_instance.tables.errors import WriteLockTimeout, is_busy
from seqfacility_instance.tables.sqlite import FairLock, SerializedSqliteDatabase
from seqfacility_testkit.waiting import DEADLINE_SECONDS, wait_until

IMPATIENT_SECONDS = 0.2


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "turns.db"
    with sqlite3.connect(path) as line:
        line.execute("PRAGMA journal_mode = wal")
        line.execute("CREATE TABLE counted (number INTEGER)")
        line.execute("INSERT INTO counted VALUES (0)")
    line.close()
    return path


@pytest.fixture
def opened(path: Path) -> Iterator[SerializedSqliteDatabase]:
    opened = open_with(path, DEADLINE_SECONDS)
    opened.connect()
    yield opened
    opened.close()


def open_with(path: Path, patience: float) -> SerializedSqliteDatabase:
    return SerializedSqliteDatabase(str(path), patience, {}, lock_type="IMMEDIATE")


def add_one(database: SerializedSqliteDatabase) -> None:
    with database.atomic():
        ((number,),) = database.execute_sql("SELECT number FROM counted").fetchall()
        with database.atomic():
            database.execute_sql("UPDATE counted SET number = ?", (number + 1,))


def counted(database: SerializedSqliteDatabase) -> int:
    number: int = database.execute_sql("SELECT number FROM counted").fetchone()[0]
    return number


def test_turns_come_in_the_order_of_asking() -> None:
    lock, order = FairLock(), list[int]()
    assert lock.acquire(DEADLINE_SECONDS)

    def stand_in_line(number: int) -> None:
        assert lock.acquire(DEADLINE_SECONDS)
        order.append(number)
        lock.release()

    threads = []
    for number in range(8):
        threads.append(threading.Thread(target=stand_in_line, args=(number,)))
        threads[-1].start()
        wait_until(lambda length=number + 1: len(lock._waiting) == length, "it stands in line")
    lock.release()
    for thread in threads:
        thread.join(DEADLINE_SECONDS)

    assert order == list(range(8))


def test_whoever_gives_up_waiting_leaves_the_line() -> None:
    lock = FairLock()
    assert lock.acquire(0)
    assert not lock.acquire(0.01)
    lock.release()

    assert lock.acquire(0)


def test_no_turn_is_lost_between_impatient_threads() -> None:
    lock = FairLock()

    def hurry(_number: int) -> bool:
        came = lock.acquire(0.0005)
        if came:
            lock.release()
        return came

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(hurry, range(4000)))

    assert lock.acquire(0)


def test_threads_and_processes_lose_no_write(opened: SerializedSqliteDatabase, path: Path) -> None:
    def work(database: SerializedSqliteDatabase) -> None:
        with database.connection_context():
            for _round in range(20):
                add_one(database)

    # A second object on the same file is to this one what another process is.
    other = open_with(path, DEADLINE_SECONDS)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, [opened, other] * 4))

    assert counted(opened) == 160


def test_a_transaction_that_fails_lets_the_next_one_begin(opened: SerializedSqliteDatabase) -> None:
    def fail() -> None:
        with opened.atomic():
            opened.execute_sql("UPDATE counted SET number = 9")
            with opened.atomic():
                raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()

    add_one(opened)
    assert counted(opened) == 1


def test_a_begin_that_is_refused_lets_the_next_one_begin(path: Path) -> None:
    impatient = open_with(path, IMPATIENT_SECONDS)
    holder = sqlite3.connect(path, isolation_level=None)
    with impatient.connection_context():
        holder.execute("BEGIN IMMEDIATE")
        for _attempt in range(2):
            with pytest.raises(WriteLockTimeout, match="database is locked") as refused, impatient.atomic():
                pass
            assert is_busy(refused.value)
        holder.execute("ROLLBACK")
        add_one(impatient)
        assert counted(impatient) == 1
        assert impatient.execute_sql("PRAGMA busy_timeout").fetchone() == (IMPATIENT_SECONDS * 1000,)
    holder.close()


def test_waiting_for_a_thread_ends_with_the_patience(path: Path) -> None:
    impatient = open_with(path, IMPATIENT_SECONDS)
    has_begun, may_end = threading.Event(), threading.Event()

    def dawdle() -> None:
        with impatient.connection_context(), impatient.atomic():
            has_begun.set()
            may_end.wait(DEADLINE_SECONDS)

    thread = threading.Thread(target=dawdle)
    thread.start()
    assert has_begun.wait(DEADLINE_SECONDS)
    with impatient.connection_context():
        try:
            with pytest.raises(WriteLockTimeout), impatient.atomic():
                pass
        finally:
            may_end.set()
            thread.join(DEADLINE_SECONDS)
        add_one(impatient)
        assert counted(impatient) == 1


def test_a_connection_that_is_lost_in_a_transaction_lets_the_next_one_begin(
    opened: SerializedSqliteDatabase, path: Path
) -> None:
    def lose() -> None:
        with opened.connection_context():
            transaction = opened.atomic()
            transaction.__enter__()
            opened.connection().close()
            with pytest.raises(sqlite3.ProgrammingError) as lost:
                opened.connection().execute("SELECT 1")
            with pytest.raises(Exception, match="closed database"):
                transaction.__exit__(type(lost.value), lost.value, None)

    thread = threading.Thread(target=lose)
    thread.start()
    thread.join(DEADLINE_SECONDS)

    add_one(opened)
    assert counted(opened) == 1


def test_a_closed_database_is_not_opened_by_a_begin(path: Path) -> None:
    closed = open_with(path, IMPATIENT_SECONDS)

    with pytest.raises(InterfaceError), closed.atomic():
        pass

    with closed.connection_context():
        add_one(closed)


def test_a_second_begin_of_one_thread_fails_at_once(opened: SerializedSqliteDatabase) -> None:
    with opened.atomic(), pytest.raises(OperationalError, match="cannot start a transaction") as wrong:
        opened.begin()

    assert not isinstance(wrong.value, WriteLockTimeout)


def test_a_copy_of_a_process_stands_in_a_line_of_its_own(opened: SerializedSqliteDatabase) -> None:
    assert opened._writers.acquire(0)  # by a thread that the copy does not have
    opened._process = os.getppid()

    add_one(opened)

    assert counted(opened) == 1


def test_a_new_file_and_its_log_are_for_their_owner_alone(tmp_path: Path) -> None:
    database, old = open_database(tmp_path / "new.db"), os.umask(0)
    try:
        with database.connection_context():
            database.execute_sql("CREATE TABLE counted (number INTEGER)")
            modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    finally:
        os.umask(old)

    assert modes == {"new.db": 0o600, "new.db-wal": 0o600, "new.db-shm": 0o600}
