"""No change is left out, whatever commits while somebody looks."""

import random
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from seqfacility_instance.core.vocabulary.live import ChangeKind
from seqfacility_instance.live import store
from seqfacility_instance.live.rules import Position
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.orders import Order
from seqfacility_testkit.facility import Facility, open_facility
from seqfacility_testkit.soak import rounds

WRITERS = 8
ORDERS_EACH = rounds(short=12, long=200)


@pytest.fixture(params=["sqlite", "postgresql"])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Facility]:
    """Return a facility on each engine."""
    if request.param == "sqlite":
        opened = open_facility(request.getfixturevalue("facility_template"), tmp_path)
    else:
        template = request.getfixturevalue("postgresql_template")
        template.rows.put_back()
        opened = open_facility(template.home, tmp_path, template.url)
    yield opened
    opened.close()


def test_whoever_goes_on_from_a_position_hears_of_every_commit(either: Facility) -> None:
    orders = [
        Order.create(order_number=f"ORD-{number}", user=either.researcher_id, form_version=1).id
        for number in range(WRITERS * ORDERS_EACH)
    ]
    position = store.current_position()
    ended = threading.Event()

    def write(mine: list[str]) -> None:
        with database.connection_context():
            for order_id in mine:
                with database.atomic():
                    Order.update(name="x").where(Order.id == order_id).execute()
                    # Others begin later and commit sooner meanwhile, where an engine lets them.
                    time.sleep(random.random() * 0.02)  # noqa: S311  # no secret

    def follow(position: Position) -> set[str]:
        heard: set[str] = set()
        with database.connection_context():
            is_last = False
            while not is_last:
                is_last = ended.is_set()
                following = store.current_position().bounded()
                found = store.changes_since(position)
                heard |= {change.object_id for change in found if change.kind is ChangeKind.ORDER}
                position = following
        return heard

    with ThreadPoolExecutor(WRITERS + 1) as pool:
        following = pool.submit(follow, position)
        try:
            list(pool.map(write, [orders[number::WRITERS] for number in range(WRITERS)]))
        finally:
            ended.set()

    assert following.result() == set(orders)
