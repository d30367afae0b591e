"""Lists ask the database the same few times, however long they are."""

import re
from collections.abc import Sequence

from seqfacility_testkit.facility import Facility
from seqfacility_testkit.queries import counted_queries


def statements_of(facility: Facility, path: str) -> int:
    with counted_queries() as statements:
        assert facility.admin.get(path).status_code == 200
    return len(statements)


def fill(facility: Facility, orders: int, samples: int) -> str:
    order_id = ""
    for _ in range(orders):
        order_id = facility.researcher.post("/api/orders", {}).json["order"]["id"]
        facility.researcher.post(f"/api/orders/{order_id}/samples", {"samples": [{"taxId": "562"}] * samples})
    return order_id


def test_a_list_of_orders_costs_the_same_for_one_and_for_many(facility: Facility) -> None:
    fill(facility, orders=1, samples=1)
    one = statements_of(facility, "/api/orders")
    fill(facility, orders=20, samples=3)

    assert statements_of(facility, "/api/orders") == one <= 10


def test_a_list_of_samples_costs_the_same_for_one_and_for_many(facility: Facility) -> None:
    fill(facility, orders=1, samples=1)
    one = statements_of(facility, "/api/samples")
    fill(facility, orders=5, samples=10)

    assert statements_of(facility, "/api/samples") == one <= 10


def test_the_table_of_an_order_costs_the_same_for_one_sample_and_for_many(facility: Facility) -> None:
    small, large = fill(facility, orders=1, samples=1), fill(facility, orders=1, samples=200)
    costs = {statements_of(facility, f"/api/orders/{order_id}/samples") for order_id in (small, large)}

    assert len(costs) == 1
    assert costs.pop() <= 10


def test_saving_a_table_costs_as_many_statements_whatever_it_holds(facility: Facility) -> None:
    order_id = fill(facility, orders=1, samples=0)
    path = f"/api/orders/{order_id}/samples"

    def save(rows: list[dict[str, str]]) -> int:
        with counted_queries() as statements:
            assert facility.researcher.post(path, {"samples": rows}).status_code == 200
        return len(statements)

    one = save([{"taxId": "1"}])
    assert save([{"taxId": "1"}] * 1000) == one
    rows = [{"id": sample["id"], "taxId": "2"} for sample in facility.researcher.get(path).json["samples"]]
    assert save(rows[:1000]) == one


def reads_of_the_row(statements: Sequence[str], table: str) -> int:
    """Count the queries whose rows come from a table; one that only names it in a condition is none."""
    begins = (re.match(r'SELECT [^()]* FROM "(\w+)"', text) for text in statements)
    return sum(begin is not None and begin[1] == table for begin in begins)


def test_a_change_of_an_order_reads_its_row_twice(facility: Facility) -> None:
    path = f"/api/orders/{fill(facility, orders=1, samples=1)}"
    changes = (
        (facility.researcher.put, path, {"name": "Soil"}),
        (facility.researcher.post, f"{path}/status", {"status": "SUBMITTED"}),
        (facility.admin.put, path, {"userId": facility.admin_id}),
        (facility.admin.delete, path, None),
    )

    for call, where, body in changes:
        with counted_queries() as statements:
            answer = call(where) if body is None else call(where, body)
        assert answer.status_code < 300 or where == path, answer.text
        assert reads_of_the_row(statements, "orders") == 2, (where, body)


def test_a_refused_note_reads_its_order_twice(facility: Facility) -> None:
    path = f"/api/orders/{fill(facility, orders=1, samples=0)}/notes"

    with counted_queries() as statements:
        answer = facility.researcher.post(path, {"noteType": "SAMPLES_SENT", "content": "by mail"})

    assert answer.json == {"error": "Order is not submitted"}
    assert reads_of_the_row(statements, "orders") == 2


def test_a_change_of_a_sample_a_study_or_a_ticket_reads_its_row_twice(facility: Facility) -> None:
    client, order_id = facility.researcher, fill(facility, orders=1, samples=1)
    sample_id = client.get(f"/api/orders/{order_id}/samples").json["samples"][0]["id"]
    study_id = client.post("/api/studies", {"title": "Soil"}).json["study"]["id"]
    ticket_id = client.post("/api/tickets", {"subject": "Kits", "body": "Which?"}).json["ticket"]["id"]
    changes = (
        ("samples", client.put, f"/api/samples/{sample_id}", {"taxId": "9606"}),
        ("studies", client.put, f"/api/studies/{study_id}", {"title": "Water"}),
        ("tickets", client.patch, f"/api/tickets/{ticket_id}", {"status": "CLOSED"}),
    )

    for table, call, path, body in changes:
        with counted_queries() as statements:
            assert call(path, body).status_code == 200
        assert reads_of_the_row(statements, table) == 2, statements
