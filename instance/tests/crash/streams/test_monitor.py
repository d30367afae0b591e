"""What the stream monitor survives: being killed at any moment, and company."""

import random
import threading
from pathlib import Path

from seqfacility_testkit.soak import record, rounds
from seqfacility_testkit.stream_monitors import Monitors, kill
from seqfacility_testkit.streams import StreamInHand, Totals, fastq
from seqfacility_testkit.untidy_sequencer import UntidySequencer
from seqfacility_testkit.waiting import DEADLINE_SECONDS, wait_until

KILLS = rounds(short=5, long=100)
PAIRS = rounds(short=1, long=20)
SIMULATED_MINUTES = rounds(short=10, long=150)
"""Of an instrument sixty times as fast as a real one: about as long as the kills take."""


def test_a_monitor_that_is_killed_again_and_again_misses_nothing_and_doubles_nothing(
    monitors: Monitors, watched: StreamInHand, sequencer: UntidySequencer, tmp_path: Path
) -> None:
    simulated = monitors.simulate(
        watched.folder / "simulated", tmp_path, minutes=SIMULATED_MINUTES, reads_per_minute=40,
        reads_per_file=25, mean_length=300, speed_up=60,
    )  # fmt: skip
    dice = random.Random(3)  # noqa: S311  # when to kill, no secret
    for number in range(KILLS):
        monitor = monitors.watch()
        before = watched.totals()
        if number % 5:
            wait_until(lambda seen=before: watched.totals() != seen, "the monitor has counted something")
        threading.Event().wait(dice.random())
        assert monitor.process.poll() is None, monitor.log
        kill(monitor)
    sequencer.finish()
    said = simulated.totals()

    monitors.watch()

    counted = watched.wait_until_all_is_counted()
    watched.stop()
    wait_until(lambda: watched.shown()["status"] == "STOPPED", "the run has stopped")
    watched.assert_all_agree_with_the_disk()
    verification = watched.get("metrics").json["verification"]
    assert (verification["verdict"], verification["matched"]) == ("ok", said.files)
    record(
        "A monitor that is killed at any moment misses nothing and doubles nothing",
        tried=f"{KILLS} times kill -9 at random moments, while a simulated run and {sequencer.written} "
        "acts of a writer in eleven untidy ways came in",
        found=f"{counted}, exactly those on disk",
    )


def test_two_monitors_at_once_count_every_file_once(
    monitors: Monitors, watched: StreamInHand, sequencer: UntidySequencer
) -> None:
    dice = random.Random(5)  # noqa: S311  # when to kill, no secret
    for _ in range(PAIRS):
        pair = [monitors.watch(), monitors.watch()]
        seen = watched.totals()
        wait_until(lambda seen=seen: watched.totals().files >= seen.files + 10, "both have had the time")
        first = pair.pop(dice.randrange(2))
        kill(first)
        before = watched.totals()
        wait_until(lambda before=before: watched.totals() != before, "the other one goes on at once")
        assert pair[0].process.poll() is None, pair[0].log
        kill(pair[0])
    monitors.watch()
    monitors.watch()
    sequencer.finish()

    counted = watched.wait_until_all_is_counted()
    record(
        "Two monitors at once count every file once, and one goes on when the other one dies",
        tried=f"{PAIRS} pairs, each reduced by kill -9",
        found=f"{counted}, exactly those on disk",
    )


def test_a_whole_simulated_run_is_counted_to_the_last_base(
    monitors: Monitors, watched: StreamInHand, tmp_path: Path
) -> None:
    monitors.watch(None)
    simulated = monitors.simulate(
        watched.folder, tmp_path, minutes=12, reads_per_minute=30, reads_per_file=25, mean_length=500,
        speed_up=360,
    )  # fmt: skip
    said = simulated.totals()

    watched.wait_until_all_is_counted()
    asked = watched.stop().json
    wait_until(lambda: watched.shown()["status"] == "STOPPED", "the run has stopped")

    watched.assert_all_agree_with_the_disk()
    assert asked == {"ok": True}
    assert watched.totals() == said
    kinds = [event["kind"] for event in watched.events()]
    assert kinds.count("RUN_FINISHED_HINT") == 1
    assert kinds[-1] == "RUN_STOPPED"
    metrics = watched.get("metrics").json
    assert metrics["verification"]["verdict"] == "ok"
    assert metrics["verification"]["matched"] == said.files


def test_once_waits_for_files_to_hold_still_and_ends(monitors: Monitors, watched: StreamInHand) -> None:
    (watched.folder / "a.fastq").write_bytes(fastq(3))

    monitor = monitors.run("monitor-streams", "--once")

    assert monitor.process.wait(DEADLINE_SECONDS) == 0, monitor.log
    watched.assert_all_agree_with_the_disk()
    assert watched.totals() == Totals(1, 3, 30)
