"""Fetching a reference database in processes that are killed with no warning, again and again."""

import hashlib
import io
import random
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.site import JobStatus
from seqfacility_instance.pipelines.reference_data.place import Place
from seqfacility_instance.tables.site import BackgroundJob
from seqfacility_testkit.database_packages import install, with_database
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.file_server import FileServer
from seqfacility_testkit.processes import Processes, ServiceProcess
from seqfacility_testkit.soak import record, rounds
from seqfacility_testkit.waiting import DEADLINE_SECONDS, wait_until

KILLS = rounds(short=2, long=150)
SEED = 20310504
FILES = 2_000


@pytest.fixture(autouse=True)
def _listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """List the host of the databases, as a facility with a mirror in its own network does."""
    monkeypatch.setenv("SEQFACILITY_PRIVATE_HOSTS", "127.0.0.1")


@pytest.fixture
def server() -> Iterator[FileServer]:
    with FileServer() as server:
        server.files["/host.tar.gz"] = archive()
        yield server


@pytest.fixture
def processes(facility: Facility) -> Iterator[Processes]:
    processes = Processes(facility.home / "logs")
    yield processes
    processes.stop_all()


def archive() -> bytes:
    """Pack many small files that do not compress, so that fetching and unpacking both take a while."""
    numbers, stream = random.Random(SEED), io.BytesIO()  # noqa: S311  # the same archive every time
    with tarfile.open(fileobj=stream, mode="w:gz", compresslevel=1) as opened:
        for number in range(FILES):
            info = tarfile.TarInfo(f"host/{number % 50}/{number}.idx")
            info.size = 1500
            opened.addfile(info, io.BytesIO(numbers.randbytes(info.size)))
    return stream.getvalue()


def digest(folder: Path) -> str:
    """Digest names and contents of all files below a folder."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*.idx")):
        found.update(str(path.relative_to(folder)).encode() + path.read_bytes())
    return found.hexdigest()


def installed(facility: Facility, server: FileServer) -> Place:
    content = server.files["/host.tar.gz"]
    facility.services.facility.change("storage", {"minFreeBytes": 0}, facility.clock.now())
    key = install(facility, with_database(server.url("/host.tar.gz"), content, is_required=True))
    return Place(facility.home / "databases", key)


def fetching(facility: Facility, processes: Processes, place: Place) -> ServiceProcess:
    variables = {"SEQFACILITY_HOME": str(facility.home)}
    return processes.start("seqfacility_instance", "fetch-database", place.key, environment=variables)


def test_however_often_it_is_killed_a_database_appears_whole_or_not_at_all(
    facility: Facility, server: FileServer, processes: Processes
) -> None:
    place, size = installed(facility, server), len(server.files["/host.tar.gz"])
    numbers = random.Random(SEED)  # noqa: S311  # where it is killed
    cuts = sorted(numbers.randrange(1, size) for _ in range(KILLS - 1))
    for cut in cuts:
        server.hold_at = cut
        server.go_on.clear()
        server.is_held.clear()
        process = fetching(facility, processes, place)
        wait_until(lambda: server.is_held.is_set() and place.received() > 0, "bytes have come")
        process.kill_group()
        server.go_on.set()
        assert not place.published.exists()
        assert facility.services.runs.databases.shown(place.key)["status"] == "missing"
    server.hold_at = None
    process = fetching(facility, processes, place)
    wait_until((place.staging / "data").exists, "it is being unpacked")
    process.kill_group()
    assert not place.published.exists() or place.record() is not None

    last = fetching(facility, processes, place)

    assert last.process.wait(DEADLINE_SECONDS) == 0, last.log
    ready = facility.services.runs.databases.shown(place.key)
    assert (ready["status"], ready["verifiedBy"]) == ("ready", "sha256")
    folder = Path(str(ready["path"]))
    assert len(list(folder.rglob("*.idx"))) == FILES
    with tarfile.open(fileobj=io.BytesIO(server.files["/host.tar.gz"])) as opened:
        expected = hashlib.sha256()
        for name in sorted(opened.getnames(), key=Path):
            content = opened.extractfile(name)
            assert content is not None
            expected.update(str(Path(name).relative_to("host")).encode() + content.read())
    assert digest(folder) == expected.hexdigest()
    assert not place.work.exists()
    record(
        "A reference database is there whole and verified, or not at all, and an interrupted fetch goes on.",
        tried=f"{KILLS} kills of the fetching process while it received or unpacked",
        found="nothing half published; the last fetch gave every file as it was packed",
    )


def test_a_worker_that_is_killed_leaves_the_rest_to_the_next_one(
    facility: Facility, server: FileServer, processes: Processes
) -> None:
    place = installed(facility, server)
    server.hold_at = len(server.files["/host.tar.gz"]) // 2
    facility.admin.post(f"/api/admin/databases/{place.key}/fetch")
    worker = processes.start(
        "seqfacility_instance", "worker", environment={"SEQFACILITY_HOME": str(facility.home)}
    )
    wait_until(lambda: server.is_held.is_set() and place.received() > 0, "bytes have come")
    worker.kill_group()
    server.go_on.set()

    too_early = facility.services.worker.tick(facility.clock.now())
    facility.clock.advance(limits.JOB_LEASE * 2)
    facility.services.worker.tick(facility.clock.now())

    assert not too_early
    (job,) = BackgroundJob.select()
    assert (job.status, job.attempts) == (JobStatus.DONE, 2)
    assert facility.services.runs.databases.shown(place.key)["status"] == "ready"
    assert not place.work.exists()
