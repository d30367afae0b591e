"""Sending one file until it has arrived: found again, resumed, completed."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from threading import Event
from typing import BinaryIO

from seqfacility_instance.transfer_client.errors import (
    Interrupted,
    OffsetMoved,
    SessionGone,
    TransferRefused,
)
from seqfacility_instance.transfer_client.facility import Intake, OrderAtFacility
from seqfacility_instance.transfer_client.local_files import (
    Slice,
    Source,
    check_unchanged,
    fingerprint,
    md5_of,
    opened,
    source_of,
)
from seqfacility_instance.transfer_client.patience import Patience
from seqfacility_instance.transfer_client.progress import Progress
from seqfacility_instance.transfer_client.rules.pace import chunk_length
from seqfacility_instance.transfer_client.rules.plan import Placed
from seqfacility_instance.transfer_client.rules.sessions import (
    Session,
    Wanted,
    arrived_sessions,
    open_session,
)

_MOST_SESSIONS = 3
"""A session that is gone is opened anew; one that goes again and again is somebody's will."""


class Arrival(StrEnum):
    """How a file came to be there."""

    SENT = "sent"
    ALREADY_THERE = "already-there"


@dataclass(frozen=True, slots=True)
class Sent:
    """A file that arrived; `md5` when it was hashed here."""

    upload_id: str
    final_path: str
    size: int
    md5: str | None
    arrival: Arrival


@dataclass(frozen=True, slots=True)
class Sender:
    """Sends files of one order; `sessions` is the list as it was when the command began."""

    order: OrderAtFacility
    intake: Intake
    sessions: Sequence[Session]
    data_class: str | None
    with_checksum: bool
    patience_seconds: float
    progress: Progress
    stop: Event

    def send(self, placed: Placed) -> Sent:
        """Send one file; gives where it lies.

        A file whose bytes are in use at the facility already is not sent again. Raises `TransferRefused`
        and `Stopped`; what was acknowledged by then stays, and the next call goes on behind it.

        Spec: instance, Sequencing uploads. Gap: G320.
        """
        source = source_of(placed.path)
        md5 = md5_of(placed.path, self.stop) if self.with_checksum else None
        wanted = Wanted(
            name=placed.path.name,
            size=source.size,
            sample_id=None if placed.sample is None else placed.sample.id,
            role=placed.role,
            data_class=self.data_class,
            md5=md5,
            fingerprint=fingerprint(source),
        )
        patience = Patience(self.patience_seconds, self.stop)
        there = self._arrived(source, wanted, patience)
        if there is not None:
            return there
        session = open_session(self.sessions, wanted)
        for _ in range(_MOST_SESSIONS):
            try:
                upload_id = session.upload_id if session else self._initiate(wanted, patience)
                return self._pour(source, upload_id, md5, patience)
            except SessionGone:
                session = None
        raise TransferRefused("the facility closes every upload session of this file")

    def _arrived(self, source: Source, wanted: Wanted, patience: Patience) -> Sent | None:
        """Find the bytes of this file in use at the facility; only equal content counts. Gap: G104, G107."""
        candidates = arrived_sessions(self.sessions, wanted, self.intake.current_paths)
        if not candidates:
            return None
        md5 = wanted.md5 or md5_of(source.path, self.stop)
        for session in candidates:
            known = session.checksum_computed or session.checksum_provided
            if (known or self._hashed_there(str(session.final_path), patience)) == md5:
                path = str(session.final_path)
                return Sent(session.upload_id, path, source.size, md5, Arrival.ALREADY_THERE)
        return None

    def _hashed_there(self, path: str, patience: Patience) -> str | None:
        while True:
            try:
                return self.order.md5_of(path)
            except Interrupted as interrupted:
                patience.wait(interrupted)

    def _initiate(self, wanted: Wanted, patience: Patience) -> str:
        """Open a session.

        HAZARD: when the answer is lost, a session without bytes may stay behind; it expires by itself.
        """
        while True:
            try:
                return self.order.initiate(wanted)
            except Interrupted as interrupted:
                patience.wait(interrupted)

    def _pour(self, source: Source, upload_id: str, md5: str | None, patience: Patience) -> Sent:
        """Send what is missing and complete; raises `SessionGone` when the session cannot be used."""
        name = str(source.path)
        offset: int | None = None
        furthest, is_shown = -1, False
        with opened(source) as file:
            while True:
                try:
                    if offset is None:
                        offset = self._offset(upload_id)
                    if not is_shown:
                        self.progress.started(name, source.size, offset)
                        is_shown = True
                    if offset > furthest:
                        furthest = offset
                        patience.moved()
                    if offset == source.size:
                        check_unchanged(source)
                        final_path = self.order.complete(upload_id)
                        return Sent(upload_id, final_path, source.size, md5, Arrival.SENT)
                    offset = self._append(source, file, upload_id, offset)
                except SessionGone as refused:
                    patience.wait(self._explained(upload_id, offset, refused))
                    offset = None
                except OffsetMoved as moved:
                    if moved.received <= furthest:
                        patience.wait(Interrupted(str(moved)))
                    offset = moved.received
                except Interrupted as interrupted:
                    patience.wait(interrupted)
                    offset = None

    def _offset(self, upload_id: str) -> int:
        """Ask how many bytes count; raises `SessionGone` when the session takes no more. Gap: G100."""
        session = self.order.session(upload_id)
        if session.status == "CANCELLED":
            raise SessionGone
        return session.received

    def _explained(self, upload_id: str, offset: int | None, refused: SessionGone) -> Interrupted:
        """Look at the session that refused us: it moved on, it is gone, or the refusal stays."""
        if self._offset(upload_id) == offset:
            raise TransferRefused(str(refused)) from refused
        return Interrupted(str(refused))

    def _append(self, source: Source, file: BinaryIO, upload_id: str, offset: int) -> int:
        length = chunk_length(offset, source.size, self.intake.chunk_bytes, self.intake.max_chunk_bytes)
        name = str(source.path)
        content = Slice(file, offset, length, lambda at: self.progress.moved(name, at), self.stop)
        return self.order.append(upload_id, offset, content)
