"""Pages, states and texts of the samples of one order, in their table and on the sequencing page."""

from typing import Any

import pytest
from seqfacility_testkit.facility import Client, Facility
from seqfacility_testkit.sequencing import OrderInHand, submitted_order, upload

TABLE, SEQUENCING = "samples", "sequencing"


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility, samples=5)


def get(client: Client, order: OrderInHand, what: str, **query: object) -> dict[str, Any]:
    answer = client.request("GET", f"/api/orders/{order.id}/{what}", params=query)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json
    return found


def ids(answer: dict[str, Any]) -> list[str]:
    return [sample["id"] for sample in answer["samples"]]


def paging(answer: dict[str, Any]) -> tuple[object, ...]:
    return tuple(answer.get(key) for key in ("total", "page", "pageSize"))


@pytest.mark.parametrize("what", [TABLE, SEQUENCING])
def test_pages_are_parts_of_the_whole_in_its_order(facility: Facility, order: OrderInHand, what: str) -> None:
    whole = get(facility.admin, order, what)
    pages = [get(facility.admin, order, what, page=page, pageSize=2) for page in (1, 2, 3, 4)]

    assert paging(whole) == (None, None, None)
    assert [paging(page) for page in pages] == [(5, page, 2) for page in (1, 2, 3, 4)]
    assert [sample for page in pages for sample in page["samples"]] == whole["samples"]
    assert pages[3]["samples"] == []
    beside = {"samples", "total", "page", "pageSize"}
    for page in pages:
        assert {key: value for key, value in page.items() if key not in beside} == {
            key: value for key, value in whole.items() if key != "samples"
        }


@pytest.mark.parametrize("what", [TABLE, SEQUENCING])
def test_a_state_and_a_text_narrow_the_samples(facility: Facility, order: OrderInHand, what: str) -> None:
    upload(facility, order, sampleId=order.sample_ids[1])
    rows = [{"id": order.sample_ids[place], "sampleAlias": f"plot {place}%"} for place in range(4)]
    assert facility.admin.post(f"/api/orders/{order.id}/samples", {"samples": rows}).status_code == 200

    def found(**query: object) -> list[str]:
        answer = get(facility.admin, order, what, **query)
        assert paging(answer) == (len(ids(answer)), 1, 100)
        return ids(answer)

    assert found(state="done") == [order.sample_ids[1]]
    assert found(state="waiting") == [*order.sample_ids[:1], *order.sample_ids[2:]]
    assert found(state="lost") == []
    assert found(q="PLOT") == order.sample_ids[:4]
    assert found(q="2%") == [order.sample_ids[2]]
    assert found(q=order.sample_codes[4]) == [order.sample_ids[4]]
    assert found(q="plot", state="done") == [order.sample_ids[1]]


@pytest.mark.parametrize("what", [TABLE, SEQUENCING])
def test_what_is_no_page_is_clamped_or_the_default(facility: Facility, order: OrderInHand, what: str) -> None:
    for query, expected in (
        ({"page": "0"}, (5, 1, 100)),
        ({"page": "-3", "pageSize": "0"}, (5, 1, 1)),
        ({"page": "two", "pageSize": "x"}, (5, 1, 100)),
        ({"page": "9" * 50, "pageSize": "9" * 50}, (5, 2**31, 500)),
        ({"q": "\0"}, (0, 1, 100)),
    ):
        assert paging(get(facility.admin, order, what, **query)) == expected


def test_a_researcher_finds_no_sample_by_what_the_form_hides(facility: Facility) -> None:
    client = facility.researcher
    order_id = client.post("/api/orders", {}).json["order"]["id"]
    path = f"/api/orders/{order_id}/samples"
    client.post(path, {"samples": [{"sampleAlias": "seen", "scientificName": "Secretus novus"}]})
    field = {"id": "o", "name": "organism", "type": "organism", "label": "x", "order": 0, "perSample": True}
    form = {"fields": [{**field, "adminOnly": True}], "groups": []}
    assert facility.admin.put("/api/admin/form-config", form).status_code == 200

    def total(who: Client, text: str) -> object:
        return who.request("GET", path, params={"q": text}).json["total"]

    assert (total(client, "secr"), total(client, "see"), total(facility.admin, "secr")) == (0, 1, 1)


def test_a_researcher_learns_only_the_states_of_the_plate(facility: Facility, order: OrderInHand) -> None:
    upload(facility, order, sampleId=order.sample_ids[1])

    owners = get(facility.researcher, order, TABLE)["samples"]

    assert {one["plateState"] for one in owners} == {"waiting"}
    assert get(facility.researcher, order, TABLE, state="done")["total"] == 0
