"""Notifications over HTTP: who is told what, and who has read it."""

from typing import Any

import pytest
from falcon.testing import Result
from seqfacility_instance.core.vocabulary.site import ModuleId
from seqfacility_instance.tables.messages import Notification
from seqfacility_testkit.facility import Client, Facility
from seqfacility_testkit.one_of_each import make_one_of_each
from seqfacility_testkit.sequencing import submitted_order, upload


@pytest.fixture(autouse=True)
def module_on(facility: Facility) -> None:
    switch(facility, is_on=True)


def switch(facility: Facility, *, is_on: bool) -> None:
    facility.services.facility.change_modules({ModuleId.NOTIFICATIONS: is_on}, None, facility.clock.now())


def told(client: Client, **params: str) -> list[dict[str, Any]]:
    answer = client.get("/api/notifications", params=params)
    assert answer.status_code == 200, answer.text
    return list(answer.json["notifications"])


def mark(client: Client, **body: object) -> Result:
    return client.post("/api/notifications/read", body)


def submitted(facility: Facility) -> dict[str, Any]:
    order: dict[str, Any] = facility.researcher.post("/api/orders", {}).json["order"]
    facility.researcher.post(f"/api/orders/{order['id']}/samples", {"samples": [{"taxId": "562"}]})
    assert move(facility.researcher, order, "SUBMITTED").status_code == 200
    return order


def move(client: Client, order: dict[str, Any], status: str, **more: str) -> Result:
    return client.post(f"/api/orders/{order['id']}/status", {"status": status, **more})


def test_admins_are_told_of_a_submission_and_the_owner_of_what_follows(facility: Facility) -> None:
    order = submitted(facility)
    number = order["orderNumber"]
    assert told(facility.researcher) == []
    move(facility.admin, order, "COMPLETED")

    (to_admin,), (to_owner,) = told(facility.admin), told(facility.researcher)

    assert (to_admin["type"], to_admin["title"]) == ("order-status", f"Order {number}: DRAFT to SUBMITTED")
    assert to_owner == {
        "id": to_owner["id"],
        "type": "order-status",
        "title": f"Order {number}: SUBMITTED to COMPLETED",
        "orderId": order["id"],
        "ticketId": None,
        "pipelineRunId": None,
        "readAt": None,
        "createdAt": to_owner["createdAt"],
    }
    assert told(facility.other_researcher) == []


def test_a_refused_move_tells_nobody(facility: Facility) -> None:
    order = submitted(facility)
    before = len(told(facility.admin))

    assert move(facility.researcher, order, "COMPLETED").status_code == 400

    assert (len(told(facility.admin)), told(facility.researcher)) == (before, [])


def test_a_reply_tells_the_other_side(facility: Facility) -> None:
    ticket = facility.researcher.post("/api/tickets", {"subject": "Box 7", "body": "Where?"}).json["ticket"]
    path = f"/api/tickets/{ticket['id']}/messages"

    facility.admin.post(path, {"body": "Here."})
    facility.researcher.post(path, {"body": "Thanks."})

    for client in (facility.researcher, facility.admin):
        (one,) = told(client)
        assert (one["type"], one["title"], one["ticketId"]) == (
            "ticket-reply",
            "New message: Box 7",
            ticket["id"],
        )


def test_a_selected_run_is_told_to_the_owner(facility: Facility) -> None:
    objects = make_one_of_each(facility.researcher_id, facility.admin_id, facility.clock.now())
    run_id = objects["run_id"]

    selected = facility.admin.put(f"/api/pipelines/runs/{run_id}/selection", {})

    assert selected.status_code == 200, selected.text
    (one,) = told(facility.researcher)
    assert (one["type"], one["pipelineRunId"], one["orderId"]) == (
        "run-selected",
        run_id,
        objects["order_id"],
    )


def test_a_published_delivery_is_told_once(facility: Facility) -> None:
    order = submitted_order(facility)
    upload(facility, order, metadata={"dataClass": "cleaned"})
    path = f"/api/orders/{order.id}/sequencing/delivery/publication"

    for _ in range(2):
        assert facility.admin.put(path).status_code == 200

    (one,) = told(facility.researcher)
    assert (one["type"], one["orderId"]) == ("delivery-published", order.id)


def test_nothing_is_written_while_the_module_is_off_and_what_was_stays(facility: Facility) -> None:
    order = submitted(facility)
    switch(facility, is_on=False)
    move(facility.admin, order, "COMPLETED")

    assert told(facility.researcher) == []
    assert len(told(facility.admin)) == 1


def test_marks_are_ones_own_and_the_first_stays(facility: Facility) -> None:
    order = submitted(facility)
    for status, more in (("COMPLETED", {}), ("SUBMITTED", {}), ("COMPLETED", {})):
        assert move(facility.admin, order, status, **more).status_code == 200
    newest, _, oldest = told(facility.researcher)
    foreign = told(facility.admin)[0]["id"]

    one = mark(facility.researcher, ids=[oldest["id"], foreign, "nobody"])
    assert one.json == {"success": True, "unread": 2}
    assert told(facility.researcher, unread="true")[0]["id"] == newest["id"]
    assert told(facility.admin)[0]["readAt"] is None
    first_mark = told(facility.researcher)[2]["readAt"]

    assert mark(facility.researcher, all=True).json == {"success": True, "unread": 0}
    assert told(facility.researcher)[2]["readAt"] == first_mark


def test_the_list_is_paged_and_counts_what_is_unread(facility: Facility) -> None:
    order = submitted(facility)
    move(facility.admin, order, "COMPLETED")
    move(facility.admin, order, "SUBMITTED")

    page = facility.researcher.get("/api/notifications", params={"limit": "1", "offset": "1"}).json

    assert [one["title"].rpartition(" ")[2] for one in page["notifications"]] == ["COMPLETED"]
    assert (page["unread"], page["total"], page["limit"], page["offset"]) == (2, 2, 1, 1)


@pytest.mark.parametrize(
    ("body", "details"),
    [
        ({}, ["ids: is required unless all is true"]),
        ({"ids": "x"}, ["ids: must be an array"]),
        ({"ids": ["x"] * 501}, ["ids: must have at most 500 entries"]),
        ({"all": "yes"}, ["all: must be true or false"]),
    ],
)
def test_marks_that_name_nothing_are_refused(
    facility: Facility, body: dict[str, object], details: list[str]
) -> None:
    answer = facility.researcher.post("/api/notifications/read", body)

    assert (answer.status_code, answer.json) == (400, {"error": "Validation failed", "details": details})


def test_notifications_go_with_their_order(facility: Facility) -> None:
    order = submitted(facility)
    move(facility.admin, order, "DRAFT", note="again")
    assert facility.researcher.delete(f"/api/orders/{order['id']}").status_code == 200

    assert Notification.select().count() == 0
