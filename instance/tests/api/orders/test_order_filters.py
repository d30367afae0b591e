"""What the list of orders can be narrowed to, and sorted by."""

from datetime import UTC, datetime
from typing import Any

import pytest
from seqfacility_instance.tables.orders import Order
from seqfacility_testkit.facility import Client, Facility
from seqfacility_testkit.queries import counted_queries
from seqfacility_testkit.sequencing import OrderInHand, draft_order, submitted_order


def listed(client: Client, query: str = "") -> list[str]:
    answer = client.get(f"/api/orders?{query}")
    assert answer.status_code == 200, answer.text
    ids = [order["id"] for order in answer.json["orders"]]
    assert answer.json["total"] == len(ids)
    return ids


def publish(facility: Facility, order: OrderInHand) -> None:
    Order.update(sequencing_files_published_at=facility.clock.now()).where(Order.id == order.id).execute()


def note(client: Client, order: OrderInHand, note_type: str) -> None:
    body = {"noteType": note_type, "content": "as agreed"}
    assert client.post(f"/api/orders/{order.id}/notes", body).status_code == 201


@pytest.fixture
def orders(facility: Facility) -> dict[str, str]:
    """One order at each stage that needs no runs, and one more that waits for its researcher."""
    made = {"DRAFT": draft_order(facility)}
    for name in ("SUBMITTED", "SAMPLES_IN", "DELIVERED", "COMPLETED", "ACCEPTED"):
        made[name] = submitted_order(facility)
    note(facility.admin, made["SAMPLES_IN"], "SAMPLES_RECEIVED")
    note(facility.admin, made["ACCEPTED"], "ORDER_ACCEPTED")
    publish(facility, made["DELIVERED"])
    facility.admin.post(f"/api/orders/{made['COMPLETED'].id}/status", {"status": "COMPLETED"})
    return {name: order.id for name, order in made.items()}


def test_a_stage_finds_the_orders_that_say_it(facility: Facility, orders: dict[str, str]) -> None:
    found = {order["id"]: order["stage"] for order in facility.admin.get("/api/orders").json["orders"]}

    for stage in ("DRAFT", "SUBMITTED", "SAMPLES_IN", "SEQUENCED", "READS", "ANALYSED", "DELIVERED"):
        for client in (facility.admin, facility.researcher):
            assert listed(client, f"stage={stage}") == [one for one in found if found[one] == stage]
    assert listed(facility.admin, "stage=LOST") == []
    assert listed(facility.admin, "stage=SUBMITTED&status=COMPLETED") == []
    assert listed(facility.other_researcher, "stage=SUBMITTED") == []
    assert set(found) == set(orders.values())


def test_needs_me_finds_what_waits_for_the_callers_side(facility: Facility, orders: dict[str, str]) -> None:
    for client, side in ((facility.admin, "FACILITY"), (facility.researcher, "RESEARCHER")):
        every = client.get("/api/orders").json["orders"]
        waiting = [one["id"] for one in every if one["next"] is not None and one["next"]["who"] == side]
        assert listed(client, "needs=me") == waiting
    assert orders["ACCEPTED"] not in listed(facility.admin, "needs=me")
    assert listed(facility.researcher, "needs=me&stage=DRAFT") == [orders["DRAFT"]]
    assert listed(facility.admin, "needs=you") == listed(facility.admin)


def test_platform_and_owner_narrow_the_list(facility: Facility) -> None:
    mine = draft_order(facility)
    other = facility.other_researcher.post("/api/orders", {"platform": "PACBIO"}).json["order"]["id"]

    assert listed(facility.admin, "platform=PACBIO") == [other]
    assert listed(facility.admin, "platform=PAC") == []
    assert listed(facility.admin, f"owner={facility.researcher_id}") == [mine.id]
    assert listed(facility.researcher, f"owner={facility.other_researcher_id}") == []


def test_days_narrow_the_list_and_both_count(facility: Facility) -> None:
    times = {
        "before": datetime(2031, 5, 3, 23, 59, 59, 999_000, UTC),
        "morning": datetime(2031, 5, 4, tzinfo=UTC),
        "night": datetime(2031, 5, 5, 23, 59, 59, 999_000, UTC),
        "after": datetime(2031, 5, 6, tzinfo=UTC),
    }
    made = {name: draft_order(facility).id for name in times}
    for name, at in times.items():
        Order.update(created_at=at).where(Order.id == made[name]).execute()

    for client in (facility.admin, facility.researcher):
        assert listed(client, "from=2031-05-04&to=2031-05-05") == [made["night"], made["morning"]]
        assert listed(client, "from=2031-05-05") == [made["after"], made["night"]]
        assert listed(client, "to=2031-05-04") == [made["morning"], made["before"]]
        assert listed(client, "from=2031-05-05&to=2031-05-04") == []
        assert listed(client, "from=0001-01-01&to=9999-12-31&from=") == listed(client)


@pytest.mark.parametrize(
    "word",
    ["soon", "2031-5-4", "2031-02-30", "0000-01-01", "20310504", "2031-W01-1", "2031-05-04T10:00", "%00"],
)
def test_a_day_that_is_none_is_refused(facility: Facility, word: str) -> None:
    answer = facility.researcher.get(f"/api/orders?from={word}&to={word}")

    assert answer.status_code == 400
    assert answer.json == {
        "error": "Validation failed",
        "details": ["from: must be a date like 2031-05-04", "to: must be a date like 2031-05-04"],
    }


def test_a_platform_that_the_form_hides_is_no_way_to_find_it(facility: Facility) -> None:
    order = draft_order(facility)
    form = facility.admin.get("/api/admin/form-config").json
    for field in form["fields"]:
        if field["name"] == "platform":
            field["adminOnly"] = True
    body = {"fields": form["fields"], "groups": form["groups"], "version": form["version"]}
    saved = facility.admin.put("/api/admin/form-config", body)
    assert saved.status_code == 200, saved.text

    assert facility.researcher.get(f"/api/orders/{order.id}").json["order"]["platform"] is None
    assert listed(facility.researcher, "platform=ILLUMINA") == []
    assert listed(facility.admin, "platform=ILLUMINA") == [order.id]


def test_a_list_is_sorted_as_asked_and_newest_first_else(facility: Facility) -> None:
    made = [facility.researcher.post("/api/orders", {"name": name}) for name in ("beta", "Alpha", None)]
    first, second, third = (answer.json["order"]["id"] for answer in made)
    facility.researcher.put(f"/api/orders/{first}", {"librarySource": "GENOMIC"})
    by: dict[str, list[str]] = {
        "": [third, second, first],
        "-created": [third, second, first],
        "created": [first, second, third],
        "changed": [second, third, first],
        "-changed": [first, third, second],
        "number": [first, second, third],
        "-number": [third, second, first],
        "name": [third, second, first],
        "-name": [first, second, third],
        "price": [third, second, first],
    }

    assert {word: listed(facility.researcher, f"sort={word}") for word in by} == by


def test_filters_page_like_the_whole_list(facility: Facility, orders: dict[str, str]) -> None:
    whole = listed(facility.admin, "needs=me")
    pages: list[Any] = [
        facility.admin.get(f"/api/orders?needs=me&limit=1&offset={at}").json for at in range(len(whole))
    ]

    assert [page["orders"][0]["id"] for page in pages] == whole
    assert {page["total"] for page in pages} == {len(whole)}
    assert len(orders) > len(whole) > 1


def test_a_filter_by_stage_costs_the_same_for_one_order_and_for_many(facility: Facility) -> None:
    def cost() -> int:
        with counted_queries() as statements:
            assert facility.admin.get("/api/orders?stage=SUBMITTED&needs=me").status_code == 200
        return len(statements)

    submitted_order(facility)
    one = cost()
    for _ in range(6):
        submitted_order(facility)

    assert cost() == one <= 14


@pytest.mark.parametrize("key", ["stage", "platform", "owner", "needs", "sort", "q"])
@pytest.mark.parametrize("text", ["%00", "%25_", "'", "a" * 5000])
def test_hostile_text_finds_nothing_and_breaks_nothing(facility: Facility, key: str, text: str) -> None:
    draft_order(facility)

    assert facility.admin.get(f"/api/orders?{key}={text}").status_code == 200
