"""Which session a file goes on with, and when it need not be sent."""

from dataclasses import replace
from typing import Any

import pytest
from seqfacility_instance.core.vocabulary.sequencing import UploadStatus
from seqfacility_instance.uploads.matching.sessions import (
    KnownSessions,
    Session,
    Wanted,
    is_same_content,
)

WANTED = Wanted("a.fastq", 100, "s1", "R1", None, None, "print")
OPEN = Session("u1", "a.fastq", 100, "s1", "R1", UploadStatus.UPLOADING, 40, fingerprint="print")
COMPLETED = replace(OPEN, status=UploadStatus.COMPLETED, final_path="orders/o/reads/s1/a.fastq")


def open_session(sessions: list[Session], wanted: Wanted) -> Session | None:
    return KnownSessions(sessions, {}).open_session(wanted)


def arrived_sessions(sessions: list[Session], wanted: Wanted, in_use: dict[str, str | None]) -> list[Session]:
    known = KnownSessions(sessions, in_use)
    filed = known.filed(wanted)
    return [*([filed] if filed else []), *known.same_name(wanted)]


def test_the_open_session_of_the_same_file_goes_on() -> None:
    assert open_session([OPEN], WANTED) == OPEN


def test_of_several_sessions_the_fullest_goes_on() -> None:
    fuller = replace(OPEN, upload_id="u2", received=60)

    assert open_session([OPEN, fuller], WANTED) == fuller


def test_a_session_of_a_client_without_fingerprints_goes_on() -> None:
    other = replace(OPEN, fingerprint=None)

    assert open_session([other], WANTED) == other


@pytest.mark.parametrize(
    "other",
    [
        replace(OPEN, name="b.fastq"),
        replace(OPEN, size=101),
        replace(OPEN, sample_id="s2"),
        replace(OPEN, role="R2"),
        replace(OPEN, status=UploadStatus.CANCELLED),
        replace(OPEN, fingerprint="another state of the file"),
        COMPLETED,
    ],
)
def test_the_session_of_another_file_does_not_go_on(other: Session) -> None:
    assert open_session([other], WANTED) is None


def test_a_checksum_is_only_another_one_when_both_are_known() -> None:
    other = replace(OPEN, checksum_provided="1" * 32)

    assert open_session([OPEN], replace(WANTED, md5="0" * 32)) == OPEN
    assert open_session([other], WANTED) == other
    assert open_session([other], replace(WANTED, md5="0" * 32)) is None


def test_a_name_whose_accent_is_stored_apart_is_the_same_name() -> None:
    composed = replace(OPEN, name="s\u00f3il.fastq")

    assert open_session([composed], replace(WANTED, name="so\u0301il.fastq")) == composed


@pytest.mark.parametrize(
    ("there", "words"),
    [
        ({"size": 101}, "of a file with 101 bytes, and this one has 100"),
        ({"fingerprint": "other"}, "of another state of the file: its ends or its time of change differ"),
        ({"data_class": "raw"}, "of data of the class raw"),
        ({"sequencing_run_id": "run2"}, "for another sequencing run"),
        ({"checksum_provided": "1" * 32}, "of a file with another checksum"),
    ],
)
def test_it_is_said_why_an_unfinished_upload_does_not_go_on(there: dict[str, Any], words: str) -> None:
    asked = {"data_class": "cleaned", "sequencing_run_id": "run1"}
    wanted = replace(WANTED, md5="0" * 32, **asked)
    known = KnownSessions([replace(OPEN, **{**asked, **there})], {})

    assert known.open_session(wanted) is None
    assert known.difference(wanted) == f"An unfinished upload of this name is there, {words}"


def test_what_is_not_known_of_a_file_makes_no_difference_but_no_equality_either() -> None:
    blind = replace(WANTED, fingerprint=None)

    assert open_session([OPEN], blind) == OPEN
    assert not is_same_content(replace(COMPLETED, fingerprint=None), blind)
    assert KnownSessions([], {}).difference(WANTED) is None


@pytest.mark.parametrize("asked", [{"data_class": "cleaned"}, {"sequencing_run_id": "run1"}])
def test_what_was_asked_for_decides_and_what_was_not_does_not(asked: dict[str, str]) -> None:
    fitting = replace(OPEN, data_class="cleaned", sequencing_run_id="run1")

    assert open_session([fitting], WANTED) == fitting
    assert open_session([fitting], replace(WANTED, **asked)) == fitting
    assert open_session([OPEN], replace(WANTED, **asked)) is None


@pytest.mark.parametrize("asked", [None, "cleaned"])
def test_a_completed_session_counts_while_its_file_is_in_use(asked: str | None) -> None:
    in_use = {"orders/o/reads/s1/a.fastq": "cleaned"}

    assert arrived_sessions([COMPLETED], replace(WANTED, data_class=asked), in_use) == [COMPLETED]


def test_a_file_in_use_as_another_class_than_asked_for_does_not_count() -> None:
    in_use = {"orders/o/reads/s1/a.fastq": "raw"}

    assert arrived_sessions([COMPLETED], replace(WANTED, data_class="cleaned"), in_use) == []


def test_a_completed_session_whose_file_was_superseded_does_not_count() -> None:
    assert arrived_sessions([COMPLETED], WANTED, {}) == []


MD5, OTHER = "0" * 32, "1" * 32


@pytest.mark.parametrize(
    ("session", "md5", "is_same"),
    [
        ({}, None, True),
        ({}, MD5, True),
        ({"checksum_computed": MD5}, MD5, True),
        ({"checksum_computed": MD5, "checksum_provided": MD5}, None, True),
        ({"checksum_computed": MD5, "checksum_provided": OTHER}, None, False),
        ({"checksum_computed": OTHER}, MD5, False),
        ({"checksum_provided": OTHER}, MD5, False),
        ({"fingerprint": None, "checksum_computed": MD5}, MD5, False),
        ({"fingerprint": "another state of the file"}, None, False),
    ],
)
def test_equal_fingerprints_are_believed_unless_a_checksum_says_otherwise(
    session: dict[str, Any], md5: str | None, is_same: bool
) -> None:
    assert is_same_content(replace(COMPLETED, **session), replace(WANTED, md5=md5)) is is_same
