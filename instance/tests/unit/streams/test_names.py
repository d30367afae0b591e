"""What the names of a sequencer's files say, and how a feed goes on."""

from datetime import UTC, datetime

import pytest
from seqfacility_instance.streams.rules.cursor import cursor_after, server_sent_event
from seqfacility_instance.streams.rules.files import FileState, KnownFile, is_final_summary, is_hash_list


def test_the_final_summary_ends_a_run_and_the_sequencing_summary_does_not() -> None:
    assert is_final_summary("final_summary_FAX1_2.txt")
    assert not is_final_summary("sequencing_summary_FAX1_2.txt")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("output_hash_FAX1.csv", True),
        ("output_hash.CSV", True),
        ("output_hash.txt", False),
        ("x_output_hash.csv", False),
    ],
)
def test_a_list_of_checksums_has_its_beginning_and_its_end(name: str, expected: bool) -> None:
    assert is_hash_list(name) is expected


@pytest.mark.parametrize(("counted", "expected"), [(None, False), ((5, 1), False), ((5, 2), True)])
def test_counts_belong_to_the_state_in_which_they_were_made(
    counted: tuple[int, int] | None, expected: bool
) -> None:
    known = KnownFile(FileState(5, 2, "7"), datetime(2031, 5, 4, tzinfo=UTC), counted, None)

    assert known.is_counted is expected


def test_an_empty_page_gives_its_cursor_back() -> None:
    assert (cursor_after([4, 9], 3), cursor_after([], 3), cursor_after([], None)) == (9, 3, 0)


def test_an_event_of_the_feed_ends_with_an_empty_line() -> None:
    assert server_sent_event(7, "file", "{}") == b"id: 7\nevent: file\ndata: {}\n\n"
