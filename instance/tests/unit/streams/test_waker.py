"""Notifications wake early; without them the pause is only longer."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from seqfacility_instance.streams.waker import Waker

LONG = 120.0
"""Far longer than any of these tests may take: who waits so long was not woken."""


@pytest.fixture
def waker() -> Iterator[Waker]:
    made = Waker()
    yield made
    made.close()


def waited(waker: Waker, act: threading.Timer) -> float:
    began = time.monotonic()
    act.start()
    waker.wait(LONG, threading.Event())
    act.join()
    return time.monotonic() - began


def test_a_closed_file_wakes(waker: Waker, tmp_path: Path) -> None:
    (tmp_path / "barcode01").mkdir()
    waker.follow([str(tmp_path)])

    assert waited(waker, threading.Timer(0.1, (tmp_path / "barcode01/a.fastq").write_bytes, [b"x"])) < LONG


def test_a_file_that_is_moved_in_wakes(waker: Waker, tmp_path: Path) -> None:
    (tmp_path / "watched").mkdir()
    outside = tmp_path / "a.fastq"
    outside.write_bytes(b"x")
    waker.follow([str(tmp_path / "watched")])

    assert waited(waker, threading.Timer(0.1, outside.rename, [tmp_path / "watched/a.fastq"])) < LONG


def test_a_stop_ends_the_waiting(waker: Waker, tmp_path: Path) -> None:
    waker.follow([str(tmp_path)])
    stop = threading.Event()
    stop.set()
    began = time.monotonic()

    waker.wait(LONG, stop)

    assert time.monotonic() - began < LONG


def test_directories_come_and_go(waker: Waker, tmp_path: Path) -> None:
    for names in (["a", "b"], ["b"], [], ["c", "missing"]):
        for name in names:
            if name != "missing":
                (tmp_path / name).mkdir(exist_ok=True)
        waker.follow([str(tmp_path / name) for name in names])
        waker.wait(0.01, threading.Event())


def test_without_directories_it_just_waits(waker: Waker) -> None:
    waker.follow([])
    waker.wait(0.01, threading.Event())
