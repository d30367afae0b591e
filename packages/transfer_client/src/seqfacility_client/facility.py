"""What the client asks of a facility, one method a route."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from seqfacility_client import bodies
from seqfacility_client.connection import (
    Connection,
    Content,
    Download,
    json_object,
    refusal_text,
)
from seqfacility_client.errors import (
    BytesDiffer,
    Interrupted,
    OffsetMoved,
    SessionGone,
    TransferRefused,
)
from seqfacility_client.rules.fetching import Delivered

_ORDER_NUMBER = re.compile(r"ORD-[0-9]{8}-[0-9]{4,}")


@dataclass(frozen=True, slots=True)
class UploadRules:
    """What a facility takes of read files, and in which chunks. Decision: G86."""

    extensions: tuple[str, ...]
    chunk_bytes: int
    max_chunk_bytes: int | None


@dataclass(frozen=True, slots=True)
class Session:
    """An upload session as it is now. Decision: G101, G638."""

    status: str
    received: int
    is_receiving: bool
    final_path: str | None
    checksum_computed: str | None
    checksum_provided: str | None


@dataclass(frozen=True, slots=True)
class Begun:
    """A session for a file: a new one, or the one that was there; its final path when that is filed."""

    upload_id: str
    was_there: bool
    final_path: str | None


@dataclass(frozen=True, slots=True)
class OrderAtFacility:
    """One order at a facility; every method raises as `Connection.ask`."""

    connection: Connection
    order_id: str

    @property
    def _path(self) -> str:
        return f"/api/orders/{quote(self.order_id, safe='')}/sequencing"

    def upload_rules(self) -> UploadRules:
        """Return what the facility takes. Decision: G86."""
        rules = self.connection.get(self._path)["uploadRules"]
        return UploadRules(
            tuple(rules["allowedReadExtensions"]), rules["recommendedChunkBytes"], rules["maxChunkBytes"]
        )

    def plan(self, body: Mapping[str, object]) -> dict[str, Any]:
        """Ask what becomes of files. Decision: G635, G760."""
        path = f"{self._path}/uploads/plan"
        answer = self.connection.ask("POST", path, handled=frozenset({405}), json=body)
        if answer.status_code == 405:
            # An older one takes `plan` for the id of a session.
            raise TransferRefused(
                "the facility runs a SeqFacility older than 0.2.0, which plans no uploads: "
                "send with the client of its release, or ask the facility to upgrade"
            )
        return json_object(answer)

    def initiate(self, body: Mapping[str, object]) -> Begun:
        """Open a session, or find the one that is there. Spec: instance, Sequencing uploads, Initiate.

        Decision: G637.
        """
        answer = self.connection.ask("POST", f"{self._path}/uploads", handled=frozenset({409}), json=body)
        shown = json_object(answer)
        if answer.status_code == 409 and "uploadId" not in shown:
            raise Interrupted(refusal_text(answer))
        return Begun(shown["uploadId"], answer.status_code == 409, shown.get("finalPath"))

    def session(self, upload_id: str) -> Session:
        """Read a session back; raises `SessionGone` when it is unknown. Decision: G100."""
        answer = self.connection.ask("GET", self._upload(upload_id), handled=frozenset({404}))
        if answer.status_code == 404:
            raise SessionGone
        shown = json_object(answer)
        return Session(
            shown["status"],
            shown["receivedSize"],
            shown["isReceiving"],
            shown["finalPath"],
            shown["checksumComputed"],
            shown["checksumProvided"],
        )

    def abandon(self, upload_id: str) -> None:
        """End a session; one that is gone already is as well. Spec: instance, Upload session."""
        self.connection.ask("DELETE", self._upload(upload_id), handled=frozenset({400, 404}))

    def append(self, upload_id: str, offset: int, content: Content) -> int:
        """Send one chunk and return the new number of bytes.

        Raises `OffsetMoved` when the facility has another number, `SessionGone` for another 400 or 404: the
        session is then looked at.

        Spec: instance, Sequencing uploads, Chunk. Decision: G96, G99.
        """
        answer = self.connection.ask(
            "PATCH",
            self._upload(upload_id),
            handled=frozenset({400, 404, 408}),
            data=content,
            headers={"x-service-offset": str(offset), "Content-Type": "application/octet-stream"},
        )
        if answer.status_code == 404:
            raise SessionGone
        received = json_object(answer).get("receivedSize")
        if answer.status_code == 200 and isinstance(received, int):
            return received
        if isinstance(received, int):
            raise OffsetMoved(received)
        if answer.status_code == 408:
            raise Interrupted(refusal_text(answer))
        raise SessionGone(refusal_text(answer))

    def complete(self, upload_id: str, md5: str | None) -> str:
        """Complete a session, as often as it takes, and return the final path.

        With the MD5 of what was sent, only that is filed: raises `BytesDiffer` when something else arrived.
        Raises `SessionGone` for a 400 or 404: the session is then looked at.

        Spec: instance, Sequencing uploads, Complete. Decision: G102, G639.
        """
        path = f"{self._upload(upload_id)}/complete"
        body = None if md5 is None else {"checksum": {"algorithm": "md5", "value": md5}}
        answer = self.connection.ask("POST", path, handled=frozenset({400, 404, 409}), json=body)
        if answer.status_code == 200:
            final_path: str = json_object(answer)["finalPath"]
            return final_path
        if answer.status_code != 409:
            raise SessionGone(refusal_text(answer))
        raise (BytesDiffer if "computed" in json_object(answer) else Interrupted)(refusal_text(answer))

    def sequencing_run_id(self, text: str) -> str:
        """Find a sequencing run by its own id or its id here; raises `TransferRefused`. Decision: G87."""
        for key in ("runId", "id"):
            for run in self.connection.get(f"{self._path}/runs")["runs"]:
                if run[key] == text:
                    return str(run["id"])
        raise TransferRefused(f"the order has no sequencing run {text}")

    def delivery(self) -> list[Delivered]:
        """List the files of the delivery; raises `TransferRefused` when there is none. Decision: G85."""
        delivery = self.connection.get(f"{self._path}/delivery")["delivery"]
        files = bodies.read_delivery(delivery)
        if not files:
            published = "holds no files" if delivery["isPublished"] else "is not published yet"
            raise TransferRefused(f"the delivery of order {self.order_id} {published}")
        return files

    @contextmanager
    def reading(self, file: Delivered, have: int, etag: str | None) -> Iterator[Download]:
        """Open a file from byte `have` on, if it is still the one with `etag`. Decision: G121, G490."""
        headers = {} if not have or etag is None else {"Range": f"bytes={have}-", "If-Range": etag}
        route, query = "/api/files/download", {"path": file.path}
        if file.run_number is not None:
            route, query = f"{self._path}/delivery/reports/{quote(file.row_id, safe='')}", {}
        with self.connection.reading(route, query, headers) as download:
            yield download

    def _upload(self, upload_id: str) -> str:
        return f"{self._path}/uploads/{quote(upload_id, safe='')}"


def order_at(connection: Connection, text: str) -> OrderAtFacility:
    """Find an order by its id or number; raises `TransferRefused`, else as `Connection.ask`.

    Decision: G426.
    """
    number = text.strip().upper()
    if not _ORDER_NUMBER.fullmatch(number):
        return OrderAtFacility(connection, text)
    for order in connection.get(f"/api/orders?limit=500&q={number}")["orders"]:
        if order["orderNumber"] == number:
            return OrderAtFacility(connection, order["id"])
    raise TransferRefused(f"you have no order {number}")
