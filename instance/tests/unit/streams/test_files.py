"""Which files count, and when one holds still."""

from datetime import UTC, datetime, timedelta

import pytest
from seqfacility_instance.streams.rules.files import (
    FileState,
    KnownFile,
    closed_at,
    is_left_out_folder,
    is_sequencing_file,
    is_settled,
)

NOW = datetime(2031, 5, 4, 12, 0, tzinfo=UTC)
TWO_SECONDS = timedelta(seconds=2)


def nanoseconds(timestamp: datetime) -> int:
    return int(timestamp.timestamp()) * 1_000_000_000


def known(state: FileState, since: datetime) -> KnownFile:
    return KnownFile(state, since, None, None)


@pytest.mark.parametrize("name", ["a.fastq", "a.fastq.gz", "a.fq", "a.FQ.GZ"])
def test_fastq_files_count(name: str) -> None:
    assert is_sequencing_file(name)


@pytest.mark.parametrize("name", [".a.fastq", "a.fasta", "a.fastq.tmp", "a.bam", "a.fastq.gz.md5"])
def test_other_files_do_not(name: str) -> None:
    assert not is_sequencing_file(name)


@pytest.mark.parametrize(
    ("name", "include_failed", "is_left_out"),
    [
        ("fastq_pass", False, False),
        ("fastq_skip", True, True),
        ("fastq_fail", False, True),
        ("fastq_fail", True, False),
        (".Trash", True, True),
    ],
)
def test_skipped_and_hidden_folders_are_left_out(name: str, include_failed: bool, is_left_out: bool) -> None:
    assert is_left_out_folder(name, include_failed=include_failed) is is_left_out


@pytest.mark.parametrize(("age", "settled"), [(1, False), (2, True), (3, True)])
def test_a_file_is_settled_at_the_age_of_stability(age: int, settled: bool) -> None:
    state = FileState(10, nanoseconds(NOW - timedelta(seconds=age)), "1")

    assert is_settled(known(state, NOW - timedelta(seconds=1)), state, NOW, TWO_SECONDS) is settled


def test_a_file_that_changed_between_two_looks_is_not_settled() -> None:
    modified = nanoseconds(NOW - timedelta(hours=1))
    before, after = FileState(10, modified, "1"), FileState(11, modified, "1")

    assert not is_settled(known(before, NOW - timedelta(hours=1)), after, NOW, TWO_SECONDS)


def test_a_time_stamp_of_the_future_does_not_keep_a_file_away_for_ever() -> None:
    state = FileState(10, nanoseconds(NOW + timedelta(days=300)), "1")

    assert is_settled(known(state, NOW - TWO_SECONDS), state, NOW, TWO_SECONDS)


@pytest.mark.parametrize(
    ("modified", "minute"),
    [
        (NOW - timedelta(minutes=90, seconds=7), NOW - timedelta(minutes=91)),
        (NOW + timedelta(hours=1), NOW),
        (NOW - timedelta(days=400), NOW),
        (datetime(1970, 1, 1, tzinfo=UTC), NOW),
    ],
)
def test_yield_belongs_to_the_minute_in_which_the_file_was_closed(
    modified: datetime, minute: datetime
) -> None:
    started = NOW - timedelta(hours=2)

    assert closed_at(nanoseconds(modified), NOW, started, timedelta(days=30)) == minute


def test_a_time_stamp_beyond_all_calendars_is_not_believed() -> None:
    assert closed_at(2**63 - 1, NOW, NOW, timedelta(days=30)) == NOW
