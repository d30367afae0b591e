"""What the background worker finds in uploaded files; it never changes the answer of the completion."""

import gzip
import hashlib

import pytest
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import FASTQ, OrderInHand, submitted_order, upload


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility)


def verified(facility: Facility, order: OrderInHand) -> list[dict[str, object]]:
    """Let the worker work; return the sessions, newest first."""
    facility.services.worker.tick(facility.clock.now())
    sessions: list[dict[str, object]] = facility.admin.get(order.uploads).json["uploads"]
    return sessions


def read_of(facility: Facility, order: OrderInHand) -> dict[str, object]:
    reads = facility.admin.get(f"/api/samples/{order.sample_ids[0]}").json["sample"]["reads"]
    found: dict[str, object] = next(read for read in reads if read["isActive"])
    return found


def intake(shown: object) -> dict[str, object]:
    assert isinstance(shown, dict)
    return {key: value for key, value in shown.items() if key != "checkedAt"}


SOUND = {
    "verdict": "ok",
    "gzipIntact": None,
    "recordShape": True,
    "matesInStep": None,
    "readCount": 2,
    "baseCount": 8,
    "problems": [],
}


def test_a_sound_plain_file(facility: Facility, order: OrderInHand) -> None:
    upload(facility, order)

    session = verified(facility, order)[0]
    read = read_of(facility, order)

    md5 = hashlib.md5(FASTQ, usedforsecurity=False).hexdigest()
    assert (session["checksumComputed"], session["checksumMatches"]) == (md5, None)
    assert intake(session["intake"]) == intake(read["intake1"]) == SOUND
    assert (read["checksum1"], read["checksumVerified1"], read["readCount1"]) == (md5, None, 2)


def test_a_provided_checksum_is_compared_without_case_and_kept(
    facility: Facility, order: OrderInHand
) -> None:
    md5 = hashlib.md5(FASTQ, usedforsecurity=False).hexdigest().upper()
    upload(facility, order, checksumProvided=md5)

    session = verified(facility, order)[0]
    read = read_of(facility, order)

    assert (session["checksumProvided"], session["checksumMatches"]) == (md5, True)
    assert (read["checksum1"], read["checksumVerified1"]) == (md5, True)


def test_a_wrong_checksum_is_shown_and_blocks_nothing(facility: Facility, order: OrderInHand) -> None:
    upload(facility, order, checksumProvided="0" * 32)

    session = verified(facility, order)[0]
    read = read_of(facility, order)

    assert session["checksumMatches"] is False
    assert (read["checksum1"], read["checksumVerified1"], read["isActive"]) == ("0" * 32, False, True)


@pytest.mark.parametrize(
    ("content", "gzip_intact", "record_shape"),
    [
        (gzip.compress(FASTQ, mtime=0) + gzip.compress(FASTQ.replace(b"r", b"q"), mtime=0), True, True),
        (gzip.compress(FASTQ, mtime=0)[:-4], False, None),
        (b"no gzip at all", False, None),
        (gzip.compress(b"@r1\nACGT\n+\nIII\n", mtime=0), True, False),
        (gzip.compress(b"@r1\nACGT\n+\n", mtime=0), True, False),
    ],
)
def test_gzip_and_records_are_judged_apart(
    facility: Facility, order: OrderInHand, content: bytes, gzip_intact: bool, record_shape: bool | None
) -> None:
    upload(facility, order, content, originalName="soil_R1.fastq.gz")

    found = intake(verified(facility, order)[0]["intake"])

    is_sound = gzip_intact and record_shape
    assert (found["gzipIntact"], found["recordShape"]) == (gzip_intact, record_shape)
    assert found["verdict"] == ("ok" if is_sound else "problem")
    assert bool(found["problems"]) is not is_sound


@pytest.mark.parametrize(
    ("second", "in_step"),
    [
        (b"@r1 2:N:0\nAAAA\n+\nIIII\n@r2/2 x\nCCCC\n+\nIIII\n", True),
        (b"@r2\nAAAA\n+\nIIII\n@r1\nCCCC\n+\nIIII\n", False),
        (b"@r1\nAAAA\n+\nIIII\n", False),
        (b"@r\nAAAA\n+\nIIII\n@1r2\nCCCC\n+\nIIII\n", False),
    ],
)
def test_mates_are_compared_by_the_names_of_their_reads(
    facility: Facility, order: OrderInHand, second: bytes, in_step: bool
) -> None:
    upload(facility, order)
    upload(facility, order, second, targetRole="R2", originalName="soil_R2.fastq")

    sessions = verified(facility, order)
    read = read_of(facility, order)

    for shown in (sessions[0]["intake"], sessions[1]["intake"], read["intake1"], read["intake2"]):
        found = intake(shown)
        assert found["matesInStep"] is in_step
        assert found["verdict"] == ("ok" if in_step else "problem")


def test_an_artifact_is_hashed_and_nothing_more(facility: Facility, order: OrderInHand) -> None:
    upload(facility, order, b"x", targetKind="artifact", targetRole="attachment", sampleId=None)

    session = verified(facility, order)[0]

    assert session["checksumComputed"] == "9dd4e461268c8034f5c8564e155c67a6"


def test_verification_can_be_switched_off(facility: Facility, order: OrderInHand) -> None:
    facility.services.facility.change("uploads", {"verifyInBackground": False}, facility.clock.now())
    upload(facility, order)

    assert verified(facility, order)[0]["checksumComputed"] is None


def test_a_file_that_was_deleted_meanwhile_is_passed_over(facility: Facility, order: OrderInHand) -> None:
    path = upload(facility, order)
    (facility.data / path).unlink()

    assert verified(facility, order)[0]["checksumComputed"] is None
