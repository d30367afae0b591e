"""An answer that leads elsewhere is not read, whatever its server puts into it."""

import gzip
import socket
import threading
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from seqfacility_instance.registry_client.following import AddressRefused, opened_answer
from seqfacility_instance.registry_client.posting import NotSent, post_once
from seqfacility_instance.registry_client.reach import Reach

UNPACKED = 64 * 1024**2


@contextmanager
def answering(location: str, body: bytes = b"", protocol: str = "HTTP/1.1") -> Iterator[str]:
    """Run a server that sends one caller elsewhere."""

    def answer(listener: socket.socket) -> None:
        connection, _address = listener.accept()
        head = f"{protocol} 302 Found\r\nLocation: {location}\r\nContent-Encoding: gzip\r\n"
        with connection:
            connection.recv(65536)
            try:
                connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
                connection.recv(65536)
            except OSError:
                return

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=answer, args=(listener,))
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
        thread.join(10)


def post(url: str) -> int:
    return post_once(url, b"{}", {}, Reach().including(url), 10)


def test_what_unpacks_to_a_lot_behind_a_redirect_costs_nothing() -> None:
    bomb = gzip.compress(bytes(UNPACKED))

    with answering("/elsewhere", bomb) as url:
        tracemalloc.start()
        try:
            assert post(url) == 302
            assert tracemalloc.get_traced_memory()[1] < UNPACKED / 8
        finally:
            tracemalloc.stop()


@pytest.mark.parametrize("location", ["http://[::1", "http://host:port/"])
def test_a_location_that_is_none_leads_nowhere(location: str) -> None:
    with answering(location) as url:
        assert post(url) == 302
    with (
        answering(location) as url,
        pytest.raises(AddressRefused),
        opened_answer(url, Reach().including(url), {}, lambda: 10),
    ):
        pass


def test_the_words_of_a_server_are_told_without_what_no_database_holds() -> None:
    with answering("/", protocol="HTTP\0/1.1") as url, pytest.raises(NotSent) as failed:
        post(url)

    assert "\0" not in str(failed.value)
    assert "HTTP" in str(failed.value)
