"""The same command once more: what is believed, what is compared, and what leaves a delivery."""

import os
from typing import Any

import pytest
from seqfacility_testkit.waiting import wait_until

NAMES = ["soil_R1.fastq.gz", "soil_R2.fastq.gz"]


@pytest.fixture
def published(workplace: Any) -> Any:
    """Publish a cleaned pair."""
    for name in NAMES:
        workplace.file(name, 1000)
    sent = workplace.run("upload", "--data-class", "cleaned", workplace.folder)
    assert sent[0] == 0, sent
    workplace.publish()
    return workplace


def test_a_repeated_upload_that_says_no_class_leaves_the_delivery_as_it_is(published: Any) -> None:
    code, said, _ = published.run("upload", published.folder)

    assert (code, said.count("already-there: ")) == (0, 2)
    assert published.delivered() == NAMES
    assert len(published.sessions()) == 2


def test_reads_leave_a_published_delivery_only_when_that_was_said(published: Any) -> None:
    published.file("soil_R1.fastq.gz", 999)
    text = "the cleaned R1 and R2 of soil, out of the published delivery"

    refused = published.run("upload", published.folder)
    planned = published.run("upload", "--dry-run", published.folder)
    between = published.delivered()
    said = published.run("upload", "--supersede", published.folder)

    assert refused[0] == 1
    assert f"it would supersede {text}; --supersede allows that" in refused[2]
    assert f"sent; refused, supersedes {text}" in planned[1]
    assert between == NAMES
    assert said[0] == 0
    assert f"soil_R1.fastq.gz supersedes {text}" in said[1]
    assert published.delivered() == []


def test_a_mate_joins_a_published_read_of_its_class_and_supersedes_one_of_another(workplace: Any) -> None:
    workplace.file("lake_R1.fastq", 100)
    assert workplace.run("upload", "--data-class", "cleaned", workplace.folder)[0] == 0
    workplace.publish()
    workplace.file("lake_R2.fastq", 100)

    refused = workplace.run("upload", workplace.folder)
    joined = workplace.run("upload", "--data-class", "cleaned", workplace.folder)

    assert refused[0] == 1
    assert "it would supersede the cleaned R1 of lake, out of the published delivery" in refused[2]
    assert (joined[0], "supersedes" in joined[1]) == (0, False)
    assert workplace.delivered() == ["lake_R1.fastq", "lake_R2.fastq"]


def test_what_is_superseded_before_publication_is_said_and_sent(workplace: Any) -> None:
    workplace.file("soil_R1.fastq", 100)
    assert workplace.run("upload", workplace.folder)[0] == 0
    workplace.file("soil_R1.fastq", 101)

    code, said, _ = workplace.run("upload", workplace.folder)

    assert code == 0
    assert said.count("soil_R1.fastq supersedes the raw R1 of soil\n") == 1


def test_a_file_that_arrived_is_believed_before_the_facility_has_hashed_it(workplace: Any) -> None:
    for name in NAMES:
        workplace.file(name, 1000)
    first = workplace.run("upload", workplace.folder)
    second = workplace.run("upload", "--patience", "0.1", workplace.folder)

    assert (first[0], second[0]) == (0, 0)
    assert second[1].count("already-there: ") == 2
    assert [session["checksumComputed"] for session in workplace.sessions()] == [None, None]
    assert [read["checksum1"] for read in workplace.reads("soil")] == [None]


def send_without_fingerprint(workplace: Any, content: bytes) -> None:
    """Send `soil_R1.fastq` as another client would."""
    body = {
        "targetKind": "read",
        "targetRole": "R1",
        "originalName": "soil_R1.fastq",
        "expectedSize": len(content),
        "sampleId": workplace.samples["soil"]["id"],
    }
    uploads = f"{workplace.path}/uploads"
    upload_id = workplace.admin.post(uploads, json=body).json()["uploadId"]
    headers = {"x-service-offset": "0"}
    assert workplace.admin.patch(f"{uploads}/{upload_id}", data=content, headers=headers).status_code == 200
    assert workplace.admin.post(f"{uploads}/{upload_id}/complete").status_code == 200


def test_the_file_of_another_client_is_compared_once_the_worker_has_hashed_it(workplace: Any) -> None:
    send_without_fingerprint(workplace, workplace.file("soil_R1.fastq", 1000))

    planned = workplace.run("upload", "--dry-run", workplace.folder)
    given_up = workplace.run("upload", "--patience", "0.1", workplace.folder)
    client = workplace.start("upload", workplace.folder)
    workplace.verify()
    code, said, _ = client.ended()

    assert "compared with the file of this name and size there" in planned[1]
    assert given_up[0] == 1
    assert "the facility has not hashed orders/" in given_up[2]
    assert (code, said.count("already-there: ")) == (0, 1)
    assert len(workplace.sessions()) == 1


def test_a_file_that_was_touched_is_compared_by_content(workplace: Any) -> None:
    workplace.file("soil_R1.fastq", 1000)
    assert workplace.run("upload", workplace.folder)[0] == 0
    workplace.verify()
    os.utime(workplace.folder / "soil_R1.fastq", ns=(1, 1))

    again = workplace.run("upload", workplace.folder)
    (workplace.folder / "soil_R1.fastq").write_bytes(bytes(1000))
    changed = workplace.run("upload", workplace.folder)

    assert again[1].startswith("already-there: ")
    assert changed[1].count("\nsent: ") == 1
    assert (workplace.data / workplace.reads("soil")[0]["file1"]).exists()


def test_a_copy_that_was_damaged_at_the_facility_is_sent_again(workplace: Any) -> None:
    workplace.file("soil_R1.fastq", 1000)
    assert workplace.run("upload", "--checksum", workplace.folder)[0] == 0
    [read] = workplace.reads("soil")
    (workplace.data / read["file1"]).write_bytes(bytes(1000))
    workplace.verify()

    code, said, _ = workplace.run("upload", workplace.folder)

    assert code == 0
    assert "\nsent: " in said
    wait_until(lambda: len(workplace.sessions()) == 2, "it was sent again")
