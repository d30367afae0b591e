"""A registry that wants to do harm: one behaviour at a time, whatever path is asked for."""

import gzip
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MEGABYTE = b" " * 2**20
DEEP = b"[" * 200_000 + b"]" * 200_000
SOUND = (
    b'{"version": 7, "technologies": [{"id": "a", "name": "NAME"}], "pipelines": '
    b'[{"id": "b", "name": "NAME"}], "checklists": [{"accession": "A", "name": "NAME", "fields": []}]}'
)
_GZIP = {"Content-Encoding": "gzip"}
WRONG_SHAPE = {"version": "x", "technologies": {}, "checklists": {"a": 1}, "pipelines": 5, "versions": "1"}


class HostileRegistry:
    """An HTTP server on a port of its own; `behaviour` names what it does with the next requests."""

    def __init__(self) -> None:
        self.behaviour = ""
        self.asked: list[str] = []
        self.over = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"registry": self}))
        self._server.daemon_threads = True

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @contextmanager
    def running(self) -> Iterator["HostileRegistry"]:
        """Serve until the block ends."""
        thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield self
        finally:
            self.over.set()
            self._server.shutdown()
            thread.join()
            self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    registry: HostileRegistry

    def do_GET(self) -> None:
        self.registry.asked.append(self.path)
        with suppress(OSError):
            BEHAVIOURS[self.registry.behaviour](self)

    def answer(self, body: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def redirect(self, target: str) -> None:
        self.answer(b"", 302, {"Location": target})

    def speak(self, words: bytes) -> None:
        self.wfile.write(words)

    def drip(self, start: bytes, piece: bytes, pause: float) -> None:
        """Send a little again and again, until nobody listens any more."""
        self.wfile.write(start)
        while not self.registry.over.wait(pause):
            self.wfile.write(piece)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base class names it so
        """Say nothing: tests read standard error."""


def _spoilt(value: bytes) -> bytes:
    """Put a value into a place of each document that is otherwise sound."""
    return SOUND.replace(b'"NAME"', value)


def _huge(request: _Handler) -> None:
    request.send_response(200)
    request.send_header("Content-Length", str(64 * 2**20))
    request.end_headers()
    for _ in range(64):
        request.wfile.write(MEGABYTE)


def _bomb(request: _Handler) -> None:
    """Send a few kilobytes that unpack to 64 MiB of JSON, although nothing packed was asked for."""
    request.answer(gzip.compress(b"[" + MEGABYTE * 64 + b"]"), headers={"Content-Encoding": "gzip"})


def _many_headers(request: _Handler) -> None:
    request.answer(b"{}", headers={f"X-{number}": "y" * 1000 for number in range(1000)})


START = b"HTTP/1.1 200 OK\r\n"

BEHAVIOURS: Mapping[str, Callable[[_Handler], None]] = {
    "unknown": lambda request: request.answer(b"{}", 404),
    "broken": lambda request: request.answer(b"<h1>Oops</h1>", 500),
    "teapot": lambda request: request.answer(b"{}", 418),
    "redirect to nowhere": lambda request: request.answer(b"", 302),
    "never answers": lambda request: request.drip(b"", b"", 0.1),
    "drips headers": lambda request: request.drip(START + b"X-Long: ", b"x", 0.1),
    "drips the body": lambda request: request.drip(START + b"\r\n{", b" ", 0.1),
    "stops in the middle": lambda request: request.drip(START + b"Content-Length: 9\r\n\r\n{", b"", 0.1),
    "hangs up": lambda _request: None,
    "hangs up in the middle": lambda request: request.answer(b"{", headers={"Content-Length": "9"}),
    "speaks another protocol": lambda request: request.speak(b"SSH-2.0-OpenSSH_9.2\r\n"),
    "huge": _huge,
    "endless": lambda request: request.drip(START + b"\r\n", MEGABYTE, 0),
    "gzip bomb": _bomb,
    "many headers": _many_headers,
    "redirects for ever": lambda request: request.redirect(request.path),
    "redirects to a file": lambda request: request.redirect("file:///etc/passwd"),
    "redirects to the metadata service": lambda request: request.redirect("http://169.254.169.254/latest"),
    "redirects with a password": lambda request: request.redirect("http://a:b@127.0.0.1:1/"),
    "redirects to a disguised address": lambda request: request.redirect("http://[::ffff:169.254.169.254]/"),
    "not json": lambda request: request.answer(b"<html>Hello</html>"),
    "nothing": lambda request: request.answer(b""),
    "no content": lambda request: request.answer(b"", 204),
    "not text": lambda request: request.answer(b'{"a": "\xff\xfe"}'),
    "not a number": lambda request: request.answer(b'{"version": NaN}'),
    "deep": lambda request: request.answer(DEEP),
    "a number beyond double precision": lambda request: request.answer(_spoilt(b"1e999")),
    "half a character": lambda request: request.answer(_spoilt(b'"\\ud800"')),
    "a NUL": lambda request: request.answer(_spoilt(b'"\\u0000"')),
    "a key twice": lambda request: request.answer(_spoilt(b'1, "name": 2')),
    "millions of values": lambda request: request.answer(_spoilt(b"[" + b"[]," * 1_500_000 + b"1]")),
    "a part": lambda request: request.answer(SOUND, 206, {"Content-Range": f"bytes 0-9/{len(SOUND)}"}),
    "plain text said to be packed": lambda request: request.answer(SOUND, headers=_GZIP),
    "packed and cut": lambda request: request.answer(gzip.compress(SOUND)[:-9], headers=_GZIP),
    "an unknown encoding": lambda request: request.answer(SOUND, headers={"Content-Encoding": "br"}),
    "array": lambda request: request.answer(b"[]"),
    "null": lambda request: request.answer(b"null"),
    "string": lambda request: request.answer(b'"a catalog"'),
    "wrong shape": lambda request: request.answer(json.dumps(WRONG_SHAPE).encode()),
}
