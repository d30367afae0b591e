"""Which connections a web process takes."""

import socket
from collections import Counter, deque
from contextlib import ExitStack
from types import SimpleNamespace
from typing import Any

import pytest
from gunicorn.config import Config
from seqfacility_instance.connections import CONNECTIONS_PER_ADDRESS, Worker


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a worker that only takes connections, in `taken`: all of them are being served."""
    worker: Any = Worker.__new__(Worker)
    worker.cfg, worker.nr_conns, worker.taken = Config(), 0, []
    worker.app = SimpleNamespace(trusted_proxies=frozenset({"127.0.0.1"}))
    worker._open, worker._closing = Counter(), deque()
    worker.keepalived_conns, worker.pending_conns = deque(), deque()
    monkeypatch.setattr(worker, "enqueue_req", worker.taken.append)
    return worker


@pytest.mark.parametrize(("source", "share"), [("127.0.0.1", None), ("127.0.0.2", CONNECTIONS_PER_ADDRESS)])
def test_an_ipv4_client_of_an_ipv6_socket_is_known_by_its_ipv4_address(
    worker: Any, source: str, share: int | None
) -> None:
    count = CONNECTIONS_PER_ADDRESS + 1
    with ExitStack() as opened:
        listener = opened.enter_context(socket.socket(socket.AF_INET6))
        listener.bind(("::ffff:127.0.0.1", 0))
        listener.listen(count)
        for _ in range(count):
            place = ("127.0.0.1", listener.getsockname()[1])
            opened.enter_context(socket.create_connection(place, 10, (source, 0)))
            worker.accept(listener)
        for connection in worker.taken:
            opened.enter_context(connection.sock)

    assert len(worker.taken) == (share or count)
    assert {connection.client[0] for connection in worker.taken} == {source}
