"""Finding orders, samples, studies, runs and people: what is found, by whom, and what it costs."""

from typing import Any

import pytest
from peewee import SqliteDatabase
from seqfacility_instance.core.vocabulary.pipelines import Backend, RunStatus, TargetType
from seqfacility_instance.tables.orders import Order
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_testkit.facility import Client, Facility
from seqfacility_testkit.queries import counted_queries
from seqfacility_testkit.sequencing import OrderInHand, draft_order


def found(client: Client, text: str) -> list[dict[str, Any]]:
    answer = client.get("/api/search", params={"q": text})
    assert answer.status_code == 200, answer.text
    results: list[dict[str, Any]] = answer.json["results"]
    return results


def kinds(client: Client, text: str) -> list[str]:
    return [result["kind"] for result in found(client, text)]


def number_of(order: OrderInHand) -> str:
    number: str = Order.get_by_id(order.id).order_number
    return number


def add_run(facility: Facility, order: OrderInHand, number: str, visible_to: str | None = None) -> str:
    run = PipelineRun.create(
        run_number=number,
        pipeline_id="seqqc",
        pipeline_version="1.0.0",
        status=RunStatus.COMPLETED,
        target_type=TargetType.ORDER,
        order=order.id,
        user=facility.admin_id,
        execution_mode=Backend.LOCAL,
        visible_to=visible_to,
    )
    return run.id


def test_the_number_of_an_order_finds_it_alone(facility: Facility) -> None:
    order = draft_order(facility)
    number = number_of(order)
    facility.researcher.post("/api/orders", {"name": f"again {number}"})

    for client in (facility.researcher, facility.admin):
        for text in (number, number.lower(), f" {number} "):
            assert found(client, text) == [
                {"kind": "ORDER", "id": order.id, "label": number, "detail": "Soil", "orderId": order.id}
            ]


def test_somebody_elses_number_is_answered_like_one_that_nobody_has(facility: Facility) -> None:
    order = draft_order(facility)
    add_run(facility, order, "SEQQC-20261121-001")
    sample = facility.researcher.get(f"/api/orders/{order.id}/samples").json["samples"][0]
    nobodys = facility.other_researcher.get("/api/search?q=ORD-20990101-0001")

    for text in (number_of(order), "SEQQC-20261121-001", sample["sampleId"], "soil", "410658", order.id):
        answer = facility.other_researcher.get("/api/search", params={"q": text})
        assert (answer.status_code, answer.content) == (nobodys.status_code, nobodys.content)


def test_the_number_of_a_run_finds_it_alone_for_those_who_may_see_it(facility: Facility) -> None:
    order = draft_order(facility)
    number = "SEQQC-20261121-001"
    run_id = add_run(facility, order, number)
    add_run(facility, order, f"{number}0")

    expected = [{"kind": "RUN", "id": run_id, "label": number, "detail": "seqqc", "orderId": order.id}]
    assert found(facility.admin, number) == found(facility.admin, number.lower()) == expected
    assert found(facility.researcher, number) == []
    PipelineRun.update(visible_to=facility.researcher_id).where(PipelineRun.id == run_id).execute()
    assert found(facility.researcher, number) == expected
    Order.update(user=facility.other_researcher_id).execute()
    assert found(facility.researcher, number) == []


def test_the_code_of_a_sample_finds_it_alone(facility: Facility) -> None:
    order = draft_order(facility, samples=2)
    code = order.sample_codes[1]

    expected = {
        "kind": "SAMPLE",
        "id": order.sample_ids[1],
        "label": "soil 1",
        "detail": f"{code}, {number_of(order)}",
        "orderId": order.id,
    }
    assert found(facility.researcher, code) == found(facility.admin, code.lower()) == [expected]


def test_a_part_of_a_name_finds_all_that_has_it(facility: Facility) -> None:
    order = draft_order(facility, samples=7)
    facility.researcher.post("/api/studies", {"title": "Soil of islands", "alias": "isles"})
    add_run(facility, order, "SOIL-20261121-001")

    assert kinds(facility.admin, "SOIL") == ["ORDER", "RUN", *["SAMPLE"] * 5, "STUDY"]
    assert kinds(facility.researcher, "oil") == ["ORDER", *["SAMPLE"] * 5, "STUDY"]
    assert kinds(facility.researcher, "isle") == ["STUDY"]
    assert [result["label"] for result in found(facility.admin, "soil 6")] == ["soil 6"]


def test_people_are_found_by_admins_alone(facility: Facility) -> None:
    ada = {
        "kind": "PERSON",
        "id": facility.researcher_id,
        "label": "Ada Lovelace",
        "detail": "ada@lab.test",
        "orderId": None,
    }

    for text in ("lovelace", "ada l", "ada@lab"):
        assert found(facility.admin, text) == [ada]
        assert found(facility.researcher, text) == []


def test_the_demo_and_everybody_else_do_not_find_each_other(facility: Facility) -> None:
    order = draft_order(facility, facility.other_researcher)
    number = number_of(order)
    User.update(is_demo=True).where(User.id == facility.other_researcher_id).execute()

    for text in (number, "soil", "hopper", order.sample_codes[0]):
        assert found(facility.admin, text) == []


def test_what_the_form_hides_is_neither_searched_nor_shown(facility: Facility) -> None:
    order = draft_order(facility)
    form = facility.admin.get("/api/admin/form-config").json
    for field in form["fields"]:
        if field["name"] in {"name", "sampleAlias"}:
            field["adminOnly"] = True
    body = {"fields": form["fields"], "groups": form["groups"], "version": form["version"]}
    assert facility.admin.put("/api/admin/form-config", body).status_code == 200

    number, code = number_of(order), order.sample_codes[0]
    assert [one["detail"] for one in found(facility.researcher, number)] == [None]
    assert [one["label"] for one in found(facility.researcher, code)] == [code]
    assert found(facility.researcher, "soil") == []
    assert kinds(facility.admin, "soil") == ["ORDER", "SAMPLE"]


def test_what_the_form_of_a_study_hides_is_not_found_in_its_samples(facility: Facility) -> None:
    facility.admin.put("/api/admin/modules", {"modules": {"dynamic-studies": True}})
    inside, outside = draft_order(facility), draft_order(facility)
    study = facility.researcher.post("/api/studies", {"title": "Shore"}).json["study"]
    facility.researcher.post(f"/api/studies/{study['id']}/samples", {"sampleIds": inside.sample_ids})
    alias = {"id": "1", "name": "alias", "type": "text", "systemKey": "sampleAlias", "perSample": True}
    body = {"fields": [{**alias, "adminOnly": True}], "groups": []}
    # A column that the form of orders asks for stays open, whatever a study says.
    assert facility.admin.put("/api/admin/form-config", {"fields": [], "groups": []}).status_code == 200
    path = f"/api/admin/study-form-config?studyId={study['id']}"

    def samples(client: Client, text: str) -> tuple[set[str], set[str], set[str]]:
        listed = client.get("/api/samples", params={"q": text}).json["samples"]
        of_order = client.get(f"/api/orders/{inside.id}/samples", params={"q": text}).json["samples"]
        results = [result for result in found(client, text) if result["kind"] == "SAMPLE"]
        return (
            {result["id"] for result in results},
            {sample["id"] for sample in listed},
            {sample["id"] for sample in of_order},
        )

    both, one = {*inside.sample_ids, *outside.sample_ids}, set(inside.sample_ids)
    assert samples(facility.researcher, "soil 0") == (both, both, one)
    assert facility.admin.put(path, body).status_code == 200

    assert samples(facility.researcher, "soil 0") == (set(outside.sample_ids), set(outside.sample_ids), set())
    assert samples(facility.researcher, "410658")[1:] == (both, one)
    assert samples(facility.admin, "soil 0") == (both, both, one)
    (code,) = inside.sample_codes
    assert [result["label"] for result in found(facility.researcher, code)] == [code]
    assert [result["label"] for result in found(facility.admin, code)] == ["soil 0"]
    assert samples(facility.researcher, code) == (one, one, one)


@pytest.mark.parametrize("text", ["%", "_", "\\", "'", '"', "*", "[a-z]", "\0", "%00", "ORD%", "\N{SNOWMAN}"])
def test_no_letter_stands_for_others(facility: Facility, text: str) -> None:
    draft_order(facility)

    assert found(facility.admin, text) == []


def test_a_letter_of_a_pattern_is_found_where_it_is(facility: Facility) -> None:
    facility.researcher.post("/api/orders", {"name": "50% glycerol_1"})

    assert kinds(facility.researcher, "50%") == kinds(facility.researcher, "l_1") == ["ORDER"]


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("", "q: is required"),
        ("?q=", "q: is required"),
        ("?q=%20%20", "q: is required"),
        ("?q=" + "a" * 201, "q: must have at most 200 characters"),
        ("?q=" + "a" * 10_000, "q: must have at most 200 characters"),
    ],
)
def test_a_search_for_nothing_or_too_much_is_refused(facility: Facility, query: str, line: str) -> None:
    answer = facility.researcher.get(f"/api/search{query}")

    assert (answer.status_code, answer.json) == (400, {"error": "Validation failed", "details": [line]})
    assert found(facility.researcher, "a" * 200) == []


def test_a_search_costs_the_same_for_little_and_for_much(facility: Facility) -> None:
    def cost() -> int:
        with counted_queries() as statements:
            assert facility.admin.get("/api/search?q=soil").status_code == 200
        return len(statements)

    draft_order(facility)
    before = cost()
    for _ in range(4):
        draft_order(facility, samples=20)

    assert cost() == before <= 14


def test_an_exact_number_reads_one_row_by_its_index(facility: Facility) -> None:
    with facility.services.database.connection_context():
        order = draft_order(facility)
        with counted_queries() as statements:
            found(facility.admin, number_of(order))
        (lookup,) = [one for one in statements if '"order_number" = ' in one]
        if isinstance(facility.services.database, SqliteDatabase):
            plan = facility.services.database.execute_sql(
                f"EXPLAIN QUERY PLAN {lookup}", [None] * lookup.count("?")
            )
            assert any("orders_order_number" in detail for *_, detail in plan.fetchall())
