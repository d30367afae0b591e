"""A registry on this machine that answers what a test tells it to."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self


class StandInRegistry:
    """An HTTP server whose `answers` are bodies by path, all with one `status`; `asked` counts by path.

    `moved` sends who asks for a path on to an address. `etags` are the tags of answers, by path: who sends
    one that holds gets a 304. `statuses` are those of all answers, in their order.
    """

    def __init__(self) -> None:
        self.answers: dict[str, bytes] = {}
        self.moved: dict[str, str] = {}
        self.etags: dict[str, str] = {}
        self.status = 200
        self.asked: list[str] = []
        self.statuses: list[int] = []
        self.headers: list[dict[str, str]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def base_url(self) -> str:
        """The address that instances are told, ending in `/api`."""
        return self.url("/api")

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}{path}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Stop answering; the port refuses connections from now on."""
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
        self._server.server_close()


def _handler(registry: StandInRegistry) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            registry.asked.append(self.path)
            registry.headers.append(dict(self.headers.items()))
            body, etag = registry.answers.get(self.path), registry.etags.get(self.path)
            status = 404 if body is None else registry.status
            if self.path in registry.moved:
                status = 302
            elif etag is not None and self.headers.get("If-None-Match") == etag:
                status, body = 304, None
            registry.statuses.append(status)
            self.send_response(status)
            if self.path in registry.moved:
                self.send_header("Location", registry.moved[self.path])
            if etag is not None:
                self.send_header("ETag", etag)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base class names it so
            """Say nothing: tests read standard error."""

    return Handler
