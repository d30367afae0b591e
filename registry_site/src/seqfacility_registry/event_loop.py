"""The application on an event loop: prepared answers are sent at once, the rest runs in a thread.

Nearly every answer lies prepared in memory and takes a tenth of a millisecond; to hand it to a thread would
cost several times that. See docs/adr/0010.
"""

import asyncio
import re
import sys
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from io import BytesIO
from typing import Any, TypeAlias
from urllib.parse import unquote_to_bytes
from wsgiref.types import WSGIApplication

from seqfacility_registry.connections import peer_address
from seqfacility_registry.install_profiles.resources import BODY_LIMIT_BYTES

THREADS = 16
"""For answers that wait: codes are hashed one at a time, so more of them would only queue elsewhere."""

MAX_WAITING = 64
"""Answers that wait at a time; some six seconds of hashing. Decision: G400."""

BODY_SECONDS = 5.0
"""How long a client may take for a whole body. Decision: G400."""

MAX_BYTES = 16 * 1024 * 1024
"""A body over the limit is read up to this size before it is refused; a longer one is cut off."""

_ENCODED_SLASH = re.compile(rb"%(2[Ff])")

Message: TypeAlias = Mapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Environ: TypeAlias = dict[str, Any]  # PEP 3333 and ASGI type neither


class SilentBody(BytesIO):
    """The body of a client that announced one and did not send it in time."""

    def read(self, _size: int | None = -1) -> bytes:
        """Raise as a socket would."""
        raise TimeoutError


class OnEventLoop:
    """An ASGI application around a WSGI one.

    A request is answered once it has arrived whole; until then it holds nothing but its connection.
    `may_wait` tells of a path whether its answer waits for something: a thread then computes it, while the
    event loop goes on serving the others. While `MAX_WAITING` answers wait, `busy_app` refuses further ones.

    Decision: G400.
    """

    def __init__(
        self,
        app: WSGIApplication,
        busy_app: WSGIApplication,
        may_wait: Callable[[str], bool],
        body_seconds: float,
    ) -> None:
        self._app = app
        self._busy_app = busy_app
        self._may_wait = may_wait
        self._body_seconds = body_seconds
        self._waiting = 0
        self._threads = ThreadPoolExecutor(THREADS, "waiting")

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one request."""
        environ = environ_of(scope)
        if has_body(environ):
            arrived = await received(receive, self._body_seconds)
            if arrived is None:
                return
            environ["wsgi.input"] = arrived
        start, body = await self._answered(environ)
        await send(start)
        await send(body)

    async def _answered(self, environ: Environ) -> tuple[Message, Message]:
        if not self._may_wait(environ["PATH_INFO"]):
            return answered(self._app, environ)
        if self._waiting >= MAX_WAITING:
            return answered(self._busy_app, environ)
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, answered, self._app, environ)
        finally:
            self._waiting -= 1


def has_body(environ: Environ) -> bool:
    return "CONTENT_LENGTH" in environ or "HTTP_TRANSFER_ENCODING" in environ


def answered(app: WSGIApplication, environ: Environ) -> tuple[Message, Message]:
    """Ask a WSGI application; return the two messages of its answer."""
    start: dict[str, Any] = {"type": "http.response.start"}
    pieces: list[bytes] = []

    def start_response(
        status: str, headers: list[tuple[str, str]], _error: object = None, /
    ) -> Callable[[bytes], object]:
        start["status"] = int(status[:3])
        start["headers"] = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        return pieces.append

    pieces.extend(app(environ, start_response))
    return start, {"type": "http.response.body", "body": b"".join(pieces)}


async def received(receive: Receive, body_seconds: float) -> BytesIO | None:
    """Wait for the body, and keep as much of it as any endpoint would read; None when the client has gone."""
    body, size, more = bytearray(), 0, True
    try:
        async with asyncio.timeout(body_seconds):
            while more and size <= MAX_BYTES:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return None
                piece = message["body"]
                more, size = message["more_body"], size + len(piece)
                if len(body) <= BODY_LIMIT_BYTES:
                    body += piece
    except TimeoutError:
        return SilentBody()
    return BytesIO(body)


def environ_of(scope: Message) -> Environ:
    server_name, server_port = scope["server"]
    target = scope["raw_path"]
    if not target.startswith(b"/"):
        # RFC 9112, 3.2.2: a server understands `GET http://host/path` too.
        target = b"/" + target.partition(b"://")[2].partition(b"/")[2]
    environ: Environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        # An encoded slash is part of a name and no separator, so that a name with one is refused as such.
        "PATH_INFO": unquote_to_bytes(_ENCODED_SLASH.sub(rb"%25\1", target)).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": server_name,
        "SERVER_PORT": str(server_port),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": peer_address(scope["client"]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        key, text = variable_of(name), value.decode("latin-1")
        environ[key] = f"{environ[key]},{text}" if key in environ else text
    return environ


# WHY: nearly every request brings the same headers; clients choose them, hence the bound.
@lru_cache(maxsize=256)
def variable_of(header: bytes) -> str:
    name = header.decode("latin-1").upper().replace("-", "_")
    return name if name in {"CONTENT_TYPE", "CONTENT_LENGTH"} else f"HTTP_{name}"
