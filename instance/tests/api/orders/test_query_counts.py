"""Lists ask the database the same few times, however long they are."""

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


def test_saving_a_table_costs_two_statements_for_each_five_hundred_rows(facility: Facility) -> None:
    order_id = fill(facility, orders=1, samples=0)
    path = f"/api/orders/{order_id}/samples"

    def save(rows: list[dict[str, str]]) -> int:
        with counted_queries() as statements:
            assert facility.researcher.post(path, {"samples": rows}).status_code == 200
        return len(statements)

    one = save([{"taxId": "1"}])
    assert save([{"taxId": "1"}] * 1000) == one + 1
    rows = [{"id": sample["id"], "taxId": "2"} for sample in facility.researcher.get(path).json["samples"]]
    assert save(rows[:1000]) == one + 1
