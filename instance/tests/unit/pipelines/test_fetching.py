"""Fetching a database: over broken connections, after kills, and what is never published."""

import hashlib
import io
import json
import tarfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from seqfacility_instance.core.vocabulary.pipelines import VerifiedBy
from seqfacility_instance.pipelines.reference_data.fetching import (
    ContentRefused,
    fetch,
    from_address,
    from_file,
)
from seqfacility_instance.pipelines.reference_data.place import (
    AlreadyFetching,
    Place,
    fault_of,
    place_of,
)
from seqfacility_instance.pipelines.reference_data.unpacking import InsufficientSpace
from seqfacility_instance.registry_client.reach import Reach
from seqfacility_instance.registry_client.transfer import TransferBroken, TransferRefused
from seqfacility_pipeline_package.descriptor import Database
from seqfacility_testkit.file_server import FileServer

CONTENT = bytes(range(256)) * 40_000
"""Ten megabytes, so that a transfer has several pieces."""

MIRROR = Reach.of(["127.0.0.1"])


@pytest.fixture
def server() -> Iterator[FileServer]:
    with FileServer() as server:
        server.files["/db.bin"] = CONTENT
        yield server


def declared(server: FileServer, **changes: object) -> Database:
    plain = Database("host", "Host", "1", "db.bin", server.url("/db.bin"), "db", "ensure")
    digested = replace(plain, sha256=hashlib.sha256(CONTENT).hexdigest(), size=len(CONTENT))
    return replace(digested, **changes)  # type: ignore[arg-type]  # a test's keywords


def fetched(folder: Path, database: Database, steps: int | None = None) -> Place:
    """Fetch a database, or drop the fetch after some steps as a kill would."""
    place = place_of(folder, database)
    fetching = fetch(place, database, from_address(database.download_url, MIRROR), 0)
    for number, _ in enumerate(fetching):
        if number == steps:
            fetching.close()
            break
    return place


def test_a_file_is_fetched_verified_and_published(server: FileServer, tmp_path: Path) -> None:
    database = declared(server)

    place = fetched(tmp_path, database)

    record = place.record()
    assert record is not None
    assert record.verified_by is VerifiedBy.SHA256
    assert place.data_path(record).read_bytes() == CONTENT
    assert fault_of(place, database) is None
    assert not place.work.exists()
    fetched(tmp_path, database)
    assert server.asked == [0]


def test_an_archive_is_unpacked_and_its_only_folder_is_given(server: FileServer, tmp_path: Path) -> None:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        info = tarfile.TarInfo("release1/index.k2d")
        info.size = 3
        archive.addfile(info, io.BytesIO(b"abc"))
    server.files["/db.tar.gz"] = stream.getvalue()
    url = server.url("/db.tar.gz")
    database = declared(server, file_name="db.tar.gz", download_url=url, sha256=None, size=None)

    place = fetched(tmp_path, database)

    record = place.record()
    assert record is not None
    assert (place.data_path(record) / "index.k2d").read_bytes() == b"abc"
    assert place.data_path(record).name == "release1"
    assert record.verified_by is VerifiedBy.SIZE


def test_a_connection_that_breaks_again_and_again_only_brings_the_rest(
    server: FileServer, tmp_path: Path
) -> None:
    server.cut_after = 3_000_000

    place = fetched(tmp_path, declared(server))

    assert place.record() is not None
    assert server.asked == [0, 3_000_000, 6_000_000, 9_000_000]


@pytest.mark.parametrize("steps", [0, 1, 3, 6, 9, 12])
def test_a_dropped_fetch_publishes_nothing_and_goes_on_where_it_was(
    server: FileServer, tmp_path: Path, steps: int
) -> None:
    database = declared(server)
    place = fetched(tmp_path, database, steps)
    assert fault_of(place, database) is not None
    flushed = place.progress().flushed

    fetched(tmp_path, database)

    assert fault_of(place, database) is None
    assert server.asked in ([0], [0, flushed])


def test_bytes_that_were_not_flushed_before_a_crash_are_fetched_again(
    server: FileServer, tmp_path: Path
) -> None:
    database = declared(server)
    place = fetched(tmp_path, database, 2)
    with place.part.open("ab") as part:
        part.write(b"\0" * 500_000)

    fetched(tmp_path, database)

    assert fault_of(place, database) is None


def test_a_file_that_changed_meanwhile_begins_anew(server: FileServer, tmp_path: Path) -> None:
    database = declared(server, sha256=None, size=None)
    place = fetched(tmp_path, database, 2)
    server.files["/db.bin"], server.etag = CONTENT[::-1], '"two"'

    fetched(tmp_path, database)

    record = place.record()
    assert record is not None
    assert place.data_path(record).read_bytes() == CONTENT[::-1]
    assert server.asked == [0, 0]


def test_a_file_that_became_shorter_begins_anew(server: FileServer, tmp_path: Path) -> None:
    database = declared(server, sha256=None, size=None)
    place = fetched(tmp_path, database, 4)
    server.files["/db.bin"] = CONTENT[:1000]

    fetched(tmp_path, database)

    record = place.record()
    assert record is not None
    assert place.data_path(record).read_bytes() == CONTENT[:1000]


def test_a_server_without_ranges_and_names_of_content_still_serves(
    server: FileServer, tmp_path: Path
) -> None:
    server.takes_ranges, server.etag = False, None
    database = declared(server)
    fetched(tmp_path, database, 3)

    place = fetched(tmp_path, database)

    assert fault_of(place, database) is None
    assert server.asked == [0, 0]


def test_what_is_not_declared_so_is_refused_and_removed(server: FileServer, tmp_path: Path) -> None:
    for wrong in ({"sha256": "ab" * 32}, {"sha256": None, "md5": "ab" * 16}, {"size": 5}):
        database = declared(server, **wrong)

        with pytest.raises(ContentRefused):
            fetched(tmp_path, database)

        assert fault_of(place_of(tmp_path, database), database) == "is not there"


def test_a_later_digest_is_held_against_what_is_there(server: FileServer, tmp_path: Path) -> None:
    place = fetched(tmp_path, declared(server, sha256=None, size=None))

    assert fault_of(place, declared(server)) is None
    assert fault_of(place, declared(server, sha256="ab" * 32)) == (
        "has another digest than the package declares"
    )
    assert fault_of(place, declared(server, size=3)) == "has another size than the package declares"
    record = place.record()
    assert record is not None
    place.data_path(record).write_bytes(b"short")
    assert fault_of(place, declared(server)) == "was changed or removed after it was fetched"


@pytest.mark.parametrize("note", ["", "{", '{"flushed": "x"}', "[]", json.dumps({"flushed": 10**12})])
def test_a_damaged_note_of_the_progress_costs_the_transfer_and_nothing_else(
    server: FileServer, tmp_path: Path, note: str
) -> None:
    database = declared(server)
    place = fetched(tmp_path, database, 3)
    (place.work / "progress.json").write_text(note)

    fetched(tmp_path, database)

    assert fault_of(place, database) is None


def test_of_two_who_fetch_at_once_one_is_refused(server: FileServer, tmp_path: Path) -> None:
    database = declared(server)
    place = place_of(tmp_path, database)
    first = fetch(place, database, from_address(database.download_url, MIRROR), 0)
    next(first)

    with pytest.raises(AlreadyFetching):
        next(fetch(place, database, from_address(database.download_url, MIRROR), 0))

    for _ in first:
        pass
    assert fault_of(place, database) is None


def test_nothing_is_fetched_that_would_fill_the_disk(server: FileServer, tmp_path: Path) -> None:
    database = declared(server)
    place = place_of(tmp_path, database)

    with pytest.raises(InsufficientSpace):
        list(fetch(place, database, from_address(database.download_url, MIRROR), 1 << 60))


@pytest.mark.parametrize(
    ("status", "error"),
    [(404, TransferRefused), (403, TransferRefused), (503, TransferBroken), (429, TransferBroken)],
)
def test_an_answer_without_the_file_is_told_and_tried_again_only_where_that_helps(
    server: FileServer, tmp_path: Path, status: int, error: type[Exception]
) -> None:
    server.status = status

    with pytest.raises(error, match=f"The server answered {status}"):
        fetched(tmp_path, declared(server))


@pytest.mark.parametrize(
    "location", ["file:///etc/passwd", "ftp://127.0.0.1/x", "http://user:word@127.0.0.1/x"]
)
def test_a_redirect_to_what_is_not_fetched_is_refused(
    server: FileServer, tmp_path: Path, location: str
) -> None:
    server.status, server.location = 302, location

    with pytest.raises(TransferRefused):
        fetched(tmp_path, declared(server))


def test_a_database_in_a_private_network_is_fetched_from_hosts_that_are_listed_only(
    server: FileServer, tmp_path: Path
) -> None:
    database = declared(server)
    place = place_of(tmp_path, database)
    other = Reach.of(["mirror.lab.example", "127.0.0.1:1"])

    with pytest.raises(TransferRefused, match="SEQFACILITY_PRIVATE_HOSTS does not name it"):
        list(fetch(place, database, from_address(database.download_url, other), 0))

    assert server.asked == []


def test_a_redirect_to_the_metadata_of_a_cloud_is_never_dialled(server: FileServer, tmp_path: Path) -> None:
    server.status, server.location = 302, "http://169.254.169.254/latest"

    with pytest.raises(TransferBroken, match="cannot be reached"):
        fetched(tmp_path, declared(server))


def test_a_file_that_somebody_brought_along_is_verified_like_any_other(
    server: FileServer, tmp_path: Path
) -> None:
    brought = tmp_path / "brought.bin"
    brought.write_bytes(CONTENT)
    database = declared(server)
    place = place_of(tmp_path / "databases", database)
    dropped = fetch(place, database, from_file(brought), 0)
    next(dropped)
    next(dropped)
    dropped.close()

    for _ in fetch(place, database, from_file(brought), 0):
        pass

    assert fault_of(place, database) is None
    assert server.asked == []
    place.discard()
    brought.write_bytes(CONTENT[:-1] + b"x")
    with pytest.raises(ContentRefused, match="SHA-256"):
        list(fetch(place, database, from_file(brought), 0))
