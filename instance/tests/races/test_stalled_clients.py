"""One client with many connections that stall: everybody else is answered as before."""

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path

import pytest
import requests
from seqfacility_instance.connections import CONNECTIONS_PER_ADDRESS
from seqfacility_testkit.facility import move_folders
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.nginx import DEBIAN_PACKAGE, find_nginx, free_port, running_nginx
from seqfacility_testkit.processes import Processes
from seqfacility_testkit.soak import record, rounds
from seqfacility_testkit.stalled_requests import Stall, begun_post, seconds_of_answers, stalled_clients
from seqfacility_testkit.waiting import DEADLINE_SECONDS

CONNECTIONS = rounds(200, 1000)
SIGN_IN = "/api/auth/sign-in"
CHUNKED = f"POST {SIGN_IN} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n".encode()

STALLS = {
    "no byte": Stall(b""),
    "half a head": Stall(b"GET /api/version HTTP/1.1\r\nHost: x\r\nX-A: "),
    "a head that drips": Stall(b"GET /api/version HTTP/1.1\r\nHost: x\r\nX-A: ", drip=b"a"),
    "one byte of a small body": Stall(begun_post(SIGN_IN, 5_000, b"{")),
    "a small body that drips": Stall(begun_post(SIGN_IN, 5_000, b"{"), drip=b" "),
    "a large body that drips": Stall(begun_post(SIGN_IN, 100_000, b"{"), drip=b" "),
    "a body that nobody reads": Stall(begun_post("/api/orders", 5_000, b"{")),
    "one byte of a chunk": Stall(CHUNKED + b"FFFF\r\n{", drip=b" "),
    "a request, do not hang up after its answer": Stall(
        b"GET /api/version HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    ),
}


PROXY = Path(__file__).parents[2] / "deploy/nginx/seqfacility-proxy.conf"
PROXY_ADDRESS = "127.0.0.3"
WAYS = ("directly", "through nginx")


@contextmanager
def reached(way: str, template: Path, folder: Path) -> Iterator[str]:
    """Give the address of an instance with one web process, or of the nginx in front of it."""
    shutil.copytree(template, folder / "home")
    move_folders(folder / "home")
    processes = Processes(folder / "logs")
    trusted = {"SEQFACILITY_TRUSTED_PROXIES": PROXY_ADDRESS}
    try:
        address = LiveFacility(folder / "home", processes, trusted, workers=1).serve()
        if way == "directly":
            yield address
            return
        binary = find_nginx()
        if binary is None:
            pytest.skip(f"needs the Debian package {DEBIAN_PACKAGE}")
        server = PROXY.read_text("utf-8").replace("http://seqfacility", address)
        with running_nginx(binary, f"{server} proxy_bind {PROXY_ADDRESS};", folder, free_port()) as proxied:
            yield proxied
    finally:
        processes.stop_all()
        sys.stdout.write(processes.logs())


@pytest.fixture(scope="module")
def address_of(
    facility_template: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], str]]:
    """Give an address for each way.

    WHY: tests come in any order; parameters of a shared fixture would be started again at each change.
    """
    with ExitStack() as kept:
        yield cache(
            lambda way: kept.enter_context(
                reached(way, facility_template, tmp_path_factory.mktemp("stalled"))
            )
        )


@pytest.fixture(params=WAYS)
def base(request: pytest.FixtureRequest, address_of: Callable[[str], str]) -> str:
    return address_of(request.param)


@pytest.mark.parametrize("what", STALLS)
def test_others_are_answered_while_one_client_stalls_many_connections(
    what: str, base: str, request: pytest.FixtureRequest
) -> None:
    way = request.node.callspec.params["base"]
    pause_seconds = rounds(0, 1) / 20
    idle = seconds_of_answers(base, rounds(5, 300), pause_seconds)

    with stalled_clients(base, CONNECTIONS, STALLS[what], drip_seconds=rounds(1, 12)):
        busy = seconds_of_answers(base, rounds(20, 300), pause_seconds)

    record(
        f"Clients that send {what} and then stall do not keep others from being answered, {way}.",
        tried=f"{CONNECTIONS} such connections of one address to one web process, begun again every 12 s",
        found=f"the p99 of others was {p99_ms(busy)}, beside {p99_ms(idle)} when idle",
    )


def test_a_client_that_keeps_its_connections_is_answered_on_further_ones(base: str) -> None:
    with ExitStack() as kept:
        sessions = [kept.enter_context(requests.Session()) for _ in range(CONNECTIONS_PER_ADDRESS + 8)]
        first = [session.get(f"{base}/api/version", timeout=DEADLINE_SECONDS) for session in sessions]
        again = [session.get(f"{base}/api/version", timeout=DEADLINE_SECONDS) for session in sessions]

    assert {answer.status_code for answer in first + again} == {200}


def p99_ms(seconds: list[float]) -> str:
    return f"{sorted(seconds)[int(len(seconds) * 0.99)] * 1000:.1f} ms"
