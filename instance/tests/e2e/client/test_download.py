"""`seqfacility-client download` against a real service: whole and verified, or not there."""

import hashlib
import itertools
import subprocess
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from seqfacility_client.connection import Connection
from seqfacility_client.credentials import Credentials
from seqfacility_client.errors import TransferRefused
from seqfacility_client.facility import OrderAtFacility
from seqfacility_client.fetching import Fetcher
from seqfacility_client.progress import Lines
from seqfacility_client.rate import Rate
from seqfacility_testkit.cutting_proxy import cutting_proxy
from seqfacility_testkit.facility import PASSWORD, RESEARCHER

KIB = 1024
MIB = 1024 * KIB


@pytest.fixture
def delivered(workplace: Any) -> dict[str, bytes]:
    """Publish a pair; return the content of its files by place."""
    code = workplace.samples["soil"]["sampleId"]
    contents = {
        f"reads/{code}/{name}": workplace.file(name, size)
        for name, size in (("soil_R1.fastq.gz", 3 * MIB), ("soil_R2.fastq.gz", 2 * MIB + 1))
    }
    sent = workplace.run("upload", "--data-class", "cleaned", "--checksum", workplace.folder)
    assert sent[0] == 0, sent
    workplace.publish()
    return contents


def files_below(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_command_of_the_instance_sends_and_fetches_as_well(workplace: Any, tmp_path: Path) -> None:
    content = workplace.file("soil_R1.fastq.gz", KIB)
    own = {"program": "seqfacility_instance"}

    sent = workplace.run("upload", "--data-class", "cleaned", "--checksum", workplace.folder, **own)
    workplace.publish()
    fetched = workplace.run("download", tmp_path / "delivery", **own)

    assert (sent[0], sent[2], fetched[0], fetched[2]) == (0, "", 0, "")
    assert list(files_below(tmp_path / "delivery").values()) == [content]


def test_a_delivery_survives_a_line_that_breaks_and_is_verified(
    workplace: Any, delivered: dict[str, bytes], tmp_path: Path
) -> None:
    folder, result = tmp_path / "delivery", tmp_path / "result.json"

    with cutting_proxy(workplace.live.base, itertools.repeat(900 * KIB)) as proxy:
        code, said, complaint = workplace.run(
            "download", "--result", result, folder, url=proxy.address, email=RESEARCHER
        )

    assert (code, complaint) == (0, "")
    assert proxy.cuts >= 5
    assert said.count("MD5 agrees") == 2
    assert files_below(folder) == delivered
    (folder / "checksums.md5").write_bytes(
        workplace.admin.get(f"{workplace.path}/delivery/checksums.md5").content
    )
    agreed = subprocess.run(["md5sum", "-c", "checksums.md5"], cwd=folder, capture_output=True, check=False)
    assert (agreed.returncode, agreed.stdout.count(b": OK")) == (0, 2)
    told = workplace.result(result)
    assert told["complete"] is True
    assert [(file["status"], file["verified"]) for file in told["files"]] == [("fetched", True)] * 2


def test_a_download_that_was_given_up_leaves_no_half_file_and_goes_on(
    workplace: Any, delivered: dict[str, bytes], tmp_path: Path
) -> None:
    folder = tmp_path / "delivery"

    with cutting_proxy(workplace.live.base, itertools.chain([MIB] * 3, itertools.repeat(1))) as proxy:
        refused = workplace.run(
            *("download", "--parallel", "1", "--patience", "0.5", folder),
            url=proxy.address,
            email=RESEARCHER,
        )
    between = files_below(folder)
    code, said, _ = workplace.run("download", folder, email=RESEARCHER)
    again = workplace.run("download", folder, email=RESEARCHER)

    assert refused[0] == 1
    assert refused[2].startswith("error: 2 of 2 files did not arrive: ")
    assert not set(between) & set(delivered)
    assert any(content for name, content in between.items() if name.endswith(".part"))
    assert code == 0
    assert "resuming: " in said
    assert files_below(folder) == delivered
    assert (again[0], again[1].count("already-here: ")) == (0, 2)


def test_bytes_that_changed_at_the_facility_are_not_accepted(
    workplace: Any, delivered: dict[str, bytes], tmp_path: Path
) -> None:
    [read] = workplace.reads("soil")
    stored = workplace.data / read["file1"]
    stored.write_bytes(bytes(stored.stat().st_size))
    folder = tmp_path / "delivery"

    code, _, complaint = workplace.run("download", folder, email=RESEARCHER)

    assert code == 1
    assert "soil_R1.fastq.gz arrived with MD5 " in complaint
    assert "kept as soil_R1.fastq.gz.mismatch" in complaint
    assert set(files_below(folder)) & set(delivered) == {name for name in delivered if "R2" in name}


def test_a_mismatch_is_kept_and_becomes_the_file_once_the_record_is_corrected(
    workplace: Any, tmp_path: Path
) -> None:
    content = workplace.file("soil_R1.fastq.gz", 1000)
    (workplace.folder / "checksums.md5").write_text(f"{'0' * 32}  soil_R1.fastq.gz\n")
    assert workplace.run("upload", "--data-class", "cleaned", workplace.folder)[0] == 0
    workplace.publish()
    folder = tmp_path / "delivery"

    first = workplace.run("download", folder)
    second = workplace.run("download", folder)
    [kept] = folder.rglob("*.mismatch")
    between = kept.read_bytes()
    paths = {"filePaths": [workplace.reads("soil")[0]["file1"]]}
    assert workplace.admin.post("/api/files/checksum", json=paths).status_code == 200
    third = workplace.run("download", folder)

    assert (first[0], second[0], third[0]) == (1, 1, 0)
    assert "resuming: " in second[1]
    assert between == content
    assert [path.name for path in folder.rglob("*") if path.is_file()] == ["soil_R1.fastq.gz"]


def test_a_kept_mismatch_gives_way_to_what_the_facility_has_by_now(workplace: Any, tmp_path: Path) -> None:
    content = workplace.file("soil_R1.fastq.gz", 1000)
    assert workplace.run("upload", "--data-class", "cleaned", "--checksum", workplace.folder)[0] == 0
    workplace.publish()
    folder = tmp_path / "delivery"
    stored = workplace.data / workplace.reads("soil")[0]["file1"]
    stored.write_bytes(bytes(1000))

    refused = workplace.run("download", folder)
    stored.write_bytes(content)
    code, _, _ = workplace.run("download", folder)

    assert (refused[0], code) == (1, 0)
    assert [path.read_bytes() for path in folder.rglob("*") if path.is_file()] == [content]


def test_it_is_said_that_the_checksum_on_record_is_not_that_of_the_file(
    workplace: Any, tmp_path: Path
) -> None:
    workplace.file("soil_R1.fastq.gz", 1000)
    (workplace.folder / "checksums.md5").write_text(f"{'0' * 32}  soil_R1.fastq.gz\n")
    assert workplace.run("upload", "--data-class", "cleaned", workplace.folder)[0] == 0
    workplace.verify()
    workplace.publish()

    code, _, complaint = workplace.run("download", tmp_path / "delivery")

    assert code == 1
    assert "soil_R1.fastq.gz arrived as it lies at the facility" in complaint


@pytest.mark.parametrize(("computed", "is_of_the_record"), [("what arrived", True), ("another", False)])
def test_it_is_said_whose_checksum_differs(
    workplace: Any, tmp_path: Path, computed: str, is_of_the_record: bool
) -> None:
    workplace.link("soil", "soil_R1.fastq", b"@r\nA\n+\nI\n")
    md5 = hashlib.md5(b"@r\nA\n+\nI\n", usedforsecurity=False).hexdigest()
    workplace.publish()
    connection = Connection(workplace.live.base, Credentials(RESEARCHER, PASSWORD))
    order = OrderAtFacility(connection, workplace.order_id)
    connection.sign_in()
    stop = Event()
    fetcher = Fetcher(order, 10, Lines(), Rate(stop), stop)
    [file] = order.delivery()
    known = md5 if is_of_the_record else "f" * 32
    file = replace(file, checksum="0" * 32, computed=known)

    with pytest.raises(TransferRefused) as refused:
        fetcher.fetch(file, tmp_path / file.name)

    assert ("arrived as it lies at the facility" in str(refused.value)) is is_of_the_record
    assert (tmp_path / ".soil_R1.fastq.etag").exists() is is_of_the_record


def test_an_empty_file_and_one_with_the_longest_name_arrive(workplace: Any, tmp_path: Path) -> None:
    longest = "x" * 246 + ".fastq.gz"
    workplace.link("soil", "empty_R1.fastq", b"")
    workplace.link("lake", longest, b"content")
    workplace.publish()
    folder = tmp_path / "delivery"

    code, _, complaint = workplace.run("download", folder, email=RESEARCHER)
    again = workplace.run("download", folder, email=RESEARCHER)

    assert (code, complaint) == (0, "")
    assert {place.rsplit("/", 1)[1]: content for place, content in files_below(folder).items()} == {
        "empty_R1.fastq": b"",
        longest: b"content",
    }
    assert (again[0], again[1].count("already-here: ")) == (0, 2)


def test_the_empty_file_that_held_a_name_for_a_whole_part_gives_way(
    workplace: Any, delivered: dict[str, bytes], tmp_path: Path
) -> None:
    folder = tmp_path / "delivery"
    place = folder / next(iter(delivered))
    place.parent.mkdir(parents=True)
    place.touch()
    place.with_name(f".{place.name}.part").write_bytes(delivered[next(iter(delivered))])

    code, _, complaint = workplace.run("download", folder, email=RESEARCHER)

    assert (code, complaint) == (0, "")
    assert files_below(folder) == delivered


def test_another_file_in_the_place_is_never_written_over(
    workplace: Any, delivered: dict[str, bytes], tmp_path: Path
) -> None:
    folder = tmp_path / "delivery"
    first = folder / next(iter(delivered))
    first.parent.mkdir(parents=True)
    first.write_bytes(b"mine")

    code, _, complaint = workplace.run("download", folder, email=RESEARCHER)

    assert code == 1
    assert "is here already and is another file; move it away" in complaint
    assert first.read_bytes() == b"mine"


def test_a_delivery_that_is_not_published_is_told_so(workplace: Any, tmp_path: Path) -> None:
    code, said, complaint = workplace.run("download", tmp_path / "delivery", email=RESEARCHER)

    expected = f"error: the delivery of order {workplace.order_id} is not published yet\n"
    assert (code, said, complaint) == (1, "", expected)
    assert not (tmp_path / "delivery").exists()
