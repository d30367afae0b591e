"""Tickets over HTTP: rights, status, read marks."""

from datetime import timedelta
from typing import Any

import pytest
from falcon.testing import Result
from seqfacility_testkit.facility import Client, Facility


def refusal(answer: Result) -> tuple[int, object]:
    return answer.status_code, answer.json


def open_ticket(client: Client, **body: Any) -> dict[str, Any]:
    answer = client.post("/api/tickets", {"subject": "Tubes", "body": "Where do they go?", **body})
    assert answer.status_code == 201, answer.text
    ticket: dict[str, Any] = answer.json["ticket"]
    return ticket


def reply(client: Client, ticket: dict[str, Any], body: str = "Here.") -> Result:
    return client.post(f"/api/tickets/{ticket['id']}/messages", {"body": body})


def set_status(client: Client, ticket: dict[str, Any], status: str) -> Result:
    return client.patch(f"/api/tickets/{ticket['id']}", {"status": status})


def status_of(client: Client, ticket: dict[str, Any]) -> object:
    return client.get(f"/api/tickets/{ticket['id']}").json["ticket"]["status"]


def test_a_new_ticket_is_open_and_read_by_its_creator(facility: Facility) -> None:
    answer = facility.researcher.post("/api/tickets", {"subject": "Tubes", "body": "Where?"}).json

    assert (answer["ticket"]["status"], answer["ticket"]["priority"]) == ("OPEN", "NORMAL")
    assert answer["ticket"]["unreadCount"] == 0
    assert answer["ticket"]["lastMessageAt"] == answer["ticket"]["createdAt"]
    assert [message["body"] for message in answer["messages"]] == ["Where?"]
    assert answer["messages"][0]["readBy"] == [facility.researcher_id]
    assert answer["messages"][0]["sender"]["role"] == "RESEARCHER"


def test_a_ticket_says_something(facility: Facility) -> None:
    answer = facility.researcher.post("/api/tickets", {"subject": " ", "priority": "ASAP"})

    assert refusal(answer) == (
        400,
        {
            "error": "Validation failed",
            "details": [
                "subject: must not be empty",
                "body: is required",
                "priority: must be one of: LOW, NORMAL, HIGH, URGENT",
            ],
        },
    )


def test_a_ticket_is_about_an_order_that_its_creator_may_read(facility: Facility) -> None:
    mine = facility.researcher.post("/api/orders", {}).json["order"]["id"]
    body = {"subject": "x", "body": "y", "orderId": mine, "studyId": "nobody"}

    assert open_ticket(facility.researcher, orderId=mine)["orderId"] == mine
    assert refusal(facility.other_researcher.post("/api/tickets", body)) == (
        400,
        {
            "error": "Validation failed",
            "details": [
                "orderId: is not an order that you may read",
                "studyId: is not a study that you may read",
            ],
        },
    )


def test_tickets_are_listed_for_their_creator_and_for_admins(facility: Facility) -> None:
    first, second = open_ticket(facility.researcher), open_ticket(facility.other_researcher)

    def listed(client: Client, **params: str) -> list[str]:
        return [ticket["id"] for ticket in client.get("/api/tickets", params=params).json["tickets"]]

    assert listed(facility.researcher) == [first["id"]]
    assert listed(facility.admin) == [second["id"], first["id"]]
    assert listed(facility.admin, status="CLOSED") == []
    assert listed(facility.admin, status="LOST") == []
    assert listed(facility.admin, status="OPEN", limit="1") == [second["id"]]


def test_tickets_are_found_by_a_part_of_their_subject(facility: Facility) -> None:
    mine = open_ticket(facility.researcher, subject="Plates of lake 1", body="Which boxes?")
    other = open_ticket(facility.other_researcher, subject="PLATES, 100 % full")
    set_status(facility.researcher, mine, "CLOSED")

    def found(client: Client, **params: str) -> tuple[list[str], int]:
        answer = client.get("/api/tickets", params=params).json
        return [ticket["id"] for ticket in answer["tickets"]], answer["total"]

    assert found(facility.researcher, q="plates") == ([mine["id"]], 1)
    assert found(facility.admin, q="plates", limit="1") == ([other["id"]], 2)
    assert found(facility.admin, q="plates", status="CLOSED") == ([mine["id"]], 1)
    assert found(facility.admin, q="0 %") == ([other["id"]], 1)
    assert found(facility.admin, q="boxes") == ([], 0)
    assert found(facility.admin, q="") == ([other["id"], mine["id"]], 2)


def test_unknown_tickets_are_not_found_and_foreign_ones_forbidden(facility: Facility) -> None:
    ticket = open_ticket(facility.researcher)

    for method, tail in (("GET", ""), ("PATCH", ""), ("POST", "/messages")):
        unknown = facility.other_researcher.request(method, f"/api/tickets/nobody{tail}")
        foreign = facility.other_researcher.request(method, f"/api/tickets/{ticket['id']}{tail}")

        assert refusal(unknown) == (404, {"error": "Ticket not found"})
        assert refusal(foreign) == (403, {"error": "Forbidden"})


def test_replies_move_the_status(facility: Facility) -> None:
    ticket = open_ticket(facility.researcher)

    reply(facility.researcher, ticket, "Hello?")
    assert status_of(facility.researcher, ticket) == "OPEN"
    reply(facility.admin, ticket)
    assert status_of(facility.researcher, ticket) == "IN_PROGRESS"
    set_status(facility.admin, ticket, "RESOLVED")
    reply(facility.admin, ticket)
    assert status_of(facility.researcher, ticket) == "RESOLVED"
    reply(facility.researcher, ticket, "Not yet.")
    assert status_of(facility.researcher, ticket) == "OPEN"


def test_nobody_replies_to_a_closed_ticket_until_an_admin_reopens_it(facility: Facility) -> None:
    ticket = open_ticket(facility.researcher)

    closed = set_status(facility.researcher, ticket, "CLOSED").json["ticket"]
    assert closed["closedAt"] is not None
    for client in (facility.researcher, facility.admin):
        assert refusal(reply(client, ticket)) == (400, {"error": "Ticket is closed"})
    reopened = set_status(facility.admin, ticket, "OPEN").json["ticket"]
    assert reopened["closedAt"] is None
    assert reply(facility.researcher, ticket).status_code == 201


def test_the_owner_may_only_close(facility: Facility) -> None:
    ticket = open_ticket(facility.researcher)
    path = f"/api/tickets/{ticket['id']}"

    for body in ({"status": "RESOLVED"}, {"priority": "HIGH"}, {"status": "CLOSED", "priority": "HIGH"}):
        assert refusal(facility.researcher.patch(path, body)) == (403, {"error": "Forbidden"})
    changed = facility.admin.patch(path, {"status": "RESOLVED", "priority": "HIGH"}).json["ticket"]
    assert (changed["status"], changed["priority"]) == ("RESOLVED", "HIGH")


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("site", ["cross-site", "same-site", "same-origin", "none"])
def test_another_site_cannot_mark_a_ticket_read(facility: Facility, method: str, site: str) -> None:
    ticket = facility.researcher.post("/api/tickets", {"subject": "s", "body": "b"}).json["ticket"]["id"]

    answer = facility.admin.request(method, f"/api/tickets/{ticket}", headers={"Sec-Fetch-Site": site})

    assert answer.status_code == 200
    is_read = method == "GET" and site in {"same-origin", "none"}
    assert facility.admin.get("/api/tickets/unread").json == {"unread": 0 if is_read else 1}


def test_messages_of_others_count_until_they_are_read(facility: Facility) -> None:
    ticket = open_ticket(facility.researcher)
    reply(facility.admin, ticket)
    reply(facility.admin, ticket, "And close the lid.")

    def unread(client: Client) -> tuple[object, object]:
        listed = client.get("/api/tickets").json["tickets"][0]["unreadCount"]
        return client.get("/api/tickets/unread").json["unread"], listed

    assert unread(facility.researcher) == (2, 2)
    assert unread(facility.admin) == (1, 1)
    conversation = facility.researcher.get(f"/api/tickets/{ticket['id']}").json
    assert conversation["ticket"]["unreadCount"] == 0
    assert [message["body"] for message in conversation["messages"]] == [
        "Where do they go?",
        "Here.",
        "And close the lid.",
    ]
    assert conversation["messages"][2]["readBy"] == [facility.admin_id, facility.researcher_id]
    assert unread(facility.researcher) == (0, 0)
    assert unread(facility.admin) == (1, 1)
    assert facility.other_researcher.get("/api/tickets/unread").json == {"unread": 0}


def test_messages_are_marked_read_without_a_look_and_unread_again_from_one_on(facility: Facility) -> None:
    ticket = open_ticket(facility.researcher)
    reply(facility.admin, ticket)
    facility.clock.advance(timedelta(minutes=1))
    reply(facility.admin, ticket, "And close the lid.")
    (line,) = facility.researcher.get("/api/overview").json["waiting"]
    path = f"/api/tickets/{ticket['id']}/read"

    answer = facility.researcher.put(path, {})
    assert (answer.status_code, answer.json) == (200, {"unread": 0})
    assert facility.researcher.put(path, {}).json == {"unread": 0}
    messages = facility.researcher.get(f"/api/tickets/{ticket['id']}").json["messages"]

    younger = facility.researcher.delete(path, params={"since": messages[2]["createdAt"]})
    assert (younger.status_code, younger.json) == (200, {"unread": 1})
    assert facility.researcher.delete(path, params={"since": line["since"]}).json == {"unread": 2}
    assert facility.researcher.delete(path, params={"since": line["since"]}).json == {"unread": 2}
    assert facility.researcher.get("/api/overview").json["waiting"] == [line]
    assert facility.admin.get("/api/tickets/unread").json == {"unread": 1}


@pytest.mark.parametrize("since", [None, "", "yesterday", "2026-13-01T00:00:00Z"])
def test_unread_from_no_time_on_is_refused(facility: Facility, since: str | None) -> None:
    ticket = open_ticket(facility.researcher)
    params = {} if since is None else {"since": since}

    answer = facility.admin.delete(f"/api/tickets/{ticket['id']}/read", params=params)

    assert answer.status_code == 400
    assert answer.json["details"] == ["since: must be an ISO 8601 timestamp"]
