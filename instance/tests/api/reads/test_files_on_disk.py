"""What lies below the data folder and may be linked."""

import os
from pathlib import Path
from typing import Any

import pytest
from falcon.testing import Result
from seqfacility_instance.core import limits
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import FASTQ, OrderInHand, draft_order, submitted_order, upload


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility, samples=2)


@pytest.fixture
def runs(facility: Facility) -> Path:
    folder = facility.data / "runs"
    folder.mkdir()
    return folder


def listed(facility: Facility, order: OrderInHand, **query: str) -> Result:
    return facility.admin.get(f"/api/orders/{order.id}/sequencing/files-on-disk", params=query)


def paths(answer: Result) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [file["path"] for file in answer.json["files"]]


def folders(answer: Result) -> list[str]:
    found: list[Any] = answer.json["folders"]
    return [folder["path"] for folder in found]


def test_a_folder_is_listed_with_its_read_files_and_its_folders(
    facility: Facility, order: OrderInHand, runs: Path
) -> None:
    (runs / "b_R1.fastq").write_bytes(FASTQ)
    (runs / "a_R1.FASTQ.gz").write_bytes(b"gz")
    (runs / "notes.txt").write_text("no reads")
    (runs / "241126").mkdir()
    (runs / "241126" / "c.fq").write_bytes(FASTQ)

    answer = listed(facility, order, folder="runs")

    assert paths(answer) == ["runs/a_R1.FASTQ.gz", "runs/b_R1.fastq"]
    assert folders(answer) == ["runs/241126"]
    assert answer.json["files"][1]["size"] == len(FASTQ)
    assert (answer.json["folder"], answer.json["hasMore"]) == ("runs", False)


def test_files_of_the_folders_below_are_listed_when_they_are_asked_for(
    facility: Facility, order: OrderInHand, runs: Path
) -> None:
    deep = runs / "1" / "2" / "3" / "4"
    (deep / "5").mkdir(parents=True)
    (deep / "deep.fastq").write_bytes(FASTQ)
    (deep / "5" / "too_deep.fastq").write_bytes(FASTQ)

    assert paths(listed(facility, order, folder="runs")) == []
    assert paths(listed(facility, order, folder="runs", below="true")) == ["runs/1/2/3/4/deep.fastq"]


def test_the_data_folder_itself_is_where_it_begins(
    facility: Facility, order: OrderInHand, runs: Path
) -> None:
    answer = listed(facility, order)

    assert (answer.json["folder"], "runs" in folders(answer)) == ("", True)


def test_links_and_names_that_cannot_be_sent_back_are_left_out(
    facility: Facility, order: OrderInHand, runs: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.fastq").write_bytes(FASTQ)
    (runs / "link.fastq").symlink_to(outside / "secret.fastq")
    (runs / "folder").symlink_to(outside)
    for name in (".hidden.fastq", "two\nlines.fastq", "back\\slash.fastq", " blank.fastq", "gap .fastq "):
        (runs / name).write_bytes(FASTQ)
    (runs / ".tmp").mkdir()
    (runs / ".tmp" / "part.fastq").write_bytes(FASTQ)
    (Path(os.fsdecode(os.fsencode(runs) + b"/\xff.fastq"))).write_bytes(FASTQ)
    os.mkfifo(runs / "pipe.fastq")
    (runs / "<b>été.fastq").write_bytes(FASTQ)

    answer = listed(facility, order, folder="runs", below="true")

    assert (paths(answer), folders(answer)) == (["runs/<b>été.fastq"], [])


@pytest.mark.parametrize(
    ("folder", "status", "words"),
    [
        ("../up", 400, "Invalid file path"),
        ("/etc", 400, "Invalid file path"),
        (".tmp", 400, "Invalid file path"),
        ("a\0b", 404, "Folder not found"),
        ("none", 404, "Folder not found"),
        ("runs/a.fastq", 404, "Folder not found"),
        ("runs/out", 400, "Invalid file path"),
    ],
)
def test_a_folder_that_cannot_be_listed_is_refused(
    facility: Facility, order: OrderInHand, runs: Path, folder: str, status: int, words: str
) -> None:
    (runs / "a.fastq").write_bytes(FASTQ)
    (runs / "out").symlink_to("/etc")

    answer = listed(facility, order, folder=folder)

    assert (answer.status_code, answer.json) == (status, {"error": words})


def test_what_linking_would_refuse_is_refused_alike(facility: Facility, order: OrderInHand) -> None:
    draft = listed(facility, draft_order(facility))
    facility.admin.patch("/api/admin/settings/storage", {"dataBasePath": None})
    nowhere = listed(facility, order)

    assert draft.status_code == 400
    assert draft.json["error"].startswith("Sequencing data can only be managed on submitted")
    assert (nowhere.status_code, nowhere.json) == (400, {"error": "Data base path not configured"})


def test_a_file_says_whose_it_is(facility: Facility, order: OrderInHand) -> None:
    path = upload(facility, order)

    (file,) = listed(facility, order, folder=path.rpartition("/")[0]).json["files"]

    assert file["path"] == path
    assert file["usedBy"] == {
        "orderNumber": facility.admin.get(f"/api/orders/{order.id}").json["order"]["orderNumber"],
        "sampleId": order.sample_codes[0],
        "sampleAlias": "soil 0",
        "isActive": True,
    }


def test_a_full_disk_is_listed_in_part(
    facility: Facility, order: OrderInHand, runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(4):
        (runs / f"{number}.fastq").write_bytes(FASTQ)
        (runs / f"{number}").mkdir()

    monkeypatch.setattr(limits, "DISK_FILES", 4)
    monkeypatch.setattr(limits, "DISK_FOLDERS", 4)
    assert listed(facility, order, folder="runs").json["hasMore"] is False
    monkeypatch.setattr(limits, "DISK_FILES", 3)
    fewer_files = listed(facility, order, folder="runs")
    monkeypatch.setattr(limits, "DISK_FILES", 4)
    monkeypatch.setattr(limits, "DISK_FOLDERS", 3)
    fewer_folders = listed(facility, order, folder="runs")
    monkeypatch.setattr(limits, "DISK_ENTRIES_SEEN", 5)
    fewer_seen = listed(facility, order, folder="runs")

    assert (len(fewer_files.json["files"]), fewer_files.json["hasMore"]) == (3, True)
    assert (len(fewer_folders.json["folders"]), fewer_folders.json["hasMore"]) == (3, True)
    assert fewer_seen.json["hasMore"] is True


def test_no_visitor_of_the_demonstration_sees_the_facilitys_folders(
    facility: Facility, order: OrderInHand
) -> None:
    assert facility.researcher.get(f"/api/orders/{order.id}/sequencing/files-on-disk").status_code == 403
