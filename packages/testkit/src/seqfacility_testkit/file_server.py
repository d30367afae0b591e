"""A server of files by range that misbehaves as a test tells it to."""

import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

_RANGE = re.compile(r"bytes=(\d+)-")


class FileServer:
    """Serves `files` by path.

    `cut_after` ends each answer after so many bytes, as a broken connection does; `takes_ranges` and `etag`
    say what kind of server it is; from byte `hold_at` on an answer is kept back until `go_on` is set, and
    `is_held` tells that one is; `asked` lists the first byte of each answer.
    """

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.status: int | None = None
        self.location: str | None = None
        self.cut_after: int | None = None
        self.takes_ranges = True
        self.etag: str | None = '"one"'
        self.hold_at: int | None = None
        self.go_on = threading.Event()
        self.is_held = threading.Event()
        self.asked: list[int] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"owner": self}))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}{path}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.go_on.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    owner: FileServer

    def do_GET(self) -> None:
        content = self.owner.files.get(self.path)
        if self.owner.status is not None or content is None:
            self.send_response(self.owner.status or 404)
            if self.owner.location is not None:
                self.send_header("Location", self.owner.location)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        start = self._start()
        self.owner.asked.append(start)
        self._head(content, start)
        self._body(content[start:], start)

    def _start(self) -> int:
        asked = _RANGE.fullmatch(self.headers.get("Range", ""))
        same = self.headers.get("If-Range") in {None, self.owner.etag}
        return int(asked[1]) if asked and self.owner.takes_ranges and same else 0

    def _head(self, content: bytes, start: int) -> None:
        if start >= len(content) > 0 and start:
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{len(content)}")
        elif start:
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        else:
            self.send_response(200)
        if self.owner.etag is not None:
            self.send_header("ETag", self.owner.etag)
        self.send_header("Content-Length", str(max(0, len(content) - start)))
        self.end_headers()

    def _body(self, rest: bytes, start: int) -> None:
        rest = rest[: self.owner.cut_after]
        hold = None if self.owner.hold_at is None else max(0, self.owner.hold_at - start)
        try:
            self.wfile.write(rest[:hold])
            if hold is not None and len(rest) > hold:
                self.wfile.flush()
                self.owner.is_held.set()
                self.owner.go_on.wait(60)
                self.wfile.write(rest[hold:])
        except OSError:
            self.close_connection = True
        if self.owner.cut_after is not None:
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base class names it so
        """Say nothing: tests read standard error."""
