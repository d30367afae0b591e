"""A worker that is killed while it joins files makes one read all the same, and never shows half of it."""

import hashlib
import os
import random
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from seqfacility_instance.core.clock import system_now
from seqfacility_instance.tables.sequencing import Read
from seqfacility_instance.tables.site import BackgroundJob
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.processes import Processes, ServiceProcess
from seqfacility_testkit.sequencing import draft_order
from seqfacility_testkit.soak import record, rounds
from seqfacility_testkit.streams import StreamInHand, fastq, start_stream
from seqfacility_testkit.waiting import wait_until

ROUNDS = rounds(short=3, long=100)
FILES = rounds(short=12, long=800)
"""More than the kills let a worker join, so that each of them hits something."""

READS = 400


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Processes]:
    started = Processes(tmp_path / "logs")
    yield started
    started.stop_all()
    sys.stdout.write(started.logs())


@pytest.fixture
def stream(facility: Facility) -> StreamInHand:
    order = draft_order(facility)
    stream = start_stream(facility, order, barcodeMap={"barcode01": order.sample_codes[0]})
    for number in range(FILES):
        # Plain text is compressed on the way, which gives the kills something to hit.
        stream.put(f"barcode01/{number:02d}.fastq", fastq(READS, 1000))
    stream.look(2)
    stream.stop()
    stream.look()
    return stream


def worker(facility: Facility, processes: Processes) -> ServiceProcess:
    environment = {"SEQFACILITY_HOME": str(facility.home), "SEQFACILITY_DATABASE_URL": ""}
    return processes.start("seqfacility_instance", "worker", environment=environment)


def test_a_killed_worker_makes_one_whole_read_in_the_end(
    facility: Facility, processes: Processes, stream: StreamInHand
) -> None:
    asked = facility.admin.post(f"{stream.path}/collect")
    folder = facility.data / f"orders/{stream.order.id}/reads/{stream.order.sample_codes[0]}"
    journal = folder / f".{stream.id}.fastq.gz.journal"
    timestamps = random.Random(5)  # noqa: S311  # when to kill, no secret
    struck = 0
    for _ in range(ROUNDS):
        before = len(lines_of(journal))
        working = worker(facility, processes)

        def has_come_far(before: int = before) -> bool:
            jobs_left = BackgroundJob.select().where(BackgroundJob.status != "done").exists()
            return not jobs_left or len(lines_of(journal)) > before

        wait_until(has_come_far, "the worker has joined some files")
        threading.Event().wait(timestamps.random() * 0.05)
        os.kill(working.process.pid, signal.SIGKILL)
        working.process.wait()
        struck += journal.exists()
        assert not (folder / f"{stream.id}.fastq.gz").exists() or journal_is_complete(journal)
        # The lease of a dead worker runs out after minutes; a test does not wait for it.
        BackgroundJob.update(leased_until=system_now()).where(BackgroundJob.status == "running").execute()

    worker(facility, processes)
    wait_until(lambda: Read.select().count() == 1, "the read is there")

    read = Read.get()
    content = (facility.data / str(read.file1)).read_bytes()
    assert asked.json == {"success": True, "queued": 1}
    assert read.checksum1 == hashlib.md5(content, usedforsecurity=False).hexdigest()
    assert read.read_count1 == FILES * READS
    assert len(stream.payloads("READ_CREATED")) == 1
    wait_until(lambda: [path.name for path in folder.iterdir()] == [f"{stream.id}.fastq.gz"], "all is tidy")
    record(
        "A read that is joined from a stream is whole or not there, whenever its worker is killed",
        tried=f"{struck} times kill -9 while {FILES} files were joined",
        found="one read with the MD5 and the reads of all files; never half of it visible, nothing left over",
    )


def lines_of(journal: Path) -> list[bytes]:
    """Return what the journal says of each file that is joined so far."""
    try:
        return journal.read_bytes().splitlines()
    except FileNotFoundError:
        return []


def journal_is_complete(journal: Path) -> bool:
    """Return whether the file may be visible: everything was joined, or all is done and tidy."""
    return not journal.exists() or len(lines_of(journal)) == FILES
