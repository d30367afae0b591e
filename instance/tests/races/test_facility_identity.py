"""Processes that start at the same moment on copied state directories: one answer to whose everything is."""

import shutil
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from seqfacility_instance.site.identity import MARKER
from seqfacility_instance.tables.base import close_all_connections
from seqfacility_testkit.facility import move_folders
from seqfacility_testkit.facility_starts import REFUSED, services_of, settled
from seqfacility_testkit.soak import record, rounds

ROUNDS = rounds(short=3, long=100)
STARTS = 4


@pytest.fixture(scope="module")
def starters() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(STARTS, mp_context=get_context("spawn")) as starters:
        yield starters


def started_at_once(starters: ProcessPoolExecutor, homes: list[Path]) -> list[str]:
    at = time.time() + 0.2
    return [start.result() for start in [starters.submit(settled, home, at) for home in homes]]


def test_processes_that_start_at_once_on_a_copy_agree_on_one_new_facility(
    starters: ProcessPoolExecutor, facility_template: Path, tmp_path: Path
) -> None:
    seen = set(started_at_once(starters, [facility_template]))
    assert REFUSED not in seen
    for number in range(ROUNDS):
        copy = tmp_path / f"copy{number}"
        shutil.copytree(facility_template, copy)

        ids = set(started_at_once(starters, [copy] * STARTS))

        assert len(ids) == 1
        assert REFUSED not in ids
        assert not ids & seen
        seen |= ids
        shutil.rmtree(copy)
    record(
        "Processes that start at once on a copied state directory are one facility, and not the original's",
        tried=f"{ROUNDS} copies, on each of which {STARTS} processes started at once",
        found=f"{len(seen) - 1} facilities, each with one id of its own, no process refused",
    )


def test_of_copies_that_start_at_once_with_one_data_folder_one_gets_it(
    starters: ProcessPoolExecutor, facility_template: Path, tmp_path: Path
) -> None:
    copies = [tmp_path / f"copy{number}" for number in range(STARTS)]
    for copy in copies:
        shutil.copytree(facility_template, copy)
        move_folders(copy)
    # Each copy is a facility by now, its id noted, when it is told where the data lie.
    ids = started_at_once(starters, copies)
    for number in range(ROUNDS):
        data = tmp_path / f"data{number}"
        data.mkdir()
        for copy in copies:
            services = services_of(copy)
            with services.database.connection_context():
                services.facility.change("storage", {"dataBasePath": str(data)}, services.clock.now())
            close_all_connections(services.database)

        answers = started_at_once(starters, copies)

        (owner,) = set(answers) - {REFUSED}
        assert answers.count(REFUSED) == STARTS - 1
        assert [path.name for path in data.iterdir()] == [MARKER]
        assert (data / MARKER).read_text("utf-8").strip() == owner == ids[answers.index(owner)]
    record(
        "Of facilities that start at once with one data folder one gets it and the others refuse to start",
        tried=f"{ROUNDS} data folders, each named by {STARTS} facilities that started at once",
        found=f"{ROUNDS} folders with one owner, {ROUNDS * (STARTS - 1)} starts refused",
    )
