"""Reference databases over the API: asking, fetching, removing, and the runs that need them."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from seqfacility_instance.pipelines.reference_data.fetcher import DatabaseFetcher
from seqfacility_testkit.database_packages import install, with_database
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.file_server import FileServer
from seqfacility_testkit.packages import SLEEPER
from seqfacility_testkit.pipeline_runs import RUNS, new_run, start, use_scripted_executor
from seqfacility_testkit.sequencing import submitted_order

DATABASES = "/api/admin/databases"
CONTENT = bytes(range(256)) * 12_000


@pytest.fixture(autouse=True)
def _listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """List the host of the databases, as a facility with a mirror in its own network does."""
    monkeypatch.setenv("SEQFACILITY_PRIVATE_HOSTS", "127.0.0.1")


@pytest.fixture
def server() -> Iterator[FileServer]:
    with FileServer() as server:
        server.files["/host.mmi"] = CONTENT
        yield server


@pytest.fixture
def key(facility: Facility, server: FileServer) -> str:
    facility.services.facility.change("storage", {"minFreeBytes": 0}, facility.clock.now())
    return install(facility, with_database(server.url("/host.mmi"), CONTENT, is_required=True))


def shown(facility: Facility, key: str) -> dict[str, Any]:
    listed = facility.admin.get(DATABASES).json["databases"]
    (found,) = [one for one in listed if one["key"] == key]
    return dict(found)


def work(facility: Facility) -> None:
    facility.services.worker.tick(facility.clock.now())


def test_what_packages_declare_is_listed_before_anything_is_fetched(facility: Facility, key: str) -> None:
    listed = facility.admin.get(DATABASES).json["databases"]

    assert {tuple(one["pipelines"]) for one in listed} == {("mag",), ("taxprofiler",), (SLEEPER,)}
    assert {one["status"] for one in listed} == {"missing"}
    assert shown(facility, key)["totalBytes"] == len(CONTENT)
    assert shown(facility, key)["checkedAgainst"] == "sha256"
    assert {one["checkedAgainst"] for one in listed if one["pipelines"] == ["mag"]} == {"nothing"}


def test_a_database_that_is_asked_for_is_fetched_by_the_worker(facility: Facility, key: str) -> None:
    asked = facility.admin.post(f"{DATABASES}/{key}/fetch")
    again = facility.admin.post(f"{DATABASES}/{key}/fetch")

    assert (asked.status_code, asked.json["database"]["status"]) == (202, "queued")
    assert again.json["database"]["status"] == "queued"
    work(facility)

    ready = shown(facility, key)
    assert (ready["status"], ready["verifiedBy"], ready["receivedBytes"]) == ("ready", "sha256", len(CONTENT))
    assert ready["path"] == str(facility.home / "databases" / key / "data" / "host.mmi")
    assert facility.admin.post(f"{DATABASES}/{key}/fetch").json["database"]["status"] == "ready"


def test_the_configured_directory_is_used(facility: Facility, key: str) -> None:
    directory = facility.home / "elsewhere"
    directory.mkdir()
    facility.services.facility.change(
        "execution", {"databaseDirectory": str(directory)}, facility.clock.now()
    )

    facility.admin.post(f"{DATABASES}/{key}/fetch")
    work(facility)

    assert shown(facility, key)["path"].startswith(f"{directory}/{key}/")


def test_a_fetch_goes_on_in_slices_and_shows_how_far_it_is(
    facility: Facility, server: FileServer, key: str
) -> None:
    services = facility.services
    fetcher = DatabaseFetcher(services.runs.databases, "worker", facility.clock, slice_seconds=0)
    facility.admin.post(f"{DATABASES}/{key}/fetch")

    seen = []
    while fetcher.step(facility.clock.now()):
        one = shown(facility, key)
        seen.append((one["status"], one["receivedBytes"]))

    assert seen[-1] == ("ready", len(CONTENT))
    assert {status for status, _ in seen[:-1]} == {"fetching"}
    assert [received for _, received in seen] == sorted(received for _, received in seen)
    assert server.asked == [0]


def test_of_two_workers_one_fetches(facility: Facility, server: FileServer, key: str) -> None:
    services = facility.services
    first, second = (
        DatabaseFetcher(services.runs.databases, name, facility.clock, slice_seconds=0)
        for name in ("first", "second")
    )
    facility.admin.post(f"{DATABASES}/{key}/fetch")

    assert first.step(facility.clock.now())
    assert not second.step(facility.clock.now())
    while first.step(facility.clock.now()):
        pass
    assert server.asked == [0]


def test_a_failure_for_good_is_told_and_can_be_asked_again(
    facility: Facility, server: FileServer, key: str
) -> None:
    server.status = 404
    facility.admin.post(f"{DATABASES}/{key}/fetch")
    work(facility)

    failed = shown(facility, key)
    assert (failed["status"], failed["error"]) == ("failed", "The server answered 404")
    server.status = None
    facility.admin.post(f"{DATABASES}/{key}/fetch")
    work(facility)
    assert shown(facility, key)["status"] == "ready"


def test_trouble_that_passes_is_tried_again_later(facility: Facility, server: FileServer, key: str) -> None:
    server.status = 503
    facility.admin.post(f"{DATABASES}/{key}/fetch")
    work(facility)

    waiting = shown(facility, key)
    assert (waiting["status"], waiting["error"]) == ("queued", "The server answered 503")


def test_a_database_can_be_removed_unless_runs_are_active(facility: Facility, key: str) -> None:
    facility.admin.post(f"{DATABASES}/{key}/fetch")
    work(facility)
    use_scripted_executor(facility)
    run_id = new_run(facility, submitted_order(facility), SLEEPER)

    refused = facility.admin.delete(f"{DATABASES}/{key}")
    assert (refused.status_code, refused.json) == (
        409,
        {"error": "Reference database is used by active runs"},
    )
    facility.admin.delete(f"{RUNS}/{run_id}")
    assert facility.admin.delete(f"{DATABASES}/{key}").json == {"success": True}
    assert shown(facility, key)["status"] == "missing"
    assert not (facility.home / "databases" / key).exists()


def test_a_removed_database_is_not_fetched_to_its_end(facility: Facility, key: str) -> None:
    services = facility.services
    fetcher = DatabaseFetcher(services.runs.databases, "worker", facility.clock, slice_seconds=0)
    facility.admin.post(f"{DATABASES}/{key}/fetch")
    fetcher.step(facility.clock.now())

    facility.admin.delete(f"{DATABASES}/{key}")

    while fetcher.step(facility.clock.now()):
        pass
    assert (shown(facility, key)["status"], shown(facility, key)["receivedBytes"]) == ("missing", 0)


def test_unknown_databases_are_not_found(facility: Facility) -> None:
    for answer in (
        facility.admin.post(f"{DATABASES}/nothing/fetch"),
        facility.admin.delete(f"{DATABASES}/nothing"),
    ):
        assert (answer.status_code, answer.json) == (404, {"error": "Reference database not found"})


def test_a_run_that_needs_a_database_waits_for_it_and_gets_its_path(facility: Facility, key: str) -> None:
    use_scripted_executor(facility)
    run_id = new_run(facility, submitted_order(facility), SLEEPER)

    refused = facility.admin.post(f"{RUNS}/{run_id}/start")

    assert refused.status_code == 409
    assert refused.json == {
        "error": "Reference database Host genome is not ready",
        "details": ["Host genome 1: queued"],
    }
    assert facility.admin.get(f"{RUNS}/{run_id}").json["run"]["status"] == "pending"
    work(facility)
    folder = start(facility, run_id)
    path = str(facility.home / "databases" / key / "data" / "host.mmi")
    assert json.loads(folder.params.read_text())["db"] == path
    assert json.loads(folder.config.read_text())["db"] == path


def test_a_path_of_ones_own_needs_no_database(facility: Facility, key: str) -> None:
    use_scripted_executor(facility)
    run_id = new_run(facility, submitted_order(facility), SLEEPER, config={"db": "/srv/own.mmi"})

    folder = start(facility, run_id)

    assert json.loads(folder.params.read_text())["db"] == "/srv/own.mmi"
    assert shown(facility, key)["status"] == "missing"


def test_a_database_that_is_not_needed_is_a_warning(facility: Facility, server: FileServer) -> None:
    install(facility, with_database(server.url("/host.mmi"), CONTENT, is_required=False))
    use_scripted_executor(facility)
    run_id = new_run(facility, submitted_order(facility), SLEEPER)

    answer = facility.admin.post(f"{RUNS}/{run_id}/start")

    assert answer.status_code == 200, answer.text
    assert (
        "Reference database Host genome is not ready; the run goes on without it" in (answer.json["warnings"])
    )
