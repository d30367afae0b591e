"""An address that stalls requests, and begins anew whenever it is cut; somebody else asks meanwhile."""

import contextlib
import resource
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from urllib.parse import urlsplit

ATTACKER = "127.0.0.1"
SOMEBODY_ELSE = "127.0.0.2"
"""Limits are counted per address, so whoever must still be served comes from another one."""


@dataclass(frozen=True, slots=True)
class Stall:
    """What each client sends before it stalls, and the byte that it goes on to send now and then."""

    begun: bytes
    drip: bytes = b""


def begun_post(path: str, announced_bytes: int, sent: bytes, headers: str = "") -> bytes:
    """Begin a POST of which only `sent` arrives of the `announced_bytes` of its body."""
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {announced_bytes}\r\n{headers}\r\n"
    return head.encode("ascii") + sent


@contextmanager
def stalled_clients(base: str, count: int, stall: Stall, drip_seconds: float = 1.0) -> Iterator[None]:
    """Keep `count` stalled connections of one address open; one that the server ends is opened again.

    So the server is never left in peace: every `drip_seconds` each connection sends its byte, or is replaced.
    They live in a process of their own, so that whoever measures does not wait for them.
    """
    spawn = get_context("spawn")
    begun, ended = spawn.Event(), spawn.Event()
    process = spawn.Process(target=_stall, args=(base, count, stall, drip_seconds, begun, ended))
    process.start()
    try:
        assert begun.wait(60), "the connections could not be opened"
        yield
    finally:
        ended.set()
        process.join()


def _stall(base: str, count: int, stall: Stall, drip_seconds: float, begun: Event, ended: Event) -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    place = urlsplit(base)
    address = (str(place.hostname), place.port or 80)
    clients = [_begin(address, stall) for _ in range(count)]
    begun.set()
    while not ended.wait(drip_seconds):
        for number, client in enumerate(clients):
            if not _is_open(client, stall.drip):
                client.close()
                clients[number] = _begin(address, stall)


def _begin(address: tuple[str, int], stall: Stall) -> socket.socket:
    client = socket.create_connection(address, timeout=30, source_address=(ATTACKER, 0))
    client.setblocking(False)
    # A server that takes no more connections of this address may have ended this one already.
    with contextlib.suppress(OSError):
        client.send(stall.begun)
    return client


def _is_open(client: socket.socket, drip: bytes) -> bool:
    try:
        if not client.recv(65536):
            return False
    except BlockingIOError:
        pass
    except OSError:
        return False
    try:
        client.send(drip)
    except OSError:
        return False
    return True


def seconds_of_answers(base: str, count: int, pause_seconds: float = 0.0) -> list[float]:
    """Ask `count` times as somebody else, each time on a new connection; raises when no answer comes."""
    place = urlsplit(base)
    seconds = []
    for _ in range(count):
        began = time.monotonic()
        connection = HTTPConnection(
            str(place.hostname), place.port, timeout=30, source_address=(SOMEBODY_ELSE, 0)
        )
        with contextlib.closing(connection):
            connection.request("GET", "/api/version")
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 200, answer.status
        seconds.append(time.monotonic() - began)
        time.sleep(pause_seconds)
    return seconds
