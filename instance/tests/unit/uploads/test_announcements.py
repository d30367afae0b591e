"""What a client may say of the file that it wants to send, and of each chunk."""

import pytest
from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.sequencing import UploadKind, UploadStatus
from seqfacility_instance.uploads.errors import (
    ChunkExceedsFile,
    ChunkTooLarge,
    ExtensionNotAllowed,
    NotAFileName,
    OffsetMismatch,
    OffsetMissing,
    OffsetNotAnInteger,
    SessionClosed,
    SizeNotPositive,
    UnknownKind,
    UnknownRole,
)
from seqfacility_instance.uploads.rules import (
    check_chunk_length,
    check_offset,
    check_open,
    check_read_extension,
    check_role,
    check_size,
    file_name,
    read_kind,
    read_offset,
)


def test_a_kind_is_one_of_the_words() -> None:
    assert read_kind("read") is UploadKind.READ

    for value in (None, "", "READ", 1, ["read"]):
        with pytest.raises(UnknownKind):
            read_kind(value)


def test_a_role_belongs_to_its_kind() -> None:
    assert check_role(UploadKind.READ, "R2") == "R2"

    for kind, value in ((UploadKind.READ, "qc-report"), (UploadKind.ARTIFACT, "R1"), (UploadKind.READ, None)):
        with pytest.raises(UnknownRole):
            check_role(kind, value)


@pytest.mark.parametrize("value", [0, -1, 1.0, "1", True, None])
def test_a_size_is_a_whole_number_above_nothing(value: object) -> None:
    assert check_size(1) == 1

    with pytest.raises(SizeNotPositive):
        check_size(value)


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("a.fastq", "a.fastq"),
        ("C:\\reads\\a.fastq", "a.fastq"),
        ("../../a..b.fastq", "a..b.fastq"),
        (" a ", "a"),
        ("x" * limits.FILE_NAME_MAX_BYTES, "x" * limits.FILE_NAME_MAX_BYTES),
    ],
)
def test_the_last_component_is_the_name(said: str, name: str) -> None:
    assert file_name(said) == name


@pytest.mark.parametrize(
    "said", [None, 1, "", "a/", "a/..", ".hidden", "a\n.fastq", "a\x85", "é" * limits.FILE_NAME_MAX_BYTES]
)
def test_what_no_folder_should_hold_is_not_a_name(said: object) -> None:
    with pytest.raises(NotAFileName):
        file_name(said)


def test_a_read_has_an_extension_of_reads() -> None:
    check_read_extension("a.FQ", [".fq"])

    with pytest.raises(ExtensionNotAllowed):
        check_read_extension("a.bam", [".fq"])


def test_an_offset_is_digits_and_spaces_around_them() -> None:
    assert read_offset(" 0012 ") == 12

    for header in (None, "", "  "):
        with pytest.raises(OffsetMissing):
            read_offset(header)
    for header in ("-1", "+1", "1.0", "1 2", "٣", "-" + "1" * 20):
        with pytest.raises(OffsetNotAnInteger):
            read_offset(header)


@pytest.mark.parametrize("status", UploadStatus)
def test_nothing_is_added_to_a_session_that_ended(status: UploadStatus) -> None:
    if status in {UploadStatus.PENDING, UploadStatus.UPLOADING, UploadStatus.READY}:
        check_open(status)
        return
    with pytest.raises(SessionClosed):
        check_open(status)


def test_a_wrong_offset_is_answered_with_the_true_one() -> None:
    check_offset(5, 5)

    with pytest.raises(OffsetMismatch) as raised:
        check_offset(4, 5)

    assert raised.value.extra == {"receivedSize": 5}


def test_a_chunk_fits_its_bound_and_its_file_to_the_byte() -> None:
    check_chunk_length(10, offset=90, expected=100, max_chunk_bytes=10)
    check_chunk_length(100, offset=0, expected=100, max_chunk_bytes=None)

    with pytest.raises(ChunkTooLarge):
        check_chunk_length(11, offset=0, expected=100, max_chunk_bytes=10)
    with pytest.raises(ChunkExceedsFile):
        check_chunk_length(11, offset=90, expected=100, max_chunk_bytes=11)
