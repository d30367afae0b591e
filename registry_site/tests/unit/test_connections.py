"""How many connections there may be, and what of gunicorn the limits lean on."""

import asyncio
import inspect
import logging
from types import SimpleNamespace

import pytest
from gunicorn.asgi.parser import PythonProtocol
from gunicorn.asgi.protocol import ASGIProtocol
from gunicorn.config import Config
from gunicorn.workers import gasgi
from seqfacility_registry.connections import (
    MAX_CONNECTIONS,
    MAX_CONNECTIONS_PER_ADDRESS,
    MIN_DESCRIPTORS,
    RESERVED_DESCRIPTORS,
    ConnectionLimits,
    LimitedConnection,
    ServiceBusy,
    TooFewDescriptors,
    max_connections,
    peer_address,
)
from seqfacility_wire.errors import TooManyRequests
from seqfacility_wire.serving import response_bytes

PROXY = "127.0.0.1"


def limits(max_in_all: int = 1000) -> ConnectionLimits:
    return ConnectionLimits(max_in_all, frozenset({PROXY}), 60.0)


def test_an_address_has_so_many_connections_and_another_one_its_own() -> None:
    counted = limits()
    for _ in range(MAX_CONNECTIONS_PER_ADDRESS):
        counted.admit("192.0.2.7")

    with pytest.raises(TooManyRequests):
        counted.admit("192.0.2.7")
    counted.admit("192.0.2.8")
    counted.release("192.0.2.7")
    counted.admit("192.0.2.7")


def test_the_addresses_of_one_ipv6_customer_count_as_one() -> None:
    counted = limits()
    for number in range(MAX_CONNECTIONS_PER_ADDRESS):
        counted.admit(f"2001:db8:1:2::{number:x}")

    with pytest.raises(TooManyRequests):
        counted.admit("2001:db8:1:2:ffff::")
    counted.admit("2001:db8:1:3::1")


def test_a_trusted_proxy_is_held_by_the_limit_in_all_alone() -> None:
    counted = limits(2 * MAX_CONNECTIONS_PER_ADDRESS)
    for _ in range(2 * MAX_CONNECTIONS_PER_ADDRESS):
        counted.admit(PROXY)

    with pytest.raises(ServiceBusy):
        counted.admit(PROXY)
    with pytest.raises(ServiceBusy):
        counted.admit("192.0.2.7")
    counted.release(PROXY)
    counted.admit("192.0.2.7")


def test_refusals_are_logged_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    counted = limits()

    with caplog.at_level(logging.WARNING):
        for _ in range(1000):
            counted.log_refusal("192.0.2.7", ServiceBusy())

    assert len(caplog.records) == 1
    assert "192.0.2.7" in caplog.text


@pytest.mark.parametrize(
    ("descriptors", "connections"),
    [
        (MIN_DESCRIPTORS, MIN_DESCRIPTORS - RESERVED_DESCRIPTORS),
        (MAX_CONNECTIONS + RESERVED_DESCRIPTORS - 1, MAX_CONNECTIONS - 1),
        (65_536, MAX_CONNECTIONS),
    ],
)
def test_connections_stay_below_the_descriptor_limit(descriptors: int, connections: int) -> None:
    assert max_connections(descriptors) == connections


def test_too_few_descriptors_are_refused() -> None:
    with pytest.raises(TooFewDescriptors, match="only 1023 files may be open"):
        max_connections(MIN_DESCRIPTORS - 1)


@pytest.mark.parametrize(
    ("peer", "address"),
    [
        (("192.0.2.7", 1), "192.0.2.7"),
        (("::ffff:192.0.2.7", 1, 0, 0), "192.0.2.7"),
        (("2001:db8::1", 1, 0, 0), "2001:db8::1"),
    ],
)
def test_an_ipv4_peer_is_known_by_its_ipv4_address(peer: tuple[object, ...], address: str) -> None:
    assert peer_address(peer) == address


def test_a_refusal_is_a_whole_response_that_ends_the_connection() -> None:
    head, _, body = response_bytes(TooManyRequests(10)).partition(b"\r\n\r\n")

    assert head.startswith(b"HTTP/1.1 429 Too Many Requests\r\n")
    assert b"Connection: close" in head
    assert b"Retry-After: 10" in head
    assert f"Content-Length: {len(body)}".encode() in head
    assert body == b'{"error": "Too many requests"}'


class Transport:
    """A client that has taken all but one byte of its answer."""

    def __init__(self) -> None:
        self.aborted = asyncio.Event()

    def get_write_buffer_size(self) -> int:
        return 1

    def abort(self) -> None:
        self.aborted.set()


def connection_to(transport: Transport, answer_seconds: float) -> LimitedConnection:
    app = SimpleNamespace(limits=ConnectionLimits(1, frozenset(), answer_seconds))
    connection = LimitedConnection(SimpleNamespace(cfg=Config(), log=logging.getLogger(), asgi=None, app=app))
    connection.transport = transport  # type: ignore[assignment]  # all of it that is asked here
    return connection


def test_an_answer_that_is_taken_too_slowly_is_ended() -> None:
    async def wait() -> None:
        transport = Transport()
        connection_to(transport, 0.0).pause_writing()
        await asyncio.wait_for(transport.aborted.wait(), 30)

    asyncio.run(wait())


def test_an_answer_that_was_taken_in_time_ends_nothing() -> None:
    async def take() -> bool:
        transport = Transport()
        connection = connection_to(transport, 0.0)
        connection.pause_writing()
        connection.resume_writing()
        await asyncio.sleep(0.01)
        return transport.aborted.is_set()

    assert not asyncio.run(take())


def test_gunicorn_is_as_the_limits_expect_it_inside() -> None:
    asks_for = inspect.signature(ASGIProtocol._send_error_response).parameters

    serving = inspect.getsource(gasgi.ASGIWorker._serve)
    assert "ASGIProtocol(self)" in serving
    assert serving.index("create_server(") < serving.index("self.notify()")
    assert list(asks_for) == ["self", "status", "message", "extra_headers"]
    assert "is_complete" in PythonProtocol.__slots__
    for name in ("_keepalive_timeout", "_close_transport", "_safe_write", "_is_websocket_upgrade"):
        assert callable(getattr(ASGIProtocol, name))
    begun = inspect.getsource(ASGIProtocol.__init__)
    for name in ("_closed", "_current_request", "_keepalive", "_keepalive_handle", "_callback_parser"):
        assert f"self.{name} = " in begun
    assert "self._cancel_keepalive_timer()" in inspect.getsource(ASGIProtocol._handle_connection)
