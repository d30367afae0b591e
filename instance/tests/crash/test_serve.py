"""What the web processes survive."""

import os
import signal

from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.waiting import wait_until


def test_a_killed_worker_is_replaced_and_its_sessions_go_on(live_facility: LiveFacility) -> None:
    admin = live_facility.sign_in()
    assert live_facility.server is not None
    victim = live_facility.server.children()[0]

    os.kill(victim, signal.SIGKILL)

    def whole() -> bool:
        assert live_facility.server is not None
        children = live_facility.server.children()
        return victim not in children and len(children) == live_facility.workers

    wait_until(whole, "a new worker is there")
    assert admin.get("/api/auth/session").json()["user"]["role"] == "FACILITY_ADMIN"
