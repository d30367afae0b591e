"""What one researcher may ask for within an hour."""

from datetime import timedelta

import pytest
from seqfacility_instance.accounts import throttle
from seqfacility_instance.core import limits
from seqfacility_instance.tables.base import database
from seqfacility_testkit.facility import Client, Facility

REFUSED = (429, {"error": "Too many requests"})


def order(client: Client) -> str:
    return str(client.post("/api/orders", {}).json["order"]["id"])


def asked(facility: Facility, name: str, times: int) -> None:
    """Count requests of the researcher as if they had been sent."""
    with database.atomic():
        for _ in range(times):
            throttle.count_attempt(f"user:{name}", facility.researcher_id, facility.clock.now())


def test_a_researcher_begins_so_many_orders_an_hour_and_no_more(facility: Facility) -> None:
    asked(facility, "orders", limits.ORDERS_PER_HOUR - 2)
    begun = [facility.researcher.post("/api/orders", {}).status_code for _ in range(2)]
    refused = facility.researcher.post("/api/orders", {})
    somebody_else = facility.other_researcher.post("/api/orders", {})
    facility.clock.advance(timedelta(hours=1, seconds=1))
    later = facility.researcher.post("/api/orders", {})

    assert set(begun) == {201}
    assert (refused.status_code, refused.json) == REFUSED
    assert 0 < int(refused.headers["retry-after"]) <= 3601
    assert (somebody_else.status_code, later.status_code) == (201, 201)


def test_a_clock_that_is_set_back_locks_nobody_out(facility: Facility) -> None:
    asked(facility, "orders", limits.ORDERS_PER_HOUR)
    refused = facility.researcher.post("/api/orders", {})
    facility.clock.advance(timedelta(minutes=-5))
    a_little = facility.researcher.post("/api/orders", {})
    facility.clock.advance(timedelta(hours=-20))
    far = facility.researcher.post("/api/orders", {})

    assert (refused.status_code, a_little.status_code, far.status_code) == (429, 429, 201)


def test_messages_of_tickets_and_notes_of_orders_count_together(
    facility: Facility, monkeypatch: pytest.MonkeyPatch
) -> None:
    order_id = order(facility.researcher)
    ticket = {"subject": "Tubes", "body": "Where?"}
    ticket_id = facility.researcher.post("/api/tickets", ticket).json["ticket"]["id"]
    reply, note = f"/api/tickets/{ticket_id}/messages", f"/api/orders/{order_id}/notes"
    asked(facility, "messages", limits.MESSAGES_PER_HOUR - 3)
    for number in range(2):
        facility.researcher.post(reply if number % 2 else note, {"body": "Here.", "content": "Here."})

    for path, body in (("/api/tickets", ticket), (reply, {"body": "Here."}), (note, {"content": "Here."})):
        refused = facility.researcher.post(path, body)
        assert (refused.status_code, refused.json) == REFUSED


def test_imports_are_counted_even_if_they_are_refused(facility: Facility) -> None:
    path = f"/api/orders/{order(facility.researcher)}/samples/import?format=csv"
    asked(facility, "imports", limits.SAMPLE_TABLES_PER_HOUR - 2)
    without_file = [facility.researcher.post(path).status_code for _ in range(2)]

    refused = facility.researcher.post(path)

    assert set(without_file) == {400}
    assert (refused.status_code, refused.json) == REFUSED


def test_admins_have_no_limit(facility: Facility) -> None:
    with database.atomic():
        for _ in range(limits.ORDERS_PER_HOUR):
            throttle.count_attempt("user:orders", facility.admin_id, facility.clock.now())

    assert facility.admin.post("/api/orders", {}).status_code == 201
