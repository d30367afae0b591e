"""Clients that open connections and then do as little as they can, and what the others notice of them."""

import math
import select
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle

DRIP_SECONDS = 0.5
"""Well within every limit between two bytes; only a deadline for the whole ends who drips."""


@dataclass(frozen=True)
class Stall:
    """What a client says before it stalls, and the byte that it adds now and then."""

    name: str
    said: bytes
    drip: bytes = b""
    receive_buffer: int | None = None


@dataclass
class StalledClients:
    """Open connections of stalled clients."""

    stall: Stall
    connections: list[socket.socket] = field(default_factory=list)

    def connect(self, server: tuple[str, int], addresses: Sequence[str], count: int) -> None:
        """Open `count` connections from these addresses in turn."""
        for address, _ in zip(cycle(addresses), range(count), strict=False):
            connection = socket.socket()
            if self.stall.receive_buffer is not None:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self.stall.receive_buffer)
            connection.settimeout(30)
            connection.bind((address, 0))
            self.connections.append(connection)
            try:
                connection.connect(server)
                connection.sendall(self.stall.said)
            except ConnectionError:
                continue  # refused, as `open` tells

    def drip(self) -> None:
        """Send one byte more on every connection that is open."""
        for connection in self.connections:
            try:
                connection.send(self.stall.drip, socket.MSG_DONTWAIT)
            except OSError:
                continue  # ended, as `open` tells

    def open(self) -> int:
        """Count the connections that the server has not ended; of an answer nothing is taken."""
        asked = select.poll()
        for connection in self.connections:
            asked.register(connection, select.POLLRDHUP)
        ended = {descriptor for descriptor, _ in asked.poll(0)}
        return sum(connection.fileno() not in ended for connection in self.connections)

    def close(self) -> None:
        for connection in self.connections:
            connection.close()


@contextmanager
def stalled_clients(
    stall: Stall, server: tuple[str, int], addresses: Sequence[str], count: int
) -> Iterator[StalledClients]:
    """Keep `count` clients stalled, as far as the server lets them."""
    clients, end = StalledClients(stall), threading.Event()

    def drip() -> None:
        while not end.wait(DRIP_SECONDS):
            clients.drip()

    dripping = threading.Thread(target=drip, daemon=True)
    try:
        clients.connect(server, addresses, count)
        if stall.drip:
            dripping.start()
        yield clients
    finally:
        end.set()
        if stall.drip:
            dripping.join()
        clients.close()


def answer_seconds(
    server: tuple[str, int], addresses: Sequence[str], requests: Sequence[bytes], count: int
) -> list[float]:
    """Ask `count` times, each on a connection of its own; return the durations of the answers, ascending.

    Every answer must be 200, within 30 seconds.
    """
    taken: list[float] = []
    for address, request, _ in zip(cycle(addresses), cycle(requests), range(count), strict=False):
        begun = time.perf_counter()
        with socket.create_connection(server, timeout=30, source_address=(address, 0)) as connection:
            connection.sendall(request)
            answer = b"".join(iter(lambda: connection.recv(65536), b""))
        taken.append(time.perf_counter() - begun)
        assert answer.startswith(b"HTTP/1.1 200 "), answer[:200]
    return sorted(taken)


def p99(taken: Sequence[float]) -> float:
    return taken[math.ceil(0.99 * len(taken)) - 1]
