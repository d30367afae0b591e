"""Completing, abandoning and reading back upload sessions."""

from datetime import timedelta

import pytest
from seqfacility_instance.tables.sequencing import Read, SequencingArtifact, SequencingUpload
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import (
    FASTQ,
    OrderInHand,
    complete,
    initiate,
    send,
    submitted_order,
    upload,
)


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility)


def ready(facility: Facility, order: OrderInHand, content: bytes = FASTQ, **changes: object) -> str:
    upload_id = initiate(facility, order, len(content), **changes)
    send(facility, order, upload_id, 0, content)
    return upload_id


def active_read(order: OrderInHand) -> Read:
    return Read.get((Read.sample == order.sample_ids[0]) & Read.is_active)


def test_a_completed_file_lies_where_the_answer_says(facility: Facility, order: OrderInHand) -> None:
    upload_id = ready(facility, order)

    answer = complete(facility, order, upload_id)

    final_path = f"orders/{order.id}/reads/{order.sample_codes[0]}/soil_R1.fastq"
    assert answer.status_code == 200
    assert answer.json == {
        "success": True,
        "uploadId": upload_id,
        "finalPath": final_path,
        "size": len(FASTQ),
        "status": "COMPLETED",
    }
    assert (facility.data / final_path).read_bytes() == FASTQ
    assert not (facility.data / "orders" / order.id / ".tmp" / upload_id).exists()


def test_completing_again_answers_the_same_and_changes_nothing(
    facility: Facility, order: OrderInHand
) -> None:
    upload_id = ready(facility, order)

    first, second = complete(facility, order, upload_id), complete(facility, order, upload_id)

    assert (second.status_code, second.json) == (200, first.json)
    assert Read.select().count() == 1


def test_a_session_that_lacks_bytes_is_incomplete(facility: Facility, order: OrderInHand) -> None:
    upload_id = initiate(facility, order, 8)
    send(facility, order, upload_id, 0, b"1234567")

    answer = complete(facility, order, upload_id)

    assert (answer.status_code, answer.json) == (400, {"error": "Upload is incomplete"})


def test_a_read_needs_a_sample_by_now(facility: Facility, order: OrderInHand) -> None:
    upload_id = ready(facility, order, sampleId=None)

    answer = complete(facility, order, upload_id)

    assert (answer.status_code, answer.json) == (400, {"error": "Read uploads require a target sample"})


def test_a_cancelled_session_cannot_be_completed(facility: Facility, order: OrderInHand) -> None:
    upload_id = ready(facility, order)
    facility.admin.delete(f"{order.uploads}/{upload_id}")

    answer = complete(facility, order, upload_id)

    assert (answer.status_code, answer.json) == (
        400,
        {"error": "Upload session is closed (status: CANCELLED)"},
    )


def test_a_file_that_lost_bytes_is_incomplete_again(facility: Facility, order: OrderInHand) -> None:
    upload_id = ready(facility, order)
    path = facility.admin.get(f"{order.uploads}/{upload_id}").json["tempPath"]
    with (facility.data / path).open("r+b") as file:
        file.truncate(3)

    answer = complete(facility, order, upload_id)

    shown = facility.admin.get(f"{order.uploads}/{upload_id}").json
    assert (answer.status_code, answer.json) == (400, {"error": "Upload is incomplete"})
    assert (shown["receivedSize"], shown["status"]) == (3, "UPLOADING")


def test_a_file_of_the_same_name_is_never_replaced(facility: Facility, order: OrderInHand) -> None:
    taken = upload(facility, order, b"@a\nA\n+\nI\n")
    upload_id = ready(facility, order)

    answer = complete(facility, order, upload_id)

    folder = f"orders/{order.id}/reads/{order.sample_codes[0]}"
    assert answer.json["finalPath"] == f"{folder}/{upload_id}-soil_R1.fastq"
    assert (facility.data / taken).read_bytes() == b"@a\nA\n+\nI\n"


def test_a_name_is_taken_as_long_as_a_record_names_it(facility: Facility, order: OrderInHand) -> None:
    gone = upload(facility, order, b"@a\nA\n+\nI\n")
    (facility.data / gone).unlink()

    other = upload(facility, order)

    assert other != gone


def test_mates_join_in_one_read(facility: Facility, order: OrderInHand) -> None:
    first = upload(facility, order, checksumProvided="AAAA")
    second = upload(facility, order, targetRole="R2", originalName="soil_R2.fastq", checksumProvided="bbbb")

    read = active_read(order)
    assert (read.file1, read.file2) == (first, second)
    assert (read.checksum1, read.checksum2) == ("AAAA", "bbbb")
    assert (read.size1, read.size2) == (len(FASTQ), len(FASTQ))
    assert Read.select().count() == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"targetRole": "R1", "originalName": "again_R1.fastq"},
        {"targetRole": "R2", "metadata": {"dataClass": "cleaned"}},
    ],
)
def test_another_mate_or_class_supersedes_and_keeps_the_old_files(
    facility: Facility, order: OrderInHand, changes: dict[str, object]
) -> None:
    old_path = upload(facility, order)
    old = active_read(order)

    upload(facility, order, **changes)

    new, old = active_read(order), Read.get_by_id(old.id)
    assert new.id != old.id
    assert (old.is_active, old.superseded_by_id, old.file1) == (False, new.id, old_path)
    assert (facility.data / old_path).exists()


def test_the_class_comes_from_the_setting_when_the_upload_says_none(
    facility: Facility, order: OrderInHand
) -> None:
    facility.services.facility.change("storage", {"defaultUploadDataClass": "cleaned"}, facility.clock.now())

    upload(facility, order)

    assert active_read(order).data_class.value == "cleaned"


def test_an_artifact_goes_to_the_artifacts_of_its_order(facility: Facility, order: OrderInHand) -> None:
    path = upload(
        facility,
        order,
        b"<html>",
        targetKind="artifact",
        targetRole="multiqc_report",
        originalName="report.html",
        sampleId=None,
        checksumProvided="abc",
        mimeType="text/html",
        metadata={"visibility": "customer", "stage": "qc"},
    )

    artifact = SequencingArtifact.get()
    assert path == f"orders/{order.id}/artifacts/_order/report.html" == artifact.path
    assert (artifact.artifact_type, artifact.visibility, artifact.stage) == (
        "multiqc_report",
        "customer",
        "qc",
    )
    assert (artifact.size, artifact.checksum, artifact.mime_type) == (6, "abc", "text/html")


def test_abandoning_removes_the_bytes_and_may_be_repeated(facility: Facility, order: OrderInHand) -> None:
    upload_id = ready(facility, order)

    first = facility.admin.delete(f"{order.uploads}/{upload_id}")
    second = facility.admin.delete(f"{order.uploads}/{upload_id}")

    expected = {"success": True, "uploadId": upload_id, "status": "CANCELLED"}
    assert (first.status_code, first.json) == (second.status_code, second.json) == (200, expected)
    assert not (facility.data / "orders" / order.id / ".tmp" / upload_id).exists()


def test_a_completed_upload_cannot_be_cancelled(facility: Facility, order: OrderInHand) -> None:
    upload_id = ready(facility, order)
    path = complete(facility, order, upload_id).json["finalPath"]

    answer = facility.admin.delete(f"{order.uploads}/{upload_id}")

    assert (answer.status_code, answer.json) == (400, {"error": "A completed upload cannot be cancelled"})
    assert (facility.data / path).read_bytes() == FASTQ


def test_sessions_are_listed_newest_first_with_the_limits(facility: Facility, order: OrderInHand) -> None:
    first, second = initiate(facility, order, 5), initiate(facility, order, 5)
    send(facility, order, first, 0, b"x")

    everything = facility.admin.get(order.uploads).json
    pending = facility.admin.get(order.uploads, params={"status": "PENDING"}).json
    nothing = facility.admin.get(order.uploads, params={"status": "pending"}).json

    assert [session["uploadId"] for session in everything["uploads"]] == [second, first]
    assert [session["uploadId"] for session in pending["uploads"]] == [second]
    assert nothing["uploads"] == []
    assert everything["limits"] == {
        "maxFileBytes": None,
        "maxChunkBytes": None,
        "recommendedChunkBytes": 16777216,
        "sessionTtlHours": 168,
    }


def test_an_untouched_session_expires_and_its_folder_goes(facility: Facility, order: OrderInHand) -> None:
    upload_id = ready(facility, order)
    facility.clock.advance(timedelta(hours=168, seconds=1))

    facility.services.worker.tick(facility.clock.now())

    assert SequencingUpload.get_by_id(upload_id).status == "CANCELLED"
    assert not (facility.data / "orders" / order.id / ".tmp" / upload_id).exists()


def test_a_touched_session_lives_on(facility: Facility, order: OrderInHand) -> None:
    upload_id = initiate(facility, order, 5)
    facility.clock.advance(timedelta(hours=100))
    assert facility.services.sessions is not None
    facility.admin = facility.sign_in("admin@facility.test")
    send(facility, order, upload_id, 0, b"x")
    facility.clock.advance(timedelta(hours=100))

    facility.services.worker.tick(facility.clock.now())

    assert SequencingUpload.get_by_id(upload_id).status == "UPLOADING"


def test_the_sweep_removes_what_no_session_owns_and_nothing_else(
    facility: Facility, order: OrderInHand
) -> None:
    live = initiate(facility, order, 5)
    temp = facility.data / "orders" / order.id / ".tmp"
    stray = temp / "0123456789abcdefghjkmnpqrs"
    stray.mkdir()
    (stray / "left.fastq").write_bytes(b"x")
    outside = facility.home / "outside"
    outside.mkdir()
    (outside / "kept").write_bytes(b"x")
    (temp / "link").symlink_to(outside)
    facility.clock.advance(timedelta(hours=25))

    facility.services.worker.tick(facility.clock.now())

    assert not stray.exists()
    assert (temp / live).exists()
    assert (outside / "kept").exists()
