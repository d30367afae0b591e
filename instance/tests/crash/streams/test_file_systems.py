"""What file systems, instruments and people do to a watched directory, and what the monitor makes of it."""

import gzip
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pyinotify
import pytest
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import draft_order
from seqfacility_testkit.soak import record, rounds
from seqfacility_testkit.stream_monitors import Monitors, Witness
from seqfacility_testkit.streams import ReportedFiles, StreamInHand, fastq, start_stream, truth
from seqfacility_testkit.untidy_sequencer import UntidySequencer
from seqfacility_testkit.waiting import DEADLINE_SECONDS, wait_until

OVERFLOWS = rounds(short=1, long=20)
ABSENCES = rounds(short=2, long=50)
FOLDERS = rounds(short=30, long=1000)
LOCKS = rounds(short=1, long=50)
JUMPS = rounds(short=1, long=20)
ACTS = rounds(short=22, long=660)

DAY = 24 * 3600
YEAR = 365 * DAY
QUEUE_LENGTH_FILE = Path("/proc/sys/fs/inotify/max_queued_events")


def overflow(folder: Path) -> None:
    """Make more notifications than a queue holds; equal neighbours would be counted as one."""
    noise = [str(folder / f".noise{number}") for number in range(2)]
    for number in range(int(QUEUE_LENGTH_FILE.read_text("ascii")) + 100):
        os.close(os.open(noise[number % 2], os.O_WRONLY | os.O_CREAT))


def test_a_queue_that_overflows_costs_time_and_no_file(monitors: Monitors, watched: StreamInHand) -> None:
    watched.put("before.fastq", fastq(5))
    monitor = monitors.watch(None)
    watched.wait_until_all_is_counted()
    lost = 0
    for number in range(OVERFLOWS):
        witness = Witness(watched.folder, pyinotify.IN_CLOSE_WRITE | pyinotify.IN_CREATE)
        os.kill(monitor.process.pid, signal.SIGSTOP)
        overflow(watched.folder)
        late = watched.put(f"new{number}/barcode07/late.fastq.gz", gzip.compress(fastq(number + 7)))
        os.kill(monitor.process.pid, signal.SIGCONT)

        watched.wait_until_all_is_counted()
        heard = witness.heard()
        witness.close()
        assert any(mask & pyinotify.IN_Q_OVERFLOW for _path, mask in heard)
        lost += str(late) not in {path for path, _mask in heard}
    assert lost == OVERFLOWS
    record(
        "An overflow of the notification queue costs time and no file",
        tried=f"{OVERFLOWS} overflows of the queue of a halted monitor, a new folder behind each",
        found=f"every file counted; a second listener lost the last file {lost} times",
    )


def test_folders_that_are_filled_as_they_are_made_leave_nothing_out(
    monitors: Monitors, watched: StreamInHand
) -> None:
    monitors.watch(None)
    for number in range(FOLDERS):
        folder = watched.folder / "deep" / f"d{number}" / f"barcode{number:02d}"
        folder.mkdir(parents=True)
        (folder / "x.fastq.gz").write_bytes(gzip.compress(fastq(number % 50 + 1)))
    packed = watched.folder.with_name("packed")
    shutil.copytree(watched.folder / "deep", packed)
    packed.rename(watched.folder / "moved-in")

    counted = watched.wait_until_all_is_counted()
    record(
        "Folders that are filled as they are made, or moved in whole, leave nothing out",
        tried=f"{FOLDERS} nested folders with a file each, and the same once more in one move",
        found=f"{counted}, exactly those on disk",
    )


def test_files_in_every_untidy_way_are_counted_as_they_lie_in_the_end(
    monitors: Monitors, watched: StreamInHand
) -> None:
    sequencer = UntidySequencer(watched.folder, seed=11)
    outside = Witness(watched.folder.parent, pyinotify.IN_OPEN | pyinotify.IN_ACCESS)
    monitors.watch()
    sequencer.start()
    wait_until(lambda: sequencer.written >= ACTS, "all ways were gone", DEADLINE_SECONDS + ACTS)
    sequencer.finish()

    counted = watched.wait_until_all_is_counted()
    target = str(watched.folder.with_name(f"{watched.folder.name}-outside.fastq"))
    opened = [path for path, mask in outside.heard() if path == target and mask & pyinotify.IN_ACCESS]
    outside.close()
    assert opened == []
    assert any(p["message"] == "Links are not followed" for p in watched.payloads("ERROR"))
    record(
        "Slow, growing, cut, replaced, renamed, moved and linked files are counted as they lie in the end",
        tried=f"{sequencer.written} acts in eleven ways beside a monitor at work",
        found=f"{counted}, exactly those on disk; the target of links never read",
    )


def test_a_cut_file_counts_nothing_until_it_is_whole(monitors: Monitors, watched: StreamInHand) -> None:
    monitors.watch()
    whole = gzip.compress(fastq(50, 100))
    target = watched.put("cut.fastq.gz", whole[: len(whole) // 2])

    def cut_is_told() -> bool:
        told = ReportedFiles.by(watched.events()).files.get("cut.fastq.gz")
        return told is not None and told["malformed"] and told["reads"] == 0

    wait_until(cut_is_told, "the cut file is told")
    target.write_bytes(whole)

    watched.wait_until_all_is_counted()


def test_a_file_that_cannot_be_read_is_told_and_counted_once_it_can(
    monitors: Monitors, watched: StreamInHand
) -> None:
    monitors.watch_without_privileges()
    for number in range(LOCKS):
        file = watched.put(f"barcode01/locked{number}.fastq", fastq(3))
        file.chmod(0)
        folder = watched.put(f"folder{number}/barcode02/inside.fastq", fastq(4)).parent
        folder.chmod(0)
        watched.put(f"barcode01/open{number}.fastq", fastq(5))

        told = {file: "The file cannot be read", folder: "The folder cannot be read"}
        for path, message in told.items():
            place = str(path.relative_to(watched.folder))
            wait_until(
                lambda place=place, message=message: any(
                    payload["filePath"] == place and payload["message"].startswith(message)
                    for payload in watched.payloads("ERROR")
                ),
                f"{place} is told",
            )
        file.chmod(0o600)
        folder.chmod(0o700)
        counted = watched.wait_until_all_is_counted()
    assert len(watched.payloads("ERROR")) == 2 * LOCKS
    record(
        "What cannot be read is told once, keeps nothing else waiting, and is counted once it can be read",
        tried=f"{LOCKS} files and {LOCKS} folders without any permission, for a monitor without privileges",
        found=f"{counted}, exactly those on disk; {2 * LOCKS} events",
    )


@pytest.fixture
def outer(facility: Facility, tmp_path: Path) -> Iterator[Path]:
    """Return a file system of its own, in memory, as a network storage has one."""
    if os.geteuid() != 0:
        pytest.skip("needs root to mount")
    storage = tmp_path / "storage"
    storage.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", str(storage)], check=True)
    yield storage
    for mounted in (facility.home / "sequencer" / "mounted", storage):
        if mounted.is_mount():
            subprocess.run(["umount", "--lazy", str(mounted)], check=True)


def test_a_mount_that_is_taken_away_and_returned_goes_on_where_it_was(
    facility: Facility, monitors: Monitors, outer: Path
) -> None:
    facility.admin.patch(
        "/api/admin/settings/streamIngest", {"scanIntervalSeconds": 1, "stabilitySeconds": 0}
    )
    place = facility.home / "sequencer" / "mounted"
    place.mkdir(parents=True)
    attach = ["mount", "--bind", str(outer), str(place)]
    subprocess.run(attach, check=True)
    watched = start_stream(facility, draft_order(facility), "mounted")
    monitors.watch()
    watched.put("barcode01/first.fastq", fastq(3))
    before = watched.wait_until_all_is_counted()
    for number in range(ABSENCES):
        subprocess.run(["umount", "--lazy", str(place)], check=True)
        assert truth(place).files == 0
        wait_until(lambda n=number: len(watched.payloads("ERROR")) == n + 1, "the loss is told")
        assert watched.totals() == before
        meanwhile = outer / f"barcode02/{number}.fastq.gz"
        meanwhile.parent.mkdir(exist_ok=True)
        meanwhile.write_bytes(gzip.compress(fastq(number + 1)))
        subprocess.run(attach, check=True)
        before = watched.wait_until_all_is_counted()
    assert watched.shown()["status"] == "ACTIVE"
    assert len(watched.payloads("ERROR")) == ABSENCES
    record(
        "A mount that is taken away pauses a run and says so; back again, the run goes on where it was",
        tried=f"{ABSENCES} times a mounted file system was taken away, written elsewhere, and returned",
        found=f"{before}, exactly those on disk; told {ABSENCES} times; nothing counted as deleted",
    )


def test_a_directory_that_is_taken_away_and_returned_goes_on_where_it_was(
    monitors: Monitors, watched: StreamInHand
) -> None:
    monitors.watch()
    watched.put("a.fastq", fastq(3))
    watched.wait_until_all_is_counted()
    elsewhere = watched.folder.with_name("elsewhere")
    watched.folder.rename(elsewhere)
    watched.wait_for_event("ERROR", "The directory cannot be reached")
    (elsewhere / "b.fastq").write_bytes(fastq(4))
    elsewhere.rename(watched.folder)

    watched.wait_until_all_is_counted()
    assert len(watched.payloads("ERROR")) == 1


def test_clocks_that_jump_lose_and_double_nothing(
    monitors: Monitors, watched: StreamInHand, sequencer: UntidySequencer, tmp_path: Path
) -> None:
    offset = tmp_path / "offset"
    offset.write_text("0")
    monitors.watch_by_clock(offset)

    def jump(seconds: float) -> None:
        written = tmp_path / "offset.new"
        written.write_text(str(seconds))
        written.replace(offset)

    for number in range(JUMPS):
        for seconds in (3600, -3600, YEAR, -30 * DAY, 0):
            before = watched.totals()
            jump(seconds)
            wait_until(lambda before=before: watched.totals() != before, "the monitor goes on")
        for name, when in (("past", 0), ("future", 4e9), ("odd", -1e9)):
            os.utime(watched.put(f"by-clock/{name}{number}.fastq", fastq(2)), (when, when))
    sequencer.finish()

    counted = watched.wait_until_all_is_counted()
    jump(-DAY)
    watched.stop()
    wait_until(lambda: watched.shown()["status"] == "STOPPED", "the run has stopped")
    watched.assert_all_agree_with_the_disk()
    record(
        "A clock that jumps, ours or the instrument's, loses nothing and doubles nothing",
        tried=f"{5 * JUMPS} jumps of the monitor's clock by up to a year, files from 1938, 1970 and 2096",
        found=f"{counted}, exactly those on disk",
    )
