"""A receiver of webhooks on 127.0.0.1, that answers as it is told and remembers what came."""

import base64
import hashlib
import hmac
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Received:
    """A request as it came."""

    path: str
    headers: Mapping[str, str]
    content: bytes

    @property
    def id(self) -> str:
        """What the receiver knows a message by."""
        return self.headers["webhook-id"]

    def is_signed_by(self, secret: str) -> bool:
        """Verify the signature by the words of the standard, with nothing of the sender's.

        https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
        """
        key = base64.b64decode(secret.removeprefix("whsec_"))
        signed = f"{self.id}.{self.headers['webhook-timestamp']}.".encode() + self.content
        expected = base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
        return any(
            hmac.compare_digest(one, f"v1,{expected}") for one in self.headers["webhook-signature"].split(" ")
        )


@dataclass
class Receiver:
    """What came, and what is answered: `answers` first, then `status`; nothing while it is held."""

    received: list[Received] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    status: int = 204
    location: str = ""
    open: threading.Event = field(default_factory=threading.Event)
    came: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    url: str = ""

    def hold(self) -> None:
        """Answer nobody until it is released."""
        self.open.clear()

    def release(self) -> None:
        self.open.set()

    @property
    def ids(self) -> list[str]:
        """The ids in the order in which they came, once for each attempt."""
        return [one.id for one in self.received]


@contextmanager
def receiving(context: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    """Run a receiver on a free port, behind TLS when there is a context for it."""
    receiver = Receiver()
    receiver.release()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            receiver.received.append(Received(self.path, headers, content))
            status = receiver.answers.pop(0) if receiver.answers else receiver.status
            receiver.came.release()
            receiver.open.wait(60)
            self.send_response(status)
            if receiver.location:
                self.send_header("Location", receiver.location)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base class names it so
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.handle_error = lambda *_: None  # type: ignore[method-assign]  # who was killed reads no answer
    if context is not None:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    receiver.url = f"{'http' if context is None else 'https'}://127.0.0.1:{server.server_address[1]}"
    try:
        yield receiver
    finally:
        receiver.release()
        server.shutdown()
        thread.join()
        server.server_close()
