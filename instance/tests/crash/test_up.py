"""The supervisor behind `seqfacility up`."""

import os
import signal
from contextlib import ExitStack
from pathlib import Path

from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_readers import LiveReader, people
from seqfacility_testkit.waiting import wait_for, wait_until

WORKER = "worker verify-upload"
READERS = 50
READERS_EACH = 5


def _running(pid: int) -> dict[str, int]:
    """Name the children of the supervisor by their command, workers also by their first kind of job."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    named = {}
    for child in children:
        words = Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
        if b"seqfacility_instance" in words:
            command, *options = [word.decode() for word in words[words.index(b"seqfacility_instance") + 1 :]]
            named[f"{command} {options[1]}" if options[0] == "--kinds" else command] = int(child)
    return named


def test_a_process_that_dies_is_started_again_and_a_stop_ends_them_all(live_facility: LiveFacility) -> None:
    up = live_facility.run("up", "--bind", "127.0.0.1:0", "--workers", "1")
    up.url()
    expected = {"serve", "monitor-runs", "monitor-streams", WORKER, "worker collect-stream"}
    wait_until(lambda: expected <= set(_running(up.process.pid)), "all have started")
    before = _running(up.process.pid)

    os.kill(before[WORKER], signal.SIGKILL)

    def replaced() -> int | None:
        worker = _running(up.process.pid).get(WORKER)
        return worker if worker != before[WORKER] else None

    wait_for(replaced, "a new worker process")
    after = _running(up.process.pid)
    assert after["serve"] == before["serve"]
    assert up.stop() == 0
    assert [pid for pid in after.values() if Path(f"/proc/{pid}").exists()] == []


def test_a_stop_ends_the_feeds_of_all_readers_and_waits_for_none_of_them(live_facility: LiveFacility) -> None:
    up = live_facility.run("up", "--bind", "127.0.0.1:0", "--workers", "1")
    base = up.url()
    wait_until(lambda: "worker collect-stream" in _running(up.process.pid), "all have started")
    started = _running(up.process.pid)
    with ExitStack() as opened, people(live_facility.home, READERS // READERS_EACH) as made:
        readers = [
            opened.enter_context(LiveReader(lambda: base, token, "orders,messages"))
            for _, token in made
            for _ in range(READERS_EACH)
        ]

        exit_code = up.stop()

        for reader in readers:
            while reader.read(1):
                pass
    assert exit_code == 0
    assert "Traceback" not in up.log
    assert [pid for pid in started.values() if Path(f"/proc/{pid}").exists()] == []
