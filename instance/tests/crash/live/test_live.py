"""Readers of the live feed survive the death of web processes."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial

import requests
from seqfacility_testkit.facility import RESEARCHER
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_readers import LiveReader
from seqfacility_testkit.processes import ServiceProcess
from seqfacility_testkit.soak import rounds
from seqfacility_testkit.waiting import wait_until

READERS = 6
ORDERS = rounds(short=24, long=300)


def test_readers_of_killed_workers_come_back_and_have_missed_nothing(live_facility: LiveFacility) -> None:
    researcher = live_facility.sign_in(RESEARCHER)
    token = researcher.cookies["service_session"]
    orders = [
        researcher.post("/api/orders", json={"name": "before"}).json()["order"]["id"] for _ in range(ORDERS)
    ]
    topics = {f"order:{order_id}" for order_id in orders}
    assert live_facility.server is not None
    server = live_facility.server

    with ExitStack() as opened, ThreadPoolExecutor(READERS) as pool:
        readers = [
            opened.enter_context(LiveReader(lambda: live_facility.base, token, ",".join(topics)))
            for _ in range(READERS)
        ]
        heard = [pool.submit(reader.read_until, topics) for reader in readers]
        for number, order_id in enumerate(orders):
            if number % 6 == 3:
                victim = server.children()[0]
                os.kill(victim, signal.SIGKILL)
                wait_until(partial(is_replaced, server, victim), "a new worker is there")
            change(live_facility, token, order_id)
        for one in heard:
            one.result()

    assert [reader.resets for reader in readers] == [0] * READERS


def is_replaced(server: ServiceProcess, victim: int) -> bool:
    return victim not in server.children() and len(server.children()) == 2


def change(facility: LiveFacility, token: str, order_id: str) -> None:
    """Change an order; who meets a worker that is just killed asks once more."""

    def is_changed() -> bool:
        try:
            answer = requests.put(
                f"{facility.base}/api/orders/{order_id}",
                json={"name": "after"},
                headers={"Cookie": f"service_session={token}"},
                timeout=30,
            )
        except requests.ConnectionError:
            return False
        assert answer.status_code == 200, answer.text
        return True

    wait_until(is_changed, "the order is changed")
