"""A worker that is killed while it joins files makes one read all the same, and never shows half of it."""

import hashlib
import os
import random
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from seqfacility_instance.core.clock import system_now
from seqfacility_instance.tables import BackgroundJob, Read
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.processes import Processes, ServiceProcess
from seqfacility_testkit.sequencing import draft_order
from seqfacility_testkit.soak import rounds
from seqfacility_testkit.streams import StreamInHand, fastq, start_stream
from seqfacility_testkit.waiting import wait_until

ROUNDS = rounds(short=3, long=100)
FILES = 24


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
        stream.put(f"barcode01/{number:02d}.fastq", fastq(400 + number, 2000))
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
    moments = random.Random(5)  # noqa: S311  # when to kill, no secret
    for number in range(ROUNDS):
        working = worker(facility, processes)
        wanted = 1 + number * moments.randrange(1, 3)

        def has_come_far(lines: int = wanted) -> bool:
            return not BackgroundJob.select().where(BackgroundJob.status != "done").exists() or (
                journal.exists() and journal.read_bytes().count(b"\n") >= lines
            )

        wait_until(has_come_far, "the worker has joined some files")
        os.kill(working.process.pid, signal.SIGKILL)
        working.process.wait()
        assert (folder / f"{stream.id}.fastq.gz").exists() == journal_is_complete(journal)
        # The lease of a dead worker runs out after minutes; a test does not wait for it.
        BackgroundJob.update(leased_until=system_now()).where(BackgroundJob.status == "running").execute()

    worker(facility, processes)
    wait_until(lambda: Read.select().count() == 1, "the read is there")

    read = Read.get()
    content = (facility.data / str(read.file1)).read_bytes()
    assert asked.json == {"success": True, "queued": 1}
    assert read.checksum1 == hashlib.md5(content, usedforsecurity=False).hexdigest()
    assert read.read_count1 == sum(400 + number for number in range(FILES))
    assert len(stream.payloads("READ_CREATED")) == 1
    wait_until(lambda: [path.name for path in folder.iterdir()] == [f"{stream.id}.fastq.gz"], "all is tidy")


def journal_is_complete(journal: Path) -> bool:
    """Tell whether the file may be visible: everything was joined, or all is done and tidy."""
    return not journal.exists() or journal.read_bytes().count(b"\n") == FILES
