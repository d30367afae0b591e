"""What leaves the facility, when it is tried again, and when a webhook counts as failing."""

from datetime import UTC, datetime, timedelta

import pytest
from seqfacility_instance.core.vocabulary.events import FacilityEvent
from seqfacility_instance.webhooks import rules

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def test_attempts_come_at_growing_pauses_over_about_a_day() -> None:
    assert list(rules.PAUSES) == sorted(rules.PAUSES)
    assert 22 * HOUR <= sum(rules.PAUSES, timedelta()) <= 26 * HOUR


@pytest.mark.parametrize("status", [200, 202, 204, 299])
def test_only_an_answer_of_the_200s_is_success(status: int) -> None:
    assert rules.problem_of(status) is None


@pytest.mark.parametrize("status", [199, 301, 304, 307, 400, 404, 500])
def test_every_other_answer_is_a_failure_that_says_its_number(status: int) -> None:
    assert f"answered {status}" in str(rules.problem_of(status))


@pytest.mark.parametrize("kind", FacilityEvent)
def test_nothing_leaves_the_facility_that_is_not_listed_for_its_event(kind: FacilityEvent) -> None:
    detail = {
        "email": "a@facility.test",
        "title": "Soil",
        "body": "Dear",
        "secret": "x",
        "orderNumber": "ORD-1",
    }

    content = rules.payload(kind, NOON, detail)

    assert not any(word in content for word in ("facility.test", "Soil", "Dear", "secret"))


def test_a_webhook_counts_as_failing_an_hour_after_its_first_failure() -> None:
    assert rules.failing_since(None, NOON, HOUR) is None
    assert rules.failing_since(NOON - HOUR + timedelta(milliseconds=1), NOON, HOUR) is None
    assert rules.failing_since(NOON - HOUR, NOON, HOUR) == NOON - HOUR


def test_the_signature_is_that_of_the_example_in_the_standard() -> None:
    """The vector that the libraries of the standard test themselves with."""
    headers = rules.signed_headers(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        datetime.fromtimestamp(1614265330, UTC),
        '{"test": 2432232314}',
    )

    assert headers == {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }
