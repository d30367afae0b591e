"""Pouring a body into a file, by the kernel, by a buffer, and as WSGI gives it."""

import io
import os
import random
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from gunicorn.http.body import Body, LengthReader
from gunicorn.http.unreader import SocketUnreader
from seqfacility_instance.uploads.body_source import (
    Ending,
    Received,
    SocketBody,
    StreamBody,
    body_source,
)
from seqfacility_testkit.waiting import DEADLINE_SECONDS

CONTENT = random.Random(5).randbytes(2_500_001)  # noqa: S311  # bytes to compare, not a secret
Sender = Callable[[socket.socket], None]


@pytest.fixture
def file(tmp_path: Path) -> Iterator[int]:
    descriptor = os.open(tmp_path / "part", os.O_RDWR | os.O_CREAT)
    yield descriptor
    os.close(descriptor)


@pytest.fixture(params=["splice", "buffer"])
def mover(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Once through a pipe of the kernel, once as on a system without it."""
    if request.param == "buffer":
        monkeypatch.delattr(os, "splice")
    return str(request.param)


def tcp_pair() -> tuple[socket.socket, socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        client = socket.create_connection(server.getsockname())
        served, _ = server.accept()
    return client, served


def received(
    file: int,
    length: int,
    room: int,
    send: Sender,
    read_ahead: bytes = b"",
    idle_seconds: float = DEADLINE_SECONDS,
) -> tuple[Received, Body]:
    """Pour what `send` sends, `read_ahead` being what the parser holds already."""
    client, served = tcp_pair()
    unreader = SocketUnreader(served)
    unreader.unread(read_ahead)
    body = Body(LengthReader(unreader, length))
    source = body_source({"gunicorn.socket": served, "wsgi.input": body, "CONTENT_LENGTH": str(length)})
    assert isinstance(source, SocketBody)
    sender = threading.Thread(target=send, args=(client,))
    sender.start()
    try:
        return source.receive_into(file, 3, room, idle_seconds), body
    finally:
        sender.join()
        client.close()
        served.close()


@pytest.mark.usefixtures("mover")
class TestFromTheSocket:
    def test_the_bytes_arrive_at_their_place(self, file: int) -> None:
        result, body = received(file, len(CONTENT), 10**9, lambda client: client.sendall(CONTENT))

        assert result == Received(len(CONTENT), Ending.COMPLETE)
        assert os.pread(file, len(CONTENT) + 10, 3) == CONTENT
        assert (body.failed, body.reader.length) == (False, 0)

    def test_what_the_parser_holds_comes_first(self, file: int) -> None:
        result, _ = received(
            file, len(CONTENT), 10**9, lambda client: client.sendall(CONTENT[1000:]), CONTENT[:1000]
        )

        assert result == Received(len(CONTENT), Ending.COMPLETE)
        assert os.pread(file, len(CONTENT) + 10, 3) == CONTENT

    def test_the_next_request_stays_with_the_parser(self, file: int) -> None:
        result, body = received(file, 5, 10**9, lambda _: None, b"12345GET / HTTP/1.1")

        assert result == Received(5, Ending.COMPLETE)
        assert body.reader.unreader.take_buffered() == b"GET / HTTP/1.1"

    def test_a_connection_that_ends_leaves_a_prefix(self, file: int) -> None:
        def send(client: socket.socket) -> None:
            client.sendall(CONTENT[:70_000])
            client.shutdown(socket.SHUT_WR)

        result, body = received(file, len(CONTENT), 10**9, send)

        assert result == Received(70_000, Ending.BROKEN)
        assert os.pread(file, 10**6, 3) == CONTENT[:70_000]
        assert body.failed is True

    def test_a_writer_that_falls_silent_leaves_a_prefix(self, file: int) -> None:
        def send(client: socket.socket) -> None:
            client.sendall(CONTENT[:70_000])

        result, body = received(file, len(CONTENT), 10**9, send, idle_seconds=1)

        assert result == Received(70_000, Ending.IDLE_TIMEOUT)
        assert body.failed is True

    def test_nothing_is_written_beyond_the_room(self, file: int) -> None:
        result, _ = received(file, 10, 4, lambda client: client.sendall(b"0123456789"))

        assert result.ending is Ending.TOO_LONG
        assert os.pread(file, 10, 3) == b"0123"

    def test_a_file_that_takes_nothing_is_an_error(self, tmp_path: Path) -> None:
        (tmp_path / "part").write_bytes(b"")
        read_only = os.open(tmp_path / "part", os.O_RDONLY)

        with pytest.raises(OSError, match="Bad file descriptor"):
            received(read_only, 5, 10, lambda client: client.sendall(b"12345"))
        os.close(read_only)


class TestFromTheStream:
    def test_a_body_without_a_length_ends_where_the_stream_ends(self, file: int) -> None:
        source = body_source({"wsgi.input": io.BytesIO(CONTENT), "HTTP_TRANSFER_ENCODING": "Chunked"})

        assert isinstance(source, StreamBody)
        assert source.length is None
        assert source.receive_into(file, 3, 10**9, 1) == Received(len(CONTENT), Ending.COMPLETE)
        assert os.pread(file, len(CONTENT) + 10, 3) == CONTENT

    def test_a_stream_shorter_than_announced_is_broken(self, file: int) -> None:
        source = body_source({"wsgi.input": io.BytesIO(b"123"), "CONTENT_LENGTH": "5"})

        assert source.receive_into(file, 3, 10, 1) == Received(3, Ending.BROKEN)

    def test_no_more_is_read_than_announced(self, file: int) -> None:
        stream = io.BytesIO(b"12345next")
        source = body_source({"wsgi.input": stream, "CONTENT_LENGTH": "5"})

        assert source.receive_into(file, 3, 10, 1) == Received(5, Ending.COMPLETE)
        assert stream.read() == b"next"

    def test_a_byte_beyond_the_room_is_noticed_and_not_written(self, file: int) -> None:
        source = body_source({"wsgi.input": io.BytesIO(b"12345"), "HTTP_TRANSFER_ENCODING": "chunked"})

        assert source.receive_into(file, 3, 4, 1) == Received(4, Ending.TOO_LONG)
        assert os.pread(file, 10, 3) == b"1234"

    def test_what_arrived_before_a_read_failed_counts(self, file: int) -> None:
        class Breaking:
            def __init__(self) -> None:
                self.buf = io.BytesIO(b"123")

            def read(self, _size: int) -> bytes:
                raise ConnectionResetError

        source = StreamBody(Breaking(), None, None)

        assert source.receive_into(file, 3, 10, 1) == Received(3, Ending.BROKEN)
        assert os.pread(file, 10, 3) == b"123"

    def test_a_request_without_a_body_has_length_zero(self) -> None:
        assert body_source({"wsgi.input": io.BytesIO(b""), "CONTENT_LENGTH": ""}).length == 0
