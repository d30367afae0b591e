"""The numbers of the live picture."""

import pytest
from seqfacility_instance.streams.rules.picture import (
    Step,
    mean_quality,
    minutes_per_point,
    n50,
)

MINUTE = 60_000


def test_half_of_all_bases_are_in_reads_of_the_n50_or_longer() -> None:
    assert n50([Step(100, 10, 1000), Step(900, 1, 900), Step(50, 2, 100)]) == 100
    assert n50([Step(100, 10, 1000), Step(900, 2, 1800)]) == 900


def test_the_n50_of_reads_of_one_length_is_that_length() -> None:
    assert n50([Step(140, 8, 8 * 150)]) == 150


def test_without_bases_there_is_no_n50() -> None:
    assert n50([]) is None
    assert n50([Step(0, 3, 0)]) is None


@pytest.mark.parametrize(("errors", "bases", "quality"), [(100_000, 1, 10.0), (1000, 1, 30.0), (0, 0, None)])
def test_mean_quality_is_that_of_the_mean_error(errors: int, bases: int, quality: float | None) -> None:
    assert mean_quality(errors, bases) == quality


@pytest.mark.parametrize(
    ("minutes", "width"), [(1, 1), (720, 1), (721, 5), (3600, 5), (3601, 15), (10**7, 1440)]
)
def test_a_curve_has_no_more_points_than_a_screen_shows(minutes: int, width: int) -> None:
    assert minutes_per_point(0, (minutes - 1) * MINUTE) == width
