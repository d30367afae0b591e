"""What the event loop hands to the application, and that nobody waits for somebody else."""

import asyncio
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest
from seqfacility_registry.event_loop import MOST_BYTES, OnEventLoop, environ_of
from seqfacility_wire.requests import JSON_LIMIT_BYTES

PATIENCE = 30.0


def scope(target: bytes = b"/quick", *headers: tuple[bytes, bytes], **words: Any) -> dict[str, Any]:
    return {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "raw_path": target,
        "query_string": b"a=%C3%A4",
        "server": ("127.0.0.1", 8090),
        "client": ("192.0.2.7", 40000),
        "headers": list(headers),
        **words,
    }


def pieces(*bodies: bytes) -> list[dict[str, Any]]:
    last = len(bodies) - 1
    return [
        {"type": "http.request", "body": body, "more_body": number < last}
        for number, body in enumerate(bodies)
    ]


async def ask(
    app: OnEventLoop, asked: Mapping[str, Any], messages: Iterable[dict[str, Any]] = ()
) -> list[Mapping[str, Any]]:
    """Send one request; a client without a further message stays silent."""
    waiting, sent = iter(messages), list[Mapping[str, Any]]()

    async def receive() -> Mapping[str, Any]:
        message = next(waiting, None)
        return await asyncio.Event().wait() and {} if message is None else message

    async def send(message: Mapping[str, Any]) -> None:
        sent.append(message)

    await app(asked, receive, send)
    return sent


def echo(environ: dict[str, Any], start_response: Callable[..., object]) -> list[bytes]:
    """Answer with the length of the body, and 408 when it does not come."""
    try:
        told = b"%d" % len(environ["wsgi.input"].read())
    except TimeoutError:
        start_response("408 Request Timeout", [])
        return [b""]
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [told]


@pytest.mark.parametrize(
    ("target", "path"),
    [
        (b"/api/registry/mag", "/api/registry/mag"),
        (b"/a%C3%A4%2F%00", "/aÃ¤/\0"),
        (b"//a", "//a"),
        (b"http://registry.example/api/registry", "/api/registry"),
        (b"http://registry.example", "/"),
        (b"http://[x/a", "/a"),
        (b"*", "/"),
    ],
)
def test_a_path_is_what_pep_3333_wants(target: bytes, path: str) -> None:
    assert environ_of(scope(target))["PATH_INFO"] == path


def test_headers_become_variables_and_repeated_ones_one_list() -> None:
    environ = environ_of(
        scope(
            b"/",
            (b"content-type", b"text/plain"),
            (b"content-length", b"2"),
            (b"accept-encoding", b"br"),
            (b"x-name", b"\xe4"),
            (b"accept-encoding", b"gzip"),
        )
    )

    assert environ["CONTENT_TYPE"] == "text/plain"
    assert environ["CONTENT_LENGTH"] == "2"
    assert environ["HTTP_ACCEPT_ENCODING"] == "br,gzip"
    assert environ["HTTP_X_NAME"] == "ä"
    assert environ["QUERY_STRING"] == "a=%C3%A4"
    assert (environ["SERVER_NAME"], environ["SERVER_PORT"]) == ("127.0.0.1", "8090")
    assert environ["REMOTE_ADDR"] == "192.0.2.7"


@pytest.mark.parametrize(
    ("headers", "bodies", "length"),
    [
        ([(b"content-length", b"5")], (b"ab", b"cde"), 5),
        ([(b"transfer-encoding", b"chunked")], (b"ab", b""), 2),
        ([(b"content-length", b"0")], (b"",), 0),
        ([], (b"",), 0),
    ],
)
def test_a_body_arrives_whole(
    headers: list[tuple[bytes, bytes]], bodies: tuple[bytes, ...], length: int
) -> None:
    app = OnEventLoop(echo, lambda _path: True, PATIENCE)

    start, body = asyncio.run(ask(app, scope(b"/", *headers), pieces(*bodies)))

    assert (start["status"], start["headers"]) == (200, [(b"Content-Type", b"text/plain")])
    assert body["body"] == b"%d" % length


def test_of_a_body_that_is_too_large_one_piece_too_many_is_kept_and_the_end_is_not_awaited() -> None:
    app = OnEventLoop(echo, lambda _path: True, PATIENCE)
    piece = bytes(2**18)
    sent = pieces(*[piece] * (MOST_BYTES // len(piece) + 2))[:-1]

    _, body = asyncio.run(ask(app, scope(b"/", (b"content-length", b"99999999")), sent))

    assert JSON_LIMIT_BYTES < int(body["body"]) <= JSON_LIMIT_BYTES + len(piece)


@pytest.mark.parametrize("end", [[], [{"type": "http.disconnect"}]])
def test_a_body_that_does_not_arrive_is_told_to_who_reads_it(end: list[dict[str, Any]]) -> None:
    app = OnEventLoop(echo, lambda _path: False, 0.01)

    start, _ = asyncio.run(ask(app, scope(b"/", (b"content-length", b"5")), [*pieces(b"ab", b"")[:1], *end]))

    assert start["status"] == 408


def test_an_answer_that_waits_does_not_hold_up_the_others() -> None:
    free = threading.Event()

    def app(environ: dict[str, Any], start_response: Callable[..., object]) -> list[bytes]:
        if environ["PATH_INFO"] == "/slow":
            assert free.wait(PATIENCE)
        start_response("200 OK", [])
        return [environ["PATH_INFO"].encode()]

    async def both() -> tuple[bytes, bytes]:
        loop = OnEventLoop(app, lambda path: path == "/slow", PATIENCE)
        waiting = asyncio.create_task(ask(loop, scope(b"/slow"), pieces(b"")))
        quick = await ask(loop, scope(b"/quick"))
        assert not waiting.done()
        free.set()
        return quick[1]["body"], (await waiting)[1]["body"]

    assert asyncio.run(both()) == (b"/quick", b"/slow")


def test_a_websocket_is_refused() -> None:
    app = OnEventLoop(echo, lambda _path: False, PATIENCE)

    assert asyncio.run(ask(app, {"type": "websocket"})) == [{"type": "websocket.close"}]
