"""One client cannot stop the registry: hundreds of stalled connections, with and without nginx in front."""

import re
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from seqfacility_registry.connections import (
    MAX_CONNECTIONS_PER_ADDRESS,
    MIN_DESCRIPTORS,
    RESERVED_DESCRIPTORS,
)
from seqfacility_testkit.nginx import DEBIAN_PACKAGE, find_nginx, free_port, running_nginx_http
from seqfacility_testkit.processes import Processes, ServiceProcess
from seqfacility_testkit.soak import record, rounds
from seqfacility_testkit.stalled_clients import Stall, StalledClients, answer_seconds, p99, stalled_clients
from seqfacility_testkit.waiting import wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs all of 127.0.0.0/8 as addresses")

SHIPPED = Path(__file__).parents[2] / "deploy" / "nginx" / "seqfacility-registry.conf"
CLIENTS = rounds(short=150, long=1000)
REQUESTS = rounds(short=40, long=2000)
ONE = ["127.0.0.9"]
MANY = [f"127.0.1.{number}" for number in range(1, 51)]
OTHERS = [f"127.0.2.{number}" for number in range(1, 255)]
FLOODS = rounds(short=1, long=20)
LARGE_BYTES = 4 * 1024 * 1024

GET = b"GET /api/registry HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
RESOLVE = (
    b"POST /api/install-profiles/open/resolve HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: "
)
ASKED = [GET, RESOLVE + b"2\r\n\r\n{}"]
HEAD = b"GET /api/health HTTP/1.1\r\nHost: x\r\nX-A: "
STALLS = [
    Stall("that send nothing", b""),
    Stall("that send half a head", HEAD),
    Stall("that send a head byte by byte", HEAD, drip=b"a"),
    Stall("that send half a body", RESOLVE + b"9\r\n\r\n{"),
    Stall("that send a body byte by byte", RESOLVE + b"4000\r\n\r\n{", drip=b" "),
    Stall(
        "that take nothing of their answer",
        b"GET /images/catalog/x.svg HTTP/1.1\r\nHost: x\r\n\r\n",
        receive_buffer=4096,
    ),
]
each_stall = pytest.mark.parametrize("stall", STALLS, ids=lambda stall: stall.name)


@pytest.fixture(scope="module")
def environment(small_content: Path) -> Mapping[str, str]:
    """Return the content of all tests here, with a drawing that fits no buffer, and the trusted proxy."""
    (small_content / "catalog" / "images" / "x.svg").write_bytes(bytes(LARGE_BYTES))
    return {
        "SEQFACILITY_REGISTRY_CONTENT": str(small_content),
        "SEQFACILITY_REGISTRY_PUBLIC_URL": "",
        "SEQFACILITY_TRUSTED_PROXIES": "127.0.0.1",
    }


@pytest.fixture(scope="module")
def service(
    environment: Mapping[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServiceProcess]:
    """Run the service for all tests here."""
    processes = Processes(tmp_path_factory.mktemp("stalled") / "logs")
    try:
        yield processes.start(
            "seqfacility_registry", "serve", "--bind", "127.0.0.1:0", environment=environment
        )
    finally:
        processes.stop_all()


@pytest.fixture(scope="module")
def behind_nginx(service: ServiceProcess, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run nginx in front of it as shipped, but for TLS; return its address."""
    binary = find_nginx()
    if binary is None:
        pytest.skip(f"needs nginx: apt-get install {DEBIAN_PACKAGE}")
    port = free_port()
    shipped = re.sub(r"(?ms)^server \{\n    listen 80;.*?^\}\n", "", SHIPPED.read_text("utf-8"))
    shipped = re.sub(r"(?m)^    (ssl_|listen \[).*\n", "", shipped)
    shipped = shipped.replace("listen 443 ssl;", f"listen 127.0.0.1:{port};")
    shipped = shipped.replace("127.0.0.1:8090", service.url().removeprefix("http://"))
    folder = tmp_path_factory.mktemp("nginx")
    with running_nginx_http(binary, shipped, folder, port) as address:
        yield address


def server_at(url: str) -> tuple[str, int]:
    host, port = url.removeprefix("http://").split(":")
    return host, int(port)


def others_are_served(url: str, clients: StalledClients | None = None) -> float:
    """Ask while these clients stall; return the p99 of the answers in seconds."""
    taken = p99(answer_seconds(server_at(url), OTHERS, ASKED, REQUESTS))
    assert clients is None or clients.connections
    return taken


@each_stall
def test_many_stalled_connections_of_one_address_hold_a_few_and_others_are_served(
    service: ServiceProcess, stall: Stall
) -> None:
    server = server_at(service.url())
    idle = others_are_served(service.url())

    with stalled_clients(stall, server, ONE, CLIENTS) as clients:
        stalled = others_are_served(service.url(), clients)
        wait_until(lambda: clients.open() <= MAX_CONNECTIONS_PER_ADDRESS, "all but a few are ended")

    assert "Traceback" not in service.log
    record(
        f"Clients {stall.name} do not keep others from the registry, however many connections they open",
        tried=f"{CLIENTS} connections from one address, {REQUESTS} requests of others meanwhile",
        found=f"at most {MAX_CONNECTIONS_PER_ADDRESS} held, "
        f"each request answered, p99 {stalled / idle:.1f} x idle",
    )


@each_stall
def test_stalled_connections_of_many_addresses_are_all_held_and_others_are_served(
    service: ServiceProcess, stall: Stall
) -> None:
    server = server_at(service.url())
    idle = others_are_served(service.url())

    with stalled_clients(stall, server, MANY, CLIENTS) as clients:
        stalled = others_are_served(service.url(), clients)

    assert "Traceback" not in service.log
    record(
        f"Clients {stall.name} do not keep others from the registry, though each is below its limit",
        tried=f"{CLIENTS} connections from {len(MANY)} addresses, {REQUESTS} requests of others meanwhile",
        found=f"each request answered, p99 {stalled / idle:.1f} x idle",
    )


@each_stall
def test_behind_nginx_many_stalled_connections_of_one_address_do_not_keep_others_out(
    behind_nginx: str, service: ServiceProcess, stall: Stall
) -> None:
    server = server_at(behind_nginx)
    idle = others_are_served(behind_nginx)

    with stalled_clients(stall, server, ONE, CLIENTS) as clients:
        stalled = others_are_served(behind_nginx, clients)

    assert "Traceback" not in service.log
    record(
        f"Behind the shipped nginx file clients {stall.name} do not keep others from the registry",
        tried=f"{CLIENTS} connections from one address, {REQUESTS} requests of others meanwhile",
        found=f"each request answered, p99 {stalled / idle:.1f} x idle",
    )


@pytest.mark.parametrize("stall", STALLS[:-1], ids=lambda stall: stall.name)
def test_every_stalled_connection_is_ended(
    processes: Processes, environment: Mapping[str, str], stall: Stall
) -> None:
    process = processes.start("seqfacility_testkit.impatient_registry", environment=environment)
    server = server_at(process.url())

    with stalled_clients(stall, server, ONE, MAX_CONNECTIONS_PER_ADDRESS) as clients:
        wait_until(lambda: clients.open() == 0, "they are ended")


def test_the_connection_beyond_the_limit_of_its_address_is_told_so(service: ServiceProcess) -> None:
    server, address = server_at(service.url()), "127.0.0.8"
    with stalled_clients(STALLS[0], server, [address], MAX_CONNECTIONS_PER_ADDRESS) as clients:
        refused = _all_of(server, address)
        assert clients.open() == MAX_CONNECTIONS_PER_ADDRESS

    assert refused.startswith(b"HTTP/1.1 429 ")
    assert b"\r\nRetry-After: 10\r\n" in refused
    assert refused.endswith(b'{"error": "Too many requests"}')
    wait_until(
        lambda: _all_of(server, address, GET).startswith(b"HTTP/1.1 200 "), "the address is free again"
    )


def test_all_connections_together_stay_below_the_descriptor_limit(
    processes: Processes, environment: Mapping[str, str]
) -> None:
    arguments = (str(MIN_DESCRIPTORS), "seqfacility_registry", "serve", "--bind", "127.0.0.1:0")
    process = processes.start("seqfacility_testkit.few_descriptors", *arguments, environment=environment)
    server = server_at(process.url())
    most = MIN_DESCRIPTORS - RESERVED_DESCRIPTORS
    others_are_served(process.url())

    for _ in range(FLOODS):
        with stalled_clients(STALLS[1], server, MANY, 2 * MIN_DESCRIPTORS) as crowd:
            wait_until(lambda: crowd.open() <= most, "the others are refused")
            refused = _all_of(server, OTHERS[0])
            assert crowd.open() == most
        wait_until(lambda: _all_of(server, OTHERS[0], GET).startswith(b"HTTP/1.1 200 "), "others are served")

        assert refused.startswith(b"HTTP/1.1 503 ")
        assert refused.endswith(b'{"error": "Service is busy"}')
    assert "Too many open files" not in process.log
    assert "Traceback" not in process.log
    record(
        "The registry never runs out of descriptors: who comes when all connections are taken is told so",
        tried=f"{FLOODS} times {2 * MIN_DESCRIPTORS} connections at once, {MIN_DESCRIPTORS} descriptors",
        found=f"{most} held each time, the others told 503, and all served again once the crowd had left",
    )


def test_such_a_crowd_stops_a_server_without_limits(
    processes: Processes, environment: Mapping[str, str]
) -> None:
    arguments = (str(MIN_DESCRIPTORS), "seqfacility_testkit.unlimited_registry")
    process = processes.start("seqfacility_testkit.few_descriptors", *arguments, environment=environment)
    server = server_at(process.url())
    others_are_served(process.url())

    with stalled_clients(STALLS[1], server, MANY, MIN_DESCRIPTORS + 50) as crowd:
        wait_until(lambda: "Too many open files" in process.log, "no descriptor is left")
        with pytest.raises(TimeoutError):
            _all_of(server, OTHERS[0], GET, patience_seconds=2)
        assert crowd.open() == MIN_DESCRIPTORS + 50


def test_a_start_with_too_few_descriptors_is_refused_in_one_line() -> None:
    serve = ["seqfacility_registry", "serve", "--bind", "127.0.0.1:0"]
    command = [sys.executable, "-m", "seqfacility_testkit.few_descriptors", "64", *serve]

    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    told = f"error: only 64 files may be open at a time (ulimit -n); {MIN_DESCRIPTORS} are needed\n"
    assert (ended.returncode, ended.stderr) == (1, told)


def test_nginx_refuses_in_the_words_of_the_service(behind_nginx: str) -> None:
    server = server_at(behind_nginx)

    large = _all_of(server, OTHERS[0], RESOLVE + b"70000\r\n\r\n" + bytes(70000))
    answers = [_all_of(server, "127.0.3.1", GET)[:13] for _ in range(1000)]
    many = _all_of(server, "127.0.3.1", GET)

    assert large.startswith(b"HTTP/1.1 413 ")
    assert large.endswith(b'{"error": "Request body is too large"}')
    assert b"HTTP/1.1 200 " in answers
    assert many.startswith(b"HTTP/1.1 429 ")
    assert many.endswith(b'{"error": "Too many requests"}')


def _all_of(server: tuple[str, int], address: str, said: bytes = b"", patience_seconds: float = 30) -> bytes:
    """Return all that comes until the server ends the connection."""
    with socket.create_connection(server, patience_seconds, (address, 0)) as connection:
        connection.sendall(said)
        return b"".join(iter(lambda: connection.recv(65536), b""))
