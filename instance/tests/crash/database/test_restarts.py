"""A PostgreSQL server that goes away and comes back: 503 meanwhile, nothing lost, nobody dead."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import requests
from seqfacility_instance.core.clock import system_now
from seqfacility_instance.core.ids import epoch_milliseconds
from seqfacility_instance.tables.base import close_all_connections, open_database
from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.live_uploads import LiveOrder, live_order
from seqfacility_testkit.processes import ServiceProcess
from seqfacility_testkit.soak import record, rounds
from seqfacility_testkit.waiting import wait_until

ROUNDS = rounds(short=2, long=50)
PIECE = 4096
DAEMONS = ("worker", "monitor-runs", "monitor-streams")
# A server that shuts down takes no further connection, and is one too many for a moment.
REFUSALS = [{"error": "The database is not reachable"}, {"error": "The database is busy, try again"}]


@dataclass
class Load:
    """Somebody who makes orders and somebody who uploads, without a pause, and what they were answered."""

    live: LiveFacility
    stop: threading.Event = field(default_factory=threading.Event)
    order_ids: list[str] = field(default_factory=list)
    received: int = 0
    refused: int = 0
    surprises: list[str] = field(default_factory=list)

    def begin(self) -> list[threading.Thread]:
        order, client = live_order(self.live), self.live.sign_in()
        upload_id = order.initiate(2**31)
        threads = [
            threading.Thread(target=self._orders, args=(client,)),
            threading.Thread(target=self._upload, args=(order, upload_id)),
        ]
        for thread in threads:
            thread.start()
        self.order, self.upload_id = order, upload_id
        return threads

    def _ask(self, ask: Callable[[], requests.Response]) -> dict[str, Any] | None:
        """Return the body of a success; a refusal is counted, and must be the documented one."""
        answer = ask()
        if answer.status_code in {200, 201}:
            body: dict[str, Any] = answer.json()
            return body
        self.refused += 1
        if answer.status_code != 503 or answer.json() not in REFUSALS or "Retry-After" not in answer.headers:
            self.surprises.append(f"{answer.request.method} {answer.url}: {answer.status_code} {answer.text}")
        return None

    def _orders(self, client: LiveClient) -> None:
        for number in count():
            if self.stop.is_set():
                return
            body = self._ask(lambda name=f"order {number}": client.post("/api/orders", json={"name": name}))
            if body is not None:
                self.order_ids.append(body["order"]["id"])

    def _upload(self, order: LiveOrder, upload_id: str) -> None:
        """Send one piece after another; after a refusal ask where to go on, as a client does."""
        path = f"{order.uploads}/{upload_id}"
        while not self.stop.is_set():
            sent = self._ask(lambda: order.admin.patch(path, data=b"x" * PIECE, headers=self._offset()))
            if sent is not None:
                self.received = sent["receivedSize"]
                continue
            # WHY: a request that failed may have been done; to send it again without asking would be 400.
            found = None
            while found is None and not self.stop.is_set():
                found = self._ask(lambda: order.admin.get(path))
            if found is not None:
                assert found["receivedSize"] >= self.received, "acknowledged bytes are gone"
                self.received = found["receivedSize"]

    def _offset(self) -> dict[str, str]:
        return {"x-service-offset": str(self.received)}

    def wait_for_progress(self) -> None:
        made, received = len(self.order_ids), self.received
        wait_until(
            lambda: len(self.order_ids) > made and self.received > received, "orders and chunks are taken"
        )

    def wait_for_refusals(self) -> None:
        refused = self.refused
        wait_until(lambda: self.refused > refused + 2, "requests are refused")


def test_a_server_that_restarts_costs_503_and_nothing_else(live_on_server: LiveFacility, server: Any) -> None:
    daemons = [live_on_server.run(name) for name in DAEMONS]
    wait_until(lambda: beats_since(server.url, 0) == set(DAEMONS), "every daemon has given a sign of life")
    assert live_on_server.server is not None
    workers = live_on_server.server.children()
    load = Load(live_on_server)
    threads = load.begin()
    try:
        for number in range(ROUNDS):
            load.wait_for_progress()
            server.stop("fast" if number % 2 else "immediate")
            load.wait_for_refusals()
            server.start()
            load.wait_for_progress()
    finally:
        load.stop.set()
        for thread in threads:
            thread.join()

    assert load.surprises == []
    database = open_database(server.url)
    with database.connection_context():
        stored = {row[0] for row in database.execute_sql("SELECT id FROM orders").fetchall()}
    close_all_connections(database)
    assert set(load.order_ids) <= stored
    assert load.order.received(load.upload_id) >= load.received
    assert_alive(live_on_server, workers, daemons)
    back = epoch_milliseconds(system_now())
    wait_until(lambda: beats_since(server.url, back) == set(DAEMONS), "every daemon works again")
    record(
        "A restart of the PostgreSQL server costs requests that say 503, and nothing that was confirmed.",
        tried=f"{ROUNDS} stops, half of them like a crash, under orders and an upload",
        found=f"{len(load.order_ids)} confirmed orders and {load.received} confirmed bytes all there, "
        f"{load.refused} requests refused with 503, no other answer, no process ended",
    )


def assert_alive(live: LiveFacility, workers: list[int], daemons: list[ServiceProcess]) -> None:
    """See that the processes are those that were started."""
    assert live.server is not None
    assert live.server.process.poll() is None
    assert live.server.children() == workers
    assert [daemon.process.poll() for daemon in daemons] == [None] * len(daemons)


def beats_since(url: str, timestamp: int) -> set[str]:
    """Name the daemons that gave a sign of life after a moment (epoch milliseconds)."""
    database = open_database(url)
    with database.connection_context():
        rows = database.execute_sql(
            "SELECT name FROM process_heartbeats WHERE last_heartbeat_at > %s", (timestamp,)
        ).fetchall()
    close_all_connections(database)
    return {name for (name,) in rows}
