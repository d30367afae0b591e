"""Addresses of this machine and of private networks, however they are written: nothing is dialled there."""

import random
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import IPv4Address, IPv6Address
from typing import Any

import pytest
from seqfacility_instance.registry_client.client import RegistryClient
from seqfacility_instance.registry_client.errors import RegistryNotReachable
from seqfacility_instance.registry_client.reach import Reach
from seqfacility_instance.registry_client.transfer import TransferBroken, TransferRefused, open_transfer
from seqfacility_testkit.soak import record, rounds

SPELLINGS = rounds(short=150, long=8_000)
NETWORKS = (
    *("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10"),
    *("0.0.0.0/32", "255.255.255.255/32", "198.18.0.0/15", "224.0.0.0/4"),
)
PLACES = ("127.0.0.1", "169.254.169.254", "100.100.100.200", "10.0.0.1", "192.168.1.1", "0.0.0.0")  # noqa: S104  # dialled by nobody
NAMES = ("localhost", "LOCALHOST", "localhost.", "rebinding.example", "both.example")
PUBLIC = "93.184.216.34"


class Canary:
    """Listens on this machine and counts who comes."""

    def __init__(self) -> None:
        self.visits = 0
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port: int = self._socket.getsockname()[1]

    def count(self) -> int:
        """Count the connections that have arrived."""
        self._socket.setblocking(False)
        while True:
            try:
                connection, _ = self._socket.accept()
            except BlockingIOError:
                return self.visits
            connection.close()
            self.visits += 1

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def canary() -> Iterator[Canary]:
    with closing(Canary()) as canary:
        yield canary


@contextmanager
def redirecting_registry(targets: dict[str, str]) -> Iterator[str]:
    """Serve redirects by path; return the address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(302)
            self.send_header("Location", targets[self.path])
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base class names it so
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def dialled(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Note every connection that is begun; none leaves this machine, and no name server is asked."""
    dialled: list[tuple[str, int]] = []
    looked_up: list[str] = []
    connect, resolve = socket.create_connection, socket.getaddrinfo

    def create_connection(address: tuple[str, int], *args: Any, **options: Any) -> socket.socket:
        dialled.append(address)
        if not address[0].startswith("127."):
            raise OSError("no network")
        return connect(address, *args, **options)

    def getaddrinfo(host: str, port: int, *args: Any, **options: Any) -> list[Any]:
        if not host.endswith(".example"):
            # Names of this machine are known to it; everything else counts as unknown.
            flags = 0 if host.lower().rstrip(".") == "localhost" else socket.AI_NUMERICHOST
            return list(resolve(host, port, *args, **options, flags=flags))
        looked_up.append(host)
        # One answers something else each time, the other everything at once.
        found = (
            ["127.0.0.1", PUBLIC] if host == "both.example" else [[PUBLIC], ["127.0.0.1"]][len(looked_up) % 2]
        )
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in found]

    monkeypatch.setattr(socket, "create_connection", create_connection)
    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return dialled


def sql(dice: random.Random) -> str:
    """Write the host of an address that nobody may be led to."""
    if dice.random() < 0.1:
        return dice.choice(NAMES)
    number = int(IPv4Address(dice.choice(PLACES))) if dice.random() < 0.5 else in_network(dice)
    return dice.choice([of_version_4, of_version_6])(number, dice)


def in_network(dice: random.Random) -> int:
    base, _, bits = dice.choice(NETWORKS).partition("/")
    return (
        int(IPv4Address(base)) + dice.getrandbits(32 - int(bits)) if bits != "32" else int(IPv4Address(base))
    )


def of_version_4(number: int, dice: random.Random) -> str:
    """Write one to four parts, each decimal, octal or hexadecimal, as C libraries read them."""
    parts = dice.choice([4, 4, 4, 3, 2, 1])
    octets = list(number.to_bytes(4, "big"))
    values = [*octets[: parts - 1], int.from_bytes(bytes(octets[parts - 1 :]), "big")]
    forms: list[Callable[[int], str]] = [
        str,
        str,
        hex,
        lambda value: f"0{value:o}",
        lambda value: f"0X{value:X}",
    ]
    host = ".".join(dice.choice(forms)(value) for value in values)
    return host + dice.choice(["", "", "", "."])


def of_version_6(number: int, dice: random.Random) -> str:
    """Write the address in the forms that carry one of version 4, or one of version 6 alone."""
    wrapped = [
        IPv6Address((0xFFFF << 32) | number),
        IPv6Address((0x2002 << 112) | (number << 80) | 1),
        IPv6Address((0x0064FF9B << 96) | number),
        *(
            IPv6Address(text)
            for text in ("::1", "::", "fe80::1", "fc00::1", "fd00:ec2::254", "ff02::1", "fec0::1")
        ),
    ]
    chosen = dice.choice(wrapped)
    text = dice.choice([str(chosen), chosen.exploded, str(chosen).upper(), f"::ffff:{IPv4Address(number)}"])
    return f"[{text}{dice.choice(['', '', '%25lo', '%lo'])}]"


def test_no_spelling_of_an_address_leads_into_this_machine_or_a_private_network(
    canary: Canary, dialled: list[tuple[str, int]]
) -> None:
    dice = random.Random("addresses")  # noqa: S311  # the same addresses every time
    targets = {}
    for number in range(SPELLINGS):
        scheme = dice.choice(["http", "http", "http", "https", "HTTP", ""])
        user = dice.choice(["", "", "", "", "r.example@"])
        start = f"{scheme}://" if scheme else "//"
        targets[f"/api/{number}"] = f"{start}{user}{sql(dice)}:{canary.port}/registry"
    with redirecting_registry(targets) as base:
        client = RegistryClient(f"{base}/api", timeout_seconds=5)
        named = ("127.0.0.1", int(base.rpartition(":")[2]))
        for path, target in targets.items():
            with pytest.raises(RegistryNotReachable):
                client.fetch(base + path)
            with pytest.raises((TransferBroken, TransferRefused)):
                transfer(f"http:{target}" if target.startswith("//") else target, Reach())
            assert {*dialled} <= {named, (PUBLIC, canary.port)}, target
        assert dialled.count(named) == SPELLINGS
        assert canary.count() == 0

        # The canary hears who is let through.
        listed = Reach.of([f"127.0.0.1:{canary.port}"])
        with pytest.raises((TransferBroken, TransferRefused)):
            transfer(f"http://127.0.0.1:{canary.port}/", listed, wait_for=canary)
    assert canary.visits == 1
    record(
        "No redirect of a registry and no address in a package leads into this machine or a private network",
        tried=f"{SPELLINGS:,} spellings of loopback, private, link-local and metadata addresses (decimal, "
        "octal, hexadecimal, short, mapped, 6to4, NAT64, names that change their meaning), each as the "
        "target of a redirect and as the address of a database",
        found="0 connections arrived at a listening canary, none was begun to any other such address",
    )


def transfer(url: str, reach: Reach, wait_for: Canary | None = None) -> None:
    if wait_for is not None:
        threading.Timer(0.2, wait_for.count).start()
    with open_transfer(url, 0, None, reach) as answer:
        b"".join(answer.blocks)
