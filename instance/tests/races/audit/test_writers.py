"""Many writers at once, and one that is killed: the chain has every row that was committed, and no gap."""

import os
import signal
import subprocess
import sys
import threading
from datetime import timedelta
from pathlib import Path

import pytest
from peewee import Database, SqliteDatabase
from seqfacility_instance.access.audit_chain import erase_personal, prune
from seqfacility_instance.access.audit_verification import verify
from seqfacility_instance.core.clock import system_now
from seqfacility_instance.tables.people import AuditEvent, Department
from seqfacility_testkit.waiting import wait_until

from .conftest import write

WRITERS = 12
EACH = 15
KILLED = """
import sys
from pathlib import Path
from seqfacility_instance.access import audit
from seqfacility_instance.core.clock import system_now
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.tables.base import initialise, open_database
address = sys.argv[1] if "://" in sys.argv[1] else Path(sys.argv[1])
database = open_database(address)
initialise(database)
with database.connection_context():
    while True:
        with database.atomic():
            for _ in range(3):
                audit.write("u", "::1", AuditAction.SIGN_IN, "user", "u", system_now(), {})
"""


def test_many_writers_make_one_chain(trail: Database) -> None:
    """Each writes two audit rows around a row that others want, too: the order that makes deadlocks."""
    rows = [Department.create(name=str(number)) for number in range(2)]
    failed: list[str] = []

    def act(writer: int) -> None:
        with trail.connection_context():
            for number in range(EACH):
                with trail.atomic() as transaction:
                    write(writer)
                    row = rows[number % 2].id
                    Department.update(description=str(writer)).where(Department.id == row).execute()
                    write(writer)
                    if number % 5 == 0:
                        transaction.rollback()

    def run(writer: int) -> None:
        try:
            act(writer)
        except Exception as error:
            failed.append(repr(error))
            raise

    threads = [threading.Thread(target=run, args=(writer,)) for writer in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    verdict = verify()
    assert failed == []
    assert verdict.is_intact
    assert verdict.rows == 8 + WRITERS * (EACH - 3) * 2
    assert AuditEvent.select().count() == verdict.rows


@pytest.mark.usefixtures("trail")
def test_a_writer_that_is_killed_leaves_a_chain_that_verifies(address: str | Path) -> None:
    writer = subprocess.Popen([sys.executable, "-c", KILLED, str(address)])
    try:
        wait_until(lambda: AuditEvent.select().count() > 60, "rows are written")
    finally:
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()

    write(1)

    verdict = verify()
    assert verdict.is_intact
    assert verdict.rows == AuditEvent.select().count()
    assert (verdict.rows - 9) % 3 == 0


@pytest.mark.parametrize("address", ["postgresql"], indirect=True)
def test_who_writes_an_audit_row_keeps_nobody_waiting_before_the_commit(trail: Database) -> None:
    done = threading.Event()

    def other() -> None:
        with trail.connection_context():
            write(2)
        done.set()

    with trail.atomic():
        write(1)
        thread = threading.Thread(target=other)
        thread.start()
        thread.join(timeout=20)
        was_done = done.is_set()

    assert was_done
    assert not isinstance(trail, SqliteDatabase)
    assert verify().rows == 10


@pytest.mark.parametrize("address", ["postgresql"], indirect=True)
def test_rows_that_somebody_erases_from_are_pruned_another_time(trail: Database) -> None:
    """Neither waits for the other: erasing chains its own row under the lock that pruning takes."""
    later = system_now() + timedelta(days=12)
    removed: list[int] = []

    def other() -> None:
        with trail.connection_context():
            removed.append(prune(timedelta(days=10), later))

    with trail.atomic():
        erase_personal("u3", ["user3@example.org"], system_now())
        thread = threading.Thread(target=other)
        thread.start()
        thread.join(timeout=20)
        meanwhile = list(removed)
    thread.join()

    assert meanwhile == [0]
    assert prune(timedelta(days=10), later) == 9
    assert verify().is_intact
