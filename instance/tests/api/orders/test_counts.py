"""The counts of an order stand beside it, however its samples and reads came and went."""

from seqfacility_instance.core.vocabulary.sequencing import DataClass, ReadSource
from seqfacility_instance.tables.orders import Order, Sample
from seqfacility_instance.tables.sequencing import Read
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.queries import counted_queries


def fill(facility: Facility, samples: int) -> tuple[str, list[str]]:
    order_id = facility.researcher.post("/api/orders", {}).json["order"]["id"]
    answer = facility.researcher.post(
        f"/api/orders/{order_id}/samples", {"samples": [{"taxId": "562"}] * samples}
    )
    return order_id, [sample["id"] for sample in answer.json["samples"]]


def add_read(sample_id: str, data_class: DataClass, *, is_active: bool = True) -> str:
    read = Read.create(sample=sample_id, data_class=data_class, source=ReadSource.UPLOAD, is_active=is_active)
    return read.id


def counted(order_id: str) -> tuple[int, int, int]:
    order = Order.get_by_id(order_id)
    return order.sample_count, order.active_read_count, order.cleaned_read_count


def test_samples_are_counted_as_they_are_saved_again_and_deleted(facility: Facility) -> None:
    order_id, ids = fill(facility, 3)
    path = f"/api/orders/{order_id}/samples"
    facility.researcher.post(path, {"samples": [{"id": ids[0], "taxId": "9606"}, {"taxId": "1"}]})
    facility.researcher.delete(f"/api/samples/{ids[1]}")

    assert counted(order_id) == (3, 0, 0)
    assert facility.researcher.get(f"/api/orders/{order_id}").json["order"]["counts"]["samples"] == 3


def test_reads_are_counted_while_they_are_active_and_by_their_class(facility: Facility) -> None:
    order_id, (first, second) = fill(facility, 2)
    other_id, (third,) = fill(facility, 1)
    raw, cleaned = add_read(first, DataClass.RAW), add_read(second, DataClass.CLEANED)
    add_read(first, DataClass.CLEANED, is_active=False)
    add_read(third, DataClass.UNKNOWN)
    assert (counted(order_id), counted(other_id)) == ((2, 2, 1), (1, 1, 0))

    Read.update(data_class=DataClass.CLEANED).where(Read.id == raw).execute()
    assert counted(order_id) == (2, 2, 2)

    Read.update(is_active=False).where(Read.id == cleaned).execute()
    assert counted(order_id) == (2, 1, 1)

    Read.update(size1=1).execute()
    Read.delete().where(Read.id == cleaned).execute()
    assert counted(order_id) == (2, 1, 1)

    Read.delete().where(Read.sample.in_([first, second])).execute()
    assert (counted(order_id), counted(other_id)) == ((2, 0, 0), (1, 1, 0))


def test_deleting_an_order_leaves_the_counts_of_others(facility: Facility) -> None:
    gone, _ = fill(facility, 2)
    kept, _ = fill(facility, 2)

    assert facility.researcher.delete(f"/api/orders/{gone}").status_code == 200

    assert counted(kept) == (2, 0, 0)
    assert Sample.select().count() == 2


def test_a_page_of_orders_looks_at_neither_samples_nor_reads(facility: Facility) -> None:
    fill(facility, 5)

    with counted_queries() as statements:
        assert facility.researcher.get("/api/orders").status_code == 200

    assert not [sql for sql in map(str, statements) if '"samples"' in sql or '"reads"' in sql]
