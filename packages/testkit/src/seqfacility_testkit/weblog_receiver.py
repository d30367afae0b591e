"""A real HTTP server on the loopback interface that keeps every weblog message it is sent."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True, slots=True)
class WeblogMessage:
    """One message: the path with its query, the Authorization header, and the document."""

    path: str
    authorization: str | None
    body: dict[str, object]


@dataclass(slots=True)
class WeblogReceiver:
    """The messages so far, in order of arrival, and the address to post to."""

    address: str
    messages: list[WeblogMessage] = field(default_factory=list)

    def events(self) -> list[object]:
        return [message.body.get("event") for message in self.messages]


@contextmanager
def weblog_receiver(status: int = 200) -> Iterator[WeblogReceiver]:
    """Serve until the block ends; every message is answered with `status`."""
    messages: list[WeblogMessage] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["Content-Length"]))
            messages.append(WeblogMessage(self.path, self.headers.get("Authorization"), json.loads(raw)))
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class says so
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield WeblogReceiver(f"http://127.0.0.1:{server.server_port}", messages)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
