"""One live instance for all upload races of a module; each test has an order of its own."""

from collections.abc import Iterator

import pytest
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_uploads import LiveOrder, live_order

SHIPPED = {"maxChunkBytes": None, "idleReadSeconds": 15, "lockWaitSeconds": 20}


@pytest.fixture
def order(shared_live: LiveFacility) -> Iterator[LiveOrder]:
    """Return a submitted order; settings are as shipped afterwards."""
    order = live_order(shared_live)
    yield order
    order.admin.patch("/api/admin/settings/uploads", json=SHIPPED).raise_for_status()
    order.admin.close()
