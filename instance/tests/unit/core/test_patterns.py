"""Patterns that other people wrote end in time, and cost no other pattern its turn."""

import pytest
from seqfacility_instance.core.patterns import PatternChecks, PatternTooSlow, is_readable

CATASTROPHIC = "(a|aa)+"
ENDLESS = "a" * 100 + "b"
"""A matcher that tries every way to cut this into `a` and `aa` needs longer than the sun will shine."""


def test_a_pattern_matches_the_whole_text() -> None:
    checks = PatternChecks()

    assert checks.is_match("[A-Z]{2}[0-9]+", "AB12")
    assert not checks.is_match("[A-Z]{2}[0-9]+", "AB12x")


@pytest.mark.timeout(60)
def test_a_catastrophic_pattern_is_given_up_and_not_tried_again() -> None:
    checks = PatternChecks()
    with pytest.raises(PatternTooSlow):
        checks.is_match(CATASTROPHIC, ENDLESS)
    left = checks.seconds_left

    with pytest.raises(PatternTooSlow):
        checks.is_match(CATASTROPHIC, "a")

    assert checks.seconds_left == left


@pytest.mark.timeout(60)
def test_a_good_pattern_is_still_checked_after_a_bad_one() -> None:
    checks = PatternChecks()
    with pytest.raises(PatternTooSlow):
        checks.is_match(CATASTROPHIC, ENDLESS)
    checks.seconds_left = 1.0

    assert checks.is_match("a+", "aaa")


def test_nothing_is_matched_once_the_allowance_of_a_request_is_spent() -> None:
    with pytest.raises(PatternTooSlow):
        PatternChecks(seconds_left=0).is_match("a", "a")


@pytest.mark.parametrize("pattern", ["[", "(", "a{2,1}", "(?<x>a)(?P<x", "*"])
def test_what_is_no_regular_expression_is_not_readable(pattern: str) -> None:
    assert not is_readable(pattern)


@pytest.mark.parametrize("pattern", ["", "(?=.*[0-9])[A-Z0-9]+", r"(.)\1", r"\d{4}-\d{2}", "(a+)+$"])
def test_look_ahead_and_back_references_are_readable(pattern: str) -> None:
    assert is_readable(pattern)
