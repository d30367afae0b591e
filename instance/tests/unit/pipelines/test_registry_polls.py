"""When a facility polls: once a day, at a time of its own."""

from collections import Counter
from datetime import UTC, datetime, timedelta

from seqfacility_instance.core.ids import new_id
from seqfacility_instance.pipelines.registry_polls import next_poll

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def test_a_facility_polls_at_the_same_time_of_each_day() -> None:
    for facility in (new_id() for _ in range(100)):
        first = next_poll(facility, NOON)

        assert NOON < first <= NOON + DAY
        assert next_poll(facility, first - timedelta(microseconds=1)) == first
        assert next_poll(facility, first) == first + DAY
        assert next_poll(facility, first + timedelta(hours=5)) == first + DAY


def test_facilities_are_spread_over_the_day() -> None:
    hours = Counter(next_poll(f"facility-{number}", NOON).hour for number in range(24_000))

    assert set(hours) == set(range(24))
    assert max(hours.values()) < 1_200
