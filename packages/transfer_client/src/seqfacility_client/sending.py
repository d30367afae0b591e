"""Sending one file until it has arrived: found again, resumed, completed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from threading import Event

from seqfacility_client.bodies import READ_ROLES
from seqfacility_client.checksum_lists import absolute
from seqfacility_client.errors import (
    Interrupted,
    OffsetMoved,
    SessionGone,
    TransferRefused,
)
from seqfacility_client.facility import Intake, OrderAtFacility
from seqfacility_client.local_files import (
    Slice,
    Source,
    SourceReader,
    check_joinable,
    check_unchanged,
    fingerprint,
    md5_of,
    source_of,
)
from seqfacility_client.patience import Patience
from seqfacility_client.progress import Progress
from seqfacility_client.rate import Rate
from seqfacility_client.rules.fetching import known_md5
from seqfacility_client.rules.pace import chunk_length
from seqfacility_client.rules.plan import Placed
from seqfacility_client.rules.sessions import (
    Session,
    Wanted,
    arrived_sessions,
    is_same_content,
    open_session,
)
from seqfacility_client.rules.superseding import Superseded, is_superseded
from seqfacility_client.vocabulary import DataClass, UploadStatus

_MAX_SESSIONS = 3
"""A session that is gone is opened anew; one that goes again and again is somebody's will."""


class Arrival(StrEnum):
    """How a file came to be there."""

    SENT = "sent"
    ALREADY_THERE = "already-there"


@dataclass(frozen=True, slots=True)
class Sent:
    """A file that arrived; `md5` when it was hashed here, or sent along."""

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
    rate: Rate
    stop: Event
    sequencing_run_id: str | None = None
    checksums: Mapping[Path, str] = field(default_factory=dict)
    """What lists beside the files say their MD5 is. Decision: G427."""
    may_supersede: bool = False
    is_hashing_behind: Event = field(default_factory=Event)
    """Set once a file was waited for in vain; the others are not waited for then. Decision: G424."""

    def send(self, placed: Placed) -> Sent:
        """Send one file and return where it lies.

        A file whose bytes are in use at the facility already is not sent again. Raises `TransferRefused`
        and `Stopped`; what was acknowledged by then stays, and the next call goes on behind it.

        Spec: instance, Sequencing uploads. Decision: G320.
        """
        source = source_of(*placed.paths)
        check_joinable(source)
        hashed = md5_of(placed.paths, self.stop) if self.with_checksum else None
        wanted = self._wanted(placed, source, hashed)
        if hashed is not None and wanted.md5 != hashed:
            raise TransferRefused(f"it has MD5 {hashed}, the list beside it says {wanted.md5}")
        patience = Patience(self.patience_seconds, self.stop)
        there = self._arrived(source, wanted, hashed, patience)
        if there is not None:
            return there
        session = open_session(self.sessions, wanted)
        if superseded := self._superseded(placed, session):
            if superseded.is_delivered and not self.may_supersede:
                raise TransferRefused(f"it would supersede {superseded}; --supersede allows that")
            self.progress.note(f"{placed.shown} supersedes {superseded}")
        for _ in range(_MAX_SESSIONS):
            try:
                upload_id = session.upload_id if session else self._initiate(wanted, patience)
                return self._send_from_offset(source, upload_id, wanted.md5, patience)
            except SessionGone:
                session = None
        raise TransferRefused("the facility closes every upload session of this file")

    def foreseen(self, placed: Placed) -> tuple[int, str]:
        """Return the size of a file and what `send` would do with it, without hashing. Decision: G426."""
        source = source_of(*placed.paths)
        wanted = self._wanted(placed, source, None)
        arrived = arrived_sessions(self.sessions, wanted, self.intake.in_use)
        if any(is_same_content(session, wanted) for session in arrived):
            return source.size, "already there"
        session = open_session(self.sessions, wanted)
        state = f"resumed at {session.received} bytes" if session and session.received else "sent"
        if arrived:
            state = "compared with the file of this name and size there, sent if it differs"
        if superseded := self._superseded(placed, session):
            is_refused = superseded.is_delivered and not self.may_supersede
            state += f"; {'refused, ' if is_refused else ''}supersedes {superseded}"
        return source.size, state

    def _wanted(self, placed: Placed, source: Source, hashed: str | None) -> Wanted:
        listed = None if placed.further else self.checksums.get(absolute(placed.path))
        return Wanted(
            name=placed.name,
            size=source.size,
            sample_id=None if placed.sample is None else placed.sample.id,
            role=placed.role,
            data_class=self.data_class,
            md5=listed or hashed,
            fingerprint=fingerprint(source),
            sequencing_run_id=self.sequencing_run_id,
        )

    def _superseded(self, placed: Placed, session: Session | None) -> Superseded | None:
        """Find the read in use that the arrival of a file supersedes. Decision: G104, G423."""
        if placed.sample is None or placed.role not in READ_ROLES:
            return None
        read = self.intake.active_reads.get(placed.sample.id)
        data_class, run_id = self.data_class, self.sequencing_run_id
        if session is not None:
            data_class, run_id = session.data_class, session.sequencing_run_id
        data_class = data_class or self.intake.default_data_class
        if read is None or not is_superseded(read, placed.role, data_class, run_id):
            return None
        is_delivered = self.intake.is_published and read.data_class == DataClass.CLEANED
        return Superseded(read, placed.sample.alias or placed.sample.code, is_delivered)

    def _arrived(self, source: Source, wanted: Wanted, hashed: str | None, patience: Patience) -> Sent | None:
        """Find the bytes of this file in use at the facility; only equal content counts.

        Decision: G104, G424.
        """
        for session in arrived_sessions(self.sessions, wanted, self.intake.in_use):
            if not is_same_content(session, wanted):
                hashed = hashed or md5_of((part.path for part in source.parts), self.stop)
                if self._md5_there(session, patience) != hashed:
                    continue
            path = str(session.final_path)
            return Sent(session.upload_id, path, source.size, hashed, Arrival.ALREADY_THERE)
        return None

    def _md5_there(self, session: Session, patience: Patience) -> str:
        """Return the MD5 of a completed session, as soon as the facility's worker has hashed the file.

        HAZARD: asking for it in a request would let the facility hash while we wait for the answer, and
        again at each retry.
        """
        unhashed = Interrupted(f"the facility has not hashed {session.final_path} yet")
        while True:
            if known := known_md5(session.checksum_computed) or known_md5(session.checksum_provided):
                return known
            if self.is_hashing_behind.is_set():
                raise TransferRefused(f"{unhashed}; run the command again later")
            try:
                patience.wait(unhashed)
                session = self.order.session(session.upload_id)
            except Interrupted as interrupted:
                patience.wait(interrupted)
            except TransferRefused:
                self.is_hashing_behind.set()
                raise
            except SessionGone:
                raise TransferRefused(f"the session of {session.final_path} is gone") from None

    def _initiate(self, wanted: Wanted, patience: Patience) -> str:
        """Open a session.

        HAZARD: when the answer is lost, a session without bytes may stay behind; it expires by itself.
        """
        while True:
            try:
                return self.order.initiate(wanted)
            except Interrupted as interrupted:
                patience.wait(interrupted)

    def _send_from_offset(self, source: Source, upload_id: str, md5: str | None, patience: Patience) -> Sent:
        """Send what is missing and complete; raises `SessionGone` when the session cannot be used."""
        name = source.name
        offset: int | None = None
        furthest, is_shown = -1, False
        with SourceReader(source) as file:
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
        """Return how many bytes count; raises `SessionGone` when the session is closed. Decision: G100."""
        session = self.order.session(upload_id)
        if session.status == UploadStatus.CANCELLED:
            raise SessionGone
        return session.received

    def _explained(self, upload_id: str, offset: int | None, refused: SessionGone) -> Interrupted:
        """Return why a session refused us, when it moved on; raise when it is gone or the refusal stays."""
        if self._offset(upload_id) == offset:
            raise TransferRefused(str(refused)) from refused
        return Interrupted(str(refused))

    def _append(self, source: Source, file: SourceReader, upload_id: str, offset: int) -> int:
        length = chunk_length(offset, source.size, self.intake.chunk_bytes, self.intake.max_chunk_bytes)
        content = Slice(file, offset, length, lambda at: self.progress.moved(source.name, at), self.rate)
        return self.order.append(upload_id, offset, content)
