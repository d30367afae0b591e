"""The client of the transfer benchmark: raw sockets and sendfile, so that it costs next to nothing."""

import os
import socket
from urllib.parse import urlsplit

MIB = 1024 * 1024
_DISCARDED = bytearray(MIB)


def request_head(method: str, path: str, base: str, length: int | None, *headers: str) -> bytes:
    """Write the head of a request."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: {urlsplit(base).netloc}", *headers]
    if length is not None:
        lines.append(f"Content-Length: {length}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def sent(line: socket.socket, head: bytes, file: int, offset: int, length: int) -> None:
    """Send a head and a part of a file."""
    line.sendall(head)
    end = offset + length
    while offset < end:
        offset += os.sendfile(line.fileno(), file, offset, end - offset)


def answered(line: socket.socket) -> tuple[int, int]:
    """Read an answer and throw its body away; return status and length."""
    head = b""
    while b"\r\n\r\n" not in head:
        block = line.recv(4096)
        assert block, "the connection ended"
        head += block
    head, _, begun = head.partition(b"\r\n\r\n")
    headers = {
        name.strip().lower(): value.strip()
        for name, _, value in (text.partition(b":") for text in head.split(b"\r\n")[1:])
    }
    length = int(headers.get(b"content-length", b"0"))
    left = length - len(begun)
    while left:
        got = line.recv_into(_DISCARDED, min(left, len(_DISCARDED)))
        assert got, "the connection ended"
        left -= got
    return int(head.split(b" ", 2)[1]), length


def connected(base: str) -> socket.socket:
    """Connect to a target."""
    place = urlsplit(base)
    # HAZARD: a time-out would make the descriptor non-blocking, and sendfile then gives up at once.
    line = socket.create_connection((str(place.hostname), place.port or 80))
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return line


def listens(port: int) -> bool:
    """Return whether somebody takes connections."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
    except OSError:
        return False
    return True
