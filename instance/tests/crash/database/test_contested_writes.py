"""Many threads of several processes write at once, beside everything that a facility runs."""

import json
import os
import subprocess
import sys
import threading
import time
from itertools import count
from pathlib import Path

import pytest
from seqfacility_instance.settings import read_settings
from seqfacility_instance.tables.base import close_all_connections, open_database
from seqfacility_testkit.contested_writes import Stored, make_tables, stored
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_uploads import LiveOrder, live_order
from seqfacility_testkit.soak import record, rounds

TRANSACTIONS = rounds(short=1_600, long=200_000)
PROCESSES, THREADS = 4, 16
DAEMONS = ("worker", "monitor-runs", "monitor-streams")
CONTENT = b"@read\nACGT\n+\nIIII\n"


def upload_until(stop: threading.Event, order: LiveOrder, statuses: list[int]) -> None:
    """Upload one small file after the other, and one at least."""
    for number in count():
        if number and stop.is_set():
            return
        path = f"{order.uploads}/{order.initiate(len(CONTENT), name=f'soil_{number}.fastq')}"
        sent = order.admin.patch(path, data=CONTENT, headers={"x-service-offset": "0"})
        done = order.admin.post(f"{path}/complete")
        statuses += [sent.status_code, done.status_code]


def watch_disk_until(stop: threading.Event, file: Path, seconds: list[float]) -> None:
    """Measure how long the disk takes to make a few bytes durable, again and again."""
    with file.open("ab") as opened:
        while not stop.wait(0.05):
            opened.write(b"x" * 512)
            opened.flush()
            began = time.monotonic()
            os.fdatasync(opened.fileno())
            seconds.append(time.monotonic() - began)


def test_no_transaction_is_lost_and_none_is_half_however_many_write(
    live: LiveFacility, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    engine = request.node.callspec.params["live"]
    address = read_settings({**os.environ, **live.variables()}).database_address
    database = open_database(address)
    make_tables(database, THREADS)
    daemons = [live.run(name) for name in DAEMONS]
    stop, statuses, syncs = threading.Event(), list[int](), list[float]()
    beside = [
        threading.Thread(target=upload_until, args=(stop, live_order(live), statuses)),
        threading.Thread(target=watch_disk_until, args=(stop, tmp_path / "synced", syncs)),
    ]
    for thread in beside:
        thread.start()

    began = time.monotonic()
    command = [sys.executable, "-m", "seqfacility_testkit.contested_writes", "--address", str(address)]
    command += ["--threads", str(THREADS), "--transactions", str(TRANSACTIONS // PROCESSES)]
    writers = [
        subprocess.Popen([*command, "--name", str(number)], stdout=subprocess.PIPE, text=True)
        for number in range(PROCESSES)
    ]
    told = [json.loads(writer.communicate()[0]) for writer in writers]
    seconds = time.monotonic() - began
    stop.set()
    for thread in beside:
        thread.join()

    found = stored(database)
    close_all_connections(database)
    committed, single = (sum(one[key] for one in told) for key in ("committed", "single"))
    assert [failure for one in told for failure in one["failures"]] == []
    assert found == Stored(whole=committed, half=0, transactions=committed, single=single)
    assert committed == TRANSACTIONS
    assert set(statuses) == {200}
    assert [daemon.process.poll() for daemon in daemons] == [None] * len(DAEMONS)
    logs = live.processes.logs()
    assert "a tick failed" not in logs
    assert "the database is busy" not in logs
    slowest = max(one["longest_seconds"] for one in told)
    record(
        f"However many write at once, no transaction is lost, none is half, and nobody waits long ({engine})",
        tried=f"{committed} transactions and {single} single writes by {PROCESSES} processes of {THREADS} "
        f"threads, beside the web processes, {len(DAEMONS)} daemons and {len(statuses) // 2} uploads",
        found=f"0 lost, 0 half, none refused; {(committed + single) / seconds:.0f} writes a second, "
        f"the slowest took {slowest:.1f} s, the slowest sync of the disk {max(syncs):.1f} s",
    )
