"""Uploads to a live instance: orders made over HTTP, and connections that break off where a test wants."""

import http.client
import json
import socket
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from seqfacility_testkit.facility import RESEARCHER
from seqfacility_testkit.live import LiveClient, LiveFacility


@dataclass(frozen=True, slots=True)
class LiveOrder:
    """A submitted order with one sample, and the admin who fills it."""

    admin: LiveClient
    id: str
    sample_id: str

    @property
    def uploads(self) -> str:
        return f"/api/orders/{self.id}/sequencing/uploads"

    def initiate(self, size: int, role: str = "R1", name: str | None = None) -> str:
        body = {
            "targetKind": "read",
            "targetRole": role,
            "originalName": name or f"soil_{role}.fastq",
            "expectedSize": size,
            "sampleId": self.sample_id,
        }
        answer = self.admin.post(self.uploads, json=body)
        assert answer.status_code == 200, answer.text
        upload_id: str = answer.json()["uploadId"]
        return upload_id

    def received(self, upload_id: str) -> int:
        size: int = self.admin.get(f"{self.uploads}/{upload_id}").json()["receivedSize"]
        return size


def live_order(live: LiveFacility) -> LiveOrder:
    researcher = live.sign_in(RESEARCHER)
    order_id: str = researcher.post("/api/orders", json={"name": "Soil"}).json()["order"]["id"]
    path = f"/api/orders/{order_id}"
    rows = {"samples": [{"sampleAlias": "soil", "taxId": "410658"}]}
    sample_id = researcher.post(f"{path}/samples", json=rows).json()["samples"][0]["id"]
    moved = researcher.post(f"{path}/status", json={"status": "SUBMITTED"})
    assert moved.status_code == 200, moved.text
    return LiveOrder(live.sign_in(), order_id, sample_id)


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """An answer on a connection of our own."""

    status: int
    body: dict[str, object]


class RawChunk:
    """One PATCH on a socket of its own, sent piece by piece."""

    def __init__(self, order: LiveOrder, upload_id: str, offset: int, length: int | None) -> None:
        place = urlsplit(order.admin.facility.base)
        assert place.hostname is not None
        self.socket = socket.create_connection((place.hostname, place.port or 80), timeout=60)
        framing = "Transfer-Encoding: chunked" if length is None else f"Content-Length: {length}"
        cookie = order.admin.cookies["service_session"]
        self.socket.sendall(
            f"PATCH {order.uploads}/{upload_id} HTTP/1.1\r\nHost: {place.netloc}\r\n{framing}\r\n"
            f"Cookie: service_session={cookie}\r\nx-service-offset: {offset}\r\n\r\n".encode()
        )

    def send(self, data: bytes) -> None:
        """Send bytes of a body whose length was announced."""
        self.socket.sendall(data)

    def send_chunked(self, parts: Iterable[bytes], *, is_ended: bool = True) -> None:
        """Send parts in chunked transfer, with or without the end."""
        for part in parts:
            self.socket.sendall(f"{len(part):x}\r\n".encode() + part + b"\r\n")
        if is_ended:
            self.socket.sendall(b"0\r\n\r\n")

    def answer(self) -> RawAnswer:
        response = http.client.HTTPResponse(self.socket, method="PATCH")
        response.begin()
        return RawAnswer(response.status, json.loads(response.read()))

    def close(self) -> None:
        self.socket.close()


def pieces(content: bytes, size: int) -> Iterator[tuple[int, bytes]]:
    for offset in range(0, len(content), size):
        yield offset, content[offset : offset + size]
