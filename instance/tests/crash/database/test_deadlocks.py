"""Deleting a sample while a read comes in: locks are taken in one order, so that nobody waits in a circle."""

import os
import threading
from collections.abc import Iterator

import pytest
from peewee import PeeweeException
from seqfacility_instance.core.clock import system_now
from seqfacility_instance.core.vocabulary.sequencing import DataClass, ReadSource
from seqfacility_instance.orders import sample_store, store
from seqfacility_instance.reads.adding import add_read
from seqfacility_instance.settings import read_settings
from seqfacility_instance.tables.base import close_all_connections
from seqfacility_instance.tables.orders import Order, Sample
from seqfacility_instance.tables.people import User
from seqfacility_instance.wiring import Services, wire
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.waiting import wait_until

VALUES: dict[str, object] = {"file1": "a.fastq", "data_class": DataClass.RAW, "source": ReadSource.LINK}


@pytest.fixture
def services(live_on_server: LiveFacility) -> Iterator[Services]:
    wired = wire(read_settings({**os.environ, **live_on_server.variables()}))
    with wired.database.connection_context():
        yield wired
    close_all_connections(wired.database)


def test_a_sample_is_deleted_while_a_read_is_added_to_it(services: Services) -> None:
    owner = User.select().first()
    order = Order.create(order_number="ORD-20310504-0001", user=owner, form_version=1)
    sample = Sample.create(sample_code="S-1-AAAAAA", order=order)
    outcome: list[str] = []

    def add() -> None:
        with services.database.connection_context():
            try:
                with services.database.atomic():
                    add_read(sample.id, dict(VALUES), system_now())
            except PeeweeException as refused:
                outcome.append(type(refused).__name__)

    def waits() -> bool:
        found = services.database.execute_sql("SELECT count(*) FROM pg_locks WHERE NOT granted").fetchone()
        return bool(found[0])

    adding = threading.Thread(target=add)
    with services.database.atomic():
        store.lock_order(order.id)
        adding.start()
        wait_until(waits, "the read waits for the order")
        sample_store.lock_sample(sample.id)
        sample_store.delete_sample(sample.id)
    adding.join()

    assert outcome == ["IntegrityError"]
    assert Order.get_by_id(order.id).sample_count == 0
    assert Order.get_by_id(order.id).active_read_count == 0
