"""Moments on the wire."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from seqfacility_wire.timestamps import format_time, parse_date, parse_time


def test_a_moment_is_written_in_utc_with_milliseconds() -> None:
    timestamp = datetime(2031, 5, 4, 11, 8, 7, 123_999, tzinfo=timezone(timedelta(hours=2)))

    assert format_time(timestamp) == "2031-05-04T09:08:07.123Z"


@given(st.datetimes(min_value=datetime(1900, 1, 1), max_value=datetime(2200, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001
def test_what_was_written_is_read_back_to_the_millisecond(timestamp: datetime) -> None:
    read = parse_time(format_time(timestamp))

    assert timedelta() <= timestamp - read < timedelta(milliseconds=1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2031-05-04T09:08:07Z", datetime(2031, 5, 4, 9, 8, 7, tzinfo=UTC)),
        ("2031-05-04T09:08:07", datetime(2031, 5, 4, 9, 8, 7, tzinfo=UTC)),
        ("2031-05-04 09:08", datetime(2031, 5, 4, 9, 8, tzinfo=UTC)),
        ("2031-05-04T09:08:07.5+02:00", datetime(2031, 5, 4, 7, 8, 7, 500_000, tzinfo=UTC)),
        ("2031-05-04t09:08:07,123456789-0130", datetime(2031, 5, 4, 10, 38, 7, 123_456, tzinfo=UTC)),
    ],
)
def test_any_offset_is_understood_and_none_means_utc(text: str, expected: datetime) -> None:
    assert parse_time(text) == expected


@pytest.mark.parametrize(
    "text", ["", "2031-05-04", "yesterday", "2031-13-04T09:08:07Z", "0001-01-01T00:00:00+14:00"]
)
def test_what_is_no_moment_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        parse_time(text)


@pytest.mark.parametrize("text", ["2031-5-4", "20310504", "2031-05-04T00:00", "2031-02-30"])
def test_a_date_has_exactly_one_form(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        parse_date(text)
