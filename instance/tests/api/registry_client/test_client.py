"""Fetching from a registry that behaves badly."""

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import pytest
from seqfacility_instance.core.clock import SystemClock
from seqfacility_instance.registry_client.client import RegistryClient
from seqfacility_instance.registry_client.errors import (
    InvalidRegistryAnswer,
    RegistryNotReachable,
    RegistryRefused,
)
from seqfacility_instance.registry_client.reach import Reach
from seqfacility_instance.registry_client.reachability import registry_checks
from seqfacility_instance.site.checks import Verdict
from seqfacility_wire.errors import ServiceError

PACKED = {
    "well": gzip.compress(b'{"a": 1}'),
    "large": gzip.compress(b" " * 2**21 + b"{}"),
    "cut": gzip.compress(b"{}")[:-9],
    "lie": b"{}",
    "more": gzip.compress(b"{}") + b"{}",
}


class Handler(BaseHTTPRequestHandler):
    """A path says how the server behaves."""

    stop = threading.Event()
    neighbour = 0
    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        kind, _, rest = self.path.strip("/").partition("/")
        if kind == "redirect":
            left = int(rest)
            self._send(302, b"", Location="/json" if left == 0 else f"/redirect/{left - 1}")
        elif kind == "elsewhere":
            self._send(302, b"", Location="http://169.254.169.254/latest/meta-data")
        elif kind == "neighbour":
            self._send(302, b"", Location=f"http://127.0.0.1:{self.neighbour}/json")
        elif kind == "file":
            self._send(302, b"", Location="file:///etc/passwd")
        elif kind == "gzip":
            self._send(200, PACKED[rest], **{"Content-Encoding": "gzip"})
        elif kind == "endless":
            self._drip(b" " * 65536, 0.0)
        elif kind == "slow":
            self._drip(b" ", 0.05)
        elif kind == "headers":
            self._drip_headers()
        elif kind == "cut":
            self.send_response(200)
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(b"{")
        elif kind == "status":
            self._send(int(rest), b"{}")
        else:
            self._send(200, {"json": b'{"a": 1}', "list": b"[1]", "text": b"<html>"}[kind])

    def _send(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body)), "Set-Cookie": "a=b"}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _drip(self, block: bytes, pause: float) -> None:
        self.send_response(200)
        self.end_headers()
        try:
            while not self.stop.wait(pause):
                self.wfile.write(block)
        except OSError:
            return

    def _drip_headers(self) -> None:
        try:
            self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Long: ")
            while not self.stop.wait(0.05):
                self.wfile.write(b"x")
        except OSError:
            return

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base class names it so
        """Say nothing."""


@contextmanager
def serving() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield server.server_address[1]
    Handler.stop.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def base() -> Iterator[str]:
    Handler.stop.clear()
    with serving() as port, serving() as Handler.neighbour:
        yield f"http://127.0.0.1:{port}"


def client(base: str, timeout_seconds: float = 60.0) -> RegistryClient:
    return RegistryClient(base, timeout_seconds, max_bytes=1024 * 1024)


def test_a_document_is_fetched_and_parsed(base: str) -> None:
    assert client(base).fetch_json(f"{base}/json") == {"a": 1}
    assert client(base).fetch_json(f"{base}/list") == [1]


def test_three_redirects_are_followed_and_no_fourth(base: str) -> None:
    assert client(base).fetch_object(f"{base}/redirect/2") == {"a": 1}
    with pytest.raises(RegistryNotReachable):
        client(base).fetch_object(f"{base}/redirect/3")


def test_a_redirect_leads_to_another_service_of_this_machine_only_when_it_is_listed(base: str) -> None:
    Handler.asked.clear()
    listed = Reach.of([f"127.0.0.1:{Handler.neighbour}"])

    with pytest.raises(RegistryNotReachable):
        client(base).fetch(f"{base}/neighbour")

    assert Handler.asked == ["/neighbour"]
    assert replace(client(base), reach=listed).fetch_object(f"{base}/neighbour") == {"a": 1}


def test_a_mirror_may_send_what_it_holds_compressed(base: str) -> None:
    assert client(base).fetch_object(f"{base}/gzip/well") == {"a": 1}


@pytest.mark.parametrize("path", ["large", "cut", "lie", "more"])
def test_a_compressed_answer_is_bounded_by_what_it_unpacks_to_and_must_be_whole(base: str, path: str) -> None:
    with pytest.raises(RegistryNotReachable):
        client(base).fetch(f"{base}/gzip/{path}")


def test_a_part_of_a_document_is_no_document(base: str) -> None:
    with pytest.raises(RegistryRefused) as raised:
        client(base).fetch(f"{base}/status/206")

    assert raised.value.text == "API returned 206"


@pytest.mark.parametrize("path", ["elsewhere", "file", "endless", "slow", "headers", "cut"])
def test_answers_beyond_the_limits_are_no_answers(base: str, path: str) -> None:
    with pytest.raises(RegistryNotReachable):
        client(base, 1.0).fetch(f"{base}/{path}")


@pytest.mark.parametrize(
    ("path", "error", "text"),
    [
        ("text", InvalidRegistryAnswer, "Registry returned an invalid answer"),
        ("list", InvalidRegistryAnswer, "Registry returned an invalid answer"),
        ("status/404", RegistryRefused, "API returned 404"),
        ("status/500", RegistryRefused, "API returned 500"),
    ],
)
def test_other_answers_are_told_apart(base: str, path: str, error: type[ServiceError], text: str) -> None:
    with pytest.raises(error) as raised:
        client(base).fetch_object(f"{base}/{path}")

    assert (raised.value.status, raised.value.text) == (502, text)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("status/404", "answers 404"),
        ("redirect/4", "sends us on too often"),
        ("elsewhere", "refused address"),
        ("gzip/lie", "cannot be unpacked"),
        ("endless", "is larger than 1048576 bytes"),
        ("slow", "no whole answer within 1 seconds"),
        ("cut", "1 bytes read, 99 more expected"),
        ("text", "no JSON"),
        ("list", "no JSON object"),
    ],
)
def test_a_note_names_the_address_and_the_reason_and_the_answer_does_not(
    base: str, path: str, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "seqfacility.registry")
    with pytest.raises(ServiceError) as raised:
        client(base, 1.0).fetch_object(f"{base}/{path}")

    (note,) = raised.value.__notes__
    assert note.startswith(f"{base}/")
    assert reason in note
    assert base not in str(raised.value.body())
    assert caplog.messages == [f"{raised.value.text}: {note}"]


def test_check_setup_names_the_registry_and_why_it_cannot_be_read(base: str) -> None:
    (unread,) = registry_checks(client(base), SystemClock())
    (refused,) = registry_checks(client("http://127.0.0.1:1/api"), SystemClock())

    assert unread.verdict is refused.verdict is Verdict.WARN
    assert f"{base}/registry" in unread.text
    assert "http://127.0.0.1:1/api/registry: Connection refused" in refused.text


def test_check_setup_reads_the_clock_of_the_registry(base: str) -> None:
    answers, clock = registry_checks(client(f"{base}/json"), SystemClock())

    assert (answers.verdict, answers.text) == (Verdict.OK, f"Registry: {base}/json answers.")
    assert (clock.verdict, clock.text) == (Verdict.OK, "Clock: it agrees with that of the registry.")


def test_a_path_part_cannot_leave_its_place(base: str) -> None:
    assert (
        client("http://r.example/api").url("registry", "../x y") == "http://r.example/api/registry/..%2Fx%20y"
    )
