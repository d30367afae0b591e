"""What the client asks of a facility, one method a route."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
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
    Interrupted,
    OffsetMoved,
    SessionGone,
    TransferRefused,
)
from seqfacility_client.rules.fetching import Delivered
from seqfacility_client.rules.samples import Sample
from seqfacility_client.rules.sessions import Session, Wanted
from seqfacility_client.rules.superseding import ActiveRead
from seqfacility_client.vocabulary import DataClass

_ORDER_NUMBER = re.compile(r"ORD-[0-9]{8}-[0-9]{4,}")


@dataclass(frozen=True, slots=True)
class Intake:
    """What an order takes: its samples, the rules, what is in use.

    `in_use` gives the path of each file in use with its data class (None for an artifact), `active_reads`
    the read in use of a sample by the sample's id.

    Decision: G86, G423.
    """

    samples: tuple[Sample, ...]
    extensions: tuple[str, ...]
    chunk_bytes: int
    max_chunk_bytes: int | None
    default_data_class: str
    in_use: Mapping[str, str | None]
    active_reads: Mapping[str, ActiveRead]
    is_published: bool


@dataclass(frozen=True, slots=True)
class OrderAtFacility:
    """One order at a facility; every method raises as `Connection.ask`."""

    connection: Connection
    order_id: str

    @property
    def _path(self) -> str:
        return f"/api/orders/{quote(self.order_id, safe='')}/sequencing"

    def intake(self) -> Intake:
        """Return what the order takes. Decision: G86."""
        page = self.connection.get(self._path)
        rules = page["uploadRules"]
        return Intake(
            tuple(bodies.read_sample(sample) for sample in page["samples"]),
            tuple(rules["allowedReadExtensions"]),
            rules["recommendedChunkBytes"],
            rules["maxChunkBytes"],
            rules.get("defaultDataClass", DataClass.RAW),
            bodies.files_in_use(page),
            bodies.active_reads(page),
            page["isPublished"],
        )

    def sessions(self) -> list[Session]:
        """List the upload sessions. Decision: G100."""
        return [
            bodies.read_session(shown) for shown in self.connection.get(f"{self._path}/uploads")["uploads"]
        ]

    def initiate(self, wanted: Wanted) -> str:
        """Open a session and return its id. Spec: instance, Sequencing uploads, Initiate."""
        upload_id: str = self.connection.post(f"{self._path}/uploads", bodies.initiate_body(wanted))[
            "uploadId"
        ]
        return upload_id

    def session(self, upload_id: str) -> Session:
        """Read a session back; raises `SessionGone` when it is unknown. Decision: G100."""
        answer = self.connection.ask("GET", self._upload(upload_id), handled=frozenset({404}))
        if answer.status_code == 404:
            raise SessionGone
        return bodies.read_session(json_object(answer))

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

    def complete(self, upload_id: str) -> str:
        """Complete a session, as often as it takes, and return the final path.

        Raises `SessionGone` for a 400 or 404: the session is then looked at.

        Spec: instance, Sequencing uploads, Complete. Decision: G102.
        """
        path = f"{self._upload(upload_id)}/complete"
        answer = self.connection.ask("POST", path, handled=frozenset({400, 404}))
        if answer.status_code != 200:
            raise SessionGone(refusal_text(answer))
        final_path: str = json_object(answer)["finalPath"]
        return final_path

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
