"""Names, offsets and statuses of upload sessions."""

from datetime import UTC, datetime, timedelta

import pytest
from seqfacility_instance.core.vocabulary.sequencing import UploadKind, UploadStatus
from seqfacility_instance.reads.rules import has_extension
from seqfacility_instance.uploads.errors import FileTooLarge, NotEnoughSpace
from seqfacility_instance.uploads.rules import (
    check_room,
    expires_at,
    final_folder,
    final_names,
    status_after,
)

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("name", "is_allowed"),
    [
        ("a.fastq.gz", True),
        ("a.FASTQ.GZ", True),
        ("a.fq", True),
        (".fastq", False),
        ("fastq", False),
        ("a.fastq.bz2", False),
    ],
)
def test_an_extension_needs_a_name_before_it(name: str, is_allowed: bool) -> None:
    assert has_extension(name, [".fastq.gz", ".fq.gz", ".fastq", ".fq"]) is is_allowed


def test_the_reserve_must_stay_free() -> None:
    check_room(10, free_bytes=110, min_free_bytes=100, max_file_bytes=10)

    with pytest.raises(NotEnoughSpace):
        check_room(11, free_bytes=110, min_free_bytes=100, max_file_bytes=None)


def test_the_largest_file_is_asked_before_the_space() -> None:
    with pytest.raises(FileTooLarge):
        check_room(11, free_bytes=0, min_free_bytes=100, max_file_bytes=10)


def test_a_session_is_ready_exactly_when_all_bytes_are_there() -> None:
    assert status_after(9, 10) is UploadStatus.UPLOADING
    assert status_after(10, 10) is UploadStatus.READY


def test_a_closed_session_does_not_expire() -> None:
    assert expires_at(UploadStatus.READY, NOON, 168) == NOON + timedelta(days=7)
    assert expires_at(UploadStatus.COMPLETED, NOON, 168) is None
    assert expires_at(UploadStatus.CANCELLED, NOON, 168) is None


def test_files_go_to_the_folder_of_their_sample() -> None:
    assert final_folder(UploadKind.READ, "o1", "S-1-A") == "orders/o1/reads/S-1-A"
    assert final_folder(UploadKind.ARTIFACT, "o1", "S-1-A") == "orders/o1/artifacts/S-1-A"
    assert final_folder(UploadKind.ARTIFACT, "o1", None) == "orders/o1/artifacts/_order"


def test_a_taken_name_gets_the_id_of_its_session_in_front() -> None:
    assert final_names("u1", "a.fastq") == ("a.fastq", "u1-a.fastq")
