"""The fetcher stays within its time and its bytes, whatever a source sends."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from seqfacility_registry_tools.research_data.fetching import LimitedFetcher
from seqfacility_registry_tools.research_data.sources import FetchFailed


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/missing":
            self.send_error(404)
            return
        self.send_response(200)
        self.end_headers()
        size = int(self.path.removeprefix("/"))
        self.wfile.write(b"x" * size)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the name that it overrides has
        """Keep the test's output clean."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_body_of_exactly_the_limit_is_taken(address: str) -> None:
    fetch = LimitedFetcher(user_agent="test", max_bytes_each=1000)

    assert len(fetch(f"{address}/1000")) == 1000


def test_a_body_above_the_limit_is_refused(address: str) -> None:
    fetch = LimitedFetcher(user_agent="test", max_bytes_each=1000)

    with pytest.raises(FetchFailed, match="sends too much"):
        fetch(f"{address}/1001")


def test_all_bodies_together_have_a_limit(address: str) -> None:
    fetch = LimitedFetcher(user_agent="test", max_bytes_in_total=1500)
    fetch(f"{address}/1000")

    with pytest.raises(FetchFailed, match="sends too much"):
        fetch(f"{address}/1000")
    with pytest.raises(FetchFailed, match="used up"):
        fetch(f"{address}/1")


def test_after_the_time_nothing_more_is_fetched(address: str) -> None:
    seconds = iter([0.0, 301.0])
    fetch = LimitedFetcher(user_agent="test", clock=lambda: next(seconds))

    with pytest.raises(FetchFailed, match="used up"):
        fetch(f"{address}/1")


def test_a_body_that_takes_too_long_is_given_up(address: str) -> None:
    seconds = iter([0.0, 1.0, 301.0])
    fetch = LimitedFetcher(user_agent="test", clock=lambda: next(seconds))

    with pytest.raises(FetchFailed, match="takes too long"):
        fetch(f"{address}/10")


def test_another_status_than_200_is_a_failure(address: str) -> None:
    with pytest.raises(FetchFailed, match="answered 404"):
        LimitedFetcher(user_agent="test")(f"{address}/missing")


def test_a_host_that_is_not_there_is_a_failure() -> None:
    with pytest.raises(FetchFailed, match="ConnectionError"):
        LimitedFetcher(user_agent="test")("http://127.0.0.1:1/")
