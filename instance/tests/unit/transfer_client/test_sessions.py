"""Which session a file goes on with, and when it need not be sent."""

from dataclasses import replace

import pytest
from seqfacility_instance.transfer_client.rules.sessions import (
    Session,
    Wanted,
    arrived_sessions,
    open_session,
)

WANTED = Wanted("a.fastq", 100, "s1", "R1", None, None, "print")
OPEN = Session("u1", "a.fastq", 100, "s1", "R1", "UPLOADING", 40, fingerprint="print")
COMPLETED = replace(OPEN, status="COMPLETED", final_path="orders/o/reads/s1/a.fastq")


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
        replace(OPEN, status="CANCELLED"),
        replace(OPEN, fingerprint="another state of the file"),
        replace(OPEN, data_class="cleaned"),
        COMPLETED,
    ],
)
def test_the_session_of_another_file_does_not_go_on(other: Session) -> None:
    assert open_session([other], WANTED) is None


def test_a_session_without_the_checksum_that_is_to_be_sent_does_not_go_on() -> None:
    assert open_session([OPEN], replace(WANTED, md5="0" * 32)) is None


def test_a_completed_session_counts_while_its_file_is_in_use() -> None:
    assert arrived_sessions([COMPLETED], WANTED, {"orders/o/reads/s1/a.fastq"}) == [COMPLETED]


def test_a_completed_session_whose_file_was_superseded_does_not_count() -> None:
    assert arrived_sessions([COMPLETED], WANTED, set()) == []
