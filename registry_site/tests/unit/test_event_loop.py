"""What the event loop hands to the application, and that nobody waits for somebody else."""

import asyncio
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest
from seqfacility_registry.app import make_busy_app
from seqfacility_registry.event_loop import MAX_BYTES, MAX_WAITING, OnEventLoop, environ_of
from seqfacility_registry.install_profiles.resources import BODY_LIMIT_BYTES

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


def on_event_loop(
    app: Callable[..., Any], may_wait: Callable[[str], bool], body_seconds: float = PATIENCE
) -> OnEventLoop:
    return OnEventLoop(app, make_busy_app(), may_wait, body_seconds)


@pytest.mark.parametrize(
    ("target", "path"),
    [
        (b"/api/registry/mag", "/api/registry/mag"),
        (b"/a%C3%A4%2F%00", "/aÃ¤%2F\0"),
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


def test_an_ipv4_client_of_an_ipv6_socket_has_its_ipv4_address() -> None:
    environ = environ_of(scope(client=("::ffff:192.0.2.7", 40000)))

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
    app = on_event_loop(echo, lambda _path: True)

    start, body = asyncio.run(ask(app, scope(b"/", *headers), pieces(*bodies)))

    assert (start["status"], start["headers"]) == (200, [(b"Content-Type", b"text/plain")])
    assert body["body"] == b"%d" % length


def test_of_a_body_that_is_too_large_one_piece_too_many_is_kept_and_the_end_is_not_awaited() -> None:
    app = on_event_loop(echo, lambda _path: True)
    piece = bytes(2**18)
    sent = pieces(*[piece] * (MAX_BYTES // len(piece) + 2))[:-1]

    _, body = asyncio.run(ask(app, scope(b"/", (b"content-length", b"99999999")), sent))

    assert BODY_LIMIT_BYTES < int(body["body"]) <= BODY_LIMIT_BYTES + len(piece)


def test_a_body_that_does_not_arrive_in_time_is_told_to_who_reads_it() -> None:
    app = on_event_loop(echo, lambda _path: False, 0.01)

    start, _ = asyncio.run(ask(app, scope(b"/", (b"content-length", b"5")), pieces(b"ab", b"")[:1]))

    assert start["status"] == 408


def test_a_client_that_leaves_within_its_body_is_answered_nothing() -> None:
    app = on_event_loop(echo, lambda _path: False)
    leaves = [*pieces(b"ab", b"")[:1], {"type": "http.disconnect"}]

    assert asyncio.run(ask(app, scope(b"/", (b"content-length", b"5")), leaves)) == []


def test_an_answer_that_waits_does_not_hold_up_the_others() -> None:
    free = threading.Event()

    def app(environ: dict[str, Any], start_response: Callable[..., object]) -> list[bytes]:
        if environ["PATH_INFO"] == "/slow":
            assert free.wait(PATIENCE)
        start_response("200 OK", [])
        return [environ["PATH_INFO"].encode()]

    async def both() -> tuple[bytes, bytes]:
        loop = on_event_loop(app, lambda path: path == "/slow")
        waiting = asyncio.create_task(ask(loop, scope(b"/slow"), pieces(b"")))
        quick = await ask(loop, scope(b"/quick"))
        assert not waiting.done()
        free.set()
        return quick[1]["body"], (await waiting)[1]["body"]

    assert asyncio.run(both()) == (b"/quick", b"/slow")


def test_any_number_of_bodies_that_do_not_arrive_hold_up_nobody() -> None:
    async def among_stalled() -> list[Mapping[str, Any]]:
        loop = on_event_loop(echo, lambda _path: True)
        stalled = [
            asyncio.create_task(ask(loop, scope(b"/", (b"content-length", b"5")), pieces(b"ab", b"")[:1]))
            for _ in range(10 * MAX_WAITING)
        ]
        answer = await ask(loop, scope(b"/", (b"content-length", b"2")), pieces(b"ab"))
        assert not any(task.done() for task in stalled)
        for task in stalled:
            task.cancel()
        return answer

    start, body = asyncio.run(among_stalled())

    assert (start["status"], body["body"]) == (200, b"2")


def test_one_answer_more_than_may_wait_is_refused_at_once_and_later_ones_are_given() -> None:
    free = threading.Event()

    def app(_environ: dict[str, Any], start_response: Callable[..., object]) -> list[bytes]:
        assert free.wait(PATIENCE)
        start_response("200 OK", [])
        return [b"ok"]

    async def full() -> tuple[list[Mapping[str, Any]], set[int], list[Mapping[str, Any]]]:
        loop = on_event_loop(app, lambda _path: True)
        waiting = [asyncio.create_task(ask(loop, scope())) for _ in range(MAX_WAITING)]
        await asyncio.sleep(0)
        refused = await ask(loop, scope())
        free.set()
        answers = await asyncio.gather(*waiting)
        return refused, {answer[0]["status"] for answer in answers}, await ask(loop, scope())

    refused, statuses, later = asyncio.run(full())

    assert (refused[0]["status"], refused[1]["body"]) == (503, b'{"error": "Service is busy"}')
    assert (b"retry-after", b"1") in refused[0]["headers"]
    assert statuses == {200}
    assert later[0]["status"] == 200
