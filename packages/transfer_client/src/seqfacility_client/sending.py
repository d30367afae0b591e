"""Sending one file until it has arrived: found again, resumed, completed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from pathlib import Path
from threading import Event

from seqfacility_client.bodies import initiate_body
from seqfacility_client.errors import (
    BytesDiffer,
    Interrupted,
    OffsetMoved,
    SessionGone,
    TransferRefused,
)
from seqfacility_client.facility import Begun, OrderAtFacility, UploadRules
from seqfacility_client.local_files import (
    Part,
    RunningMd5,
    Slice,
    Source,
    SourceReader,
    check_joinable,
    check_unchanged,
    fingerprint,
    md5_of,
)
from seqfacility_client.patience import Patience
from seqfacility_client.progress import Progress
from seqfacility_client.rate import Rate
from seqfacility_client.rules.fetching import known_md5
from seqfacility_client.rules.pace import chunk_length
from seqfacility_client.rules.plan import Filed, Placed
from seqfacility_client.vocabulary import UploadStatus

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
    """Sends files of one order, which `parts` describes as they were when the plan was made."""

    order: OrderAtFacility
    rules: UploadRules
    parts: Mapping[Path, Part]
    data_class: str | None
    with_checksum: bool
    patience_seconds: float
    progress: Progress
    rate: Rate
    stop: Event
    sequencing_run_id: str | None = None
    may_supersede: bool = False
    is_hashing_behind: Event = field(default_factory=Event)
    """Set once a file was waited for in vain; the others are not waited for then. Decision: G424."""

    def send(self, placed: Placed) -> Sent:
        """Send one file and return where it lies.

        A file whose bytes are in use at the facility already is not sent again. Raises `TransferRefused`
        and `Stopped`; what was acknowledged by then stays, and the next call goes on behind it.

        Spec: instance, Sequencing uploads. Decision: G320, G760.
        """
        source = self._source(placed)
        hashed = None
        if self.with_checksum and (placed.md5 or placed.filed):
            hashed = md5_of(placed.paths, self.stop)
            if placed.md5 not in {None, hashed}:
                raise TransferRefused(f"it has MD5 {hashed}, the list beside it says {placed.md5}")
        patience = Patience(self.patience_seconds, self.stop)
        there, hashed = self._there(placed, hashed, patience)
        if there is not None:
            return Sent(there.upload_id, there.final_path, placed.size, hashed, Arrival.ALREADY_THERE)
        if placed.supersedes is not None:
            if placed.supersedes.is_delivered and not self.may_supersede:
                raise TransferRefused(f"it would supersede {placed.supersedes.text}; --supersede allows that")
            self.progress.note(f"{placed.shown} supersedes {placed.supersedes.text}")
        return self._sent(placed, source, hashed, patience)

    def _source(self, placed: Placed) -> Source:
        """Return the files of a plan that are still what they were; raises `TransferRefused`."""
        source = Source(tuple(self.parts[path] for path in placed.paths))
        check_unchanged(source)
        if placed.fingerprint is None:
            for part in source.parts:
                fingerprint(part)
        check_joinable(source)
        return source

    def _there(
        self, placed: Placed, hashed: str | None, patience: Patience
    ) -> tuple[Filed | None, str | None]:
        """Find the bytes of a file in use at the facility; only equal content counts.

        Returns the MD5 here, too, where it had to be known.

        Decision: G104, G424.
        """
        filed = placed.filed
        if filed and (hashed is None or self._known_md5(filed, hashed, patience) == hashed):
            return filed, hashed
        for there in placed.same_name:
            hashed = hashed or md5_of(placed.paths, self.stop)
            if (there.md5 or self._known_md5(there, None, patience)) == hashed:
                return there, hashed
        return None, hashed

    def _known_md5(self, there: Filed, otherwise: str | None, patience: Patience) -> str:
        """Return the MD5 of a completed session; what is not known yet is `otherwise`, or waited for.

        HAZARD: asking for it in a request would let the facility hash while we wait for the answer, and
        again at each retry.
        """
        unhashed = Interrupted(f"the facility has not hashed {there.final_path} yet")
        while True:
            try:
                session = patience.answered(lambda: self.order.session(there.upload_id))
            except SessionGone:
                raise TransferRefused(f"the session of {there.final_path} is gone") from None
            known = known_md5(session.checksum_computed) or known_md5(session.checksum_provided)
            if known := known or otherwise:
                return known
            if self.is_hashing_behind.is_set():
                raise TransferRefused(f"{unhashed}; run the command again later")
            try:
                patience.wait(unhashed)
            except TransferRefused:
                self.is_hashing_behind.set()
                raise

    def _sent(self, placed: Placed, source: Source, hashed: str | None, patience: Patience) -> Sent:
        """Send a file in the session that is there, or in a new one."""
        upload_id = placed.continues.upload_id if placed.continues else None
        md5 = RunningMd5(source, self.stop) if self.with_checksum and hashed is None else None
        reason = "the facility closes every upload session of this file"
        for _ in range(_MAX_SESSIONS):
            if upload_id is None:
                begun = self._begun(placed, placed.md5 or hashed, patience)
                if begun.final_path is not None:
                    return Sent(begun.upload_id, begun.final_path, source.size, hashed, Arrival.ALREADY_THERE)
                upload_id = begun.upload_id
            try:
                return _Sending(self, source, upload_id, hashed, md5, patience).run(placed.md5)
            except SessionGone:
                upload_id = None
            except BytesDiffer as differ:
                reason, hashed = str(differ), hashed or (md5.value() if md5 else None)
                self.progress.note(f"{placed.shown} did not arrive as it is here: it is sent again")
                patience.answered(partial(self.order.abandon, upload_id))
                upload_id = None
        raise TransferRefused(reason)

    def _begun(self, placed: Placed, md5: str | None, patience: Patience) -> Begun:
        """Open a session; one that is there by now is left to its sender for a moment. Decision: G637.

        HAZARD: when the answer is lost, the session without bytes is found by the next attempt.
        """
        body = initiate_body(placed, md5, self.data_class, self.sequencing_run_id)
        begun = patience.answered(lambda: self.order.initiate(body))
        if begun.was_there and begun.final_path is None:
            patience.wait(Interrupted("another upload of the file has begun"))
        return begun


class _Sending:
    """One file on its way into one session."""

    def __init__(
        self,
        sender: Sender,
        source: Source,
        upload_id: str,
        hashed: str | None,
        md5: RunningMd5 | None,
        patience: Patience,
    ) -> None:
        self._sender, self._source, self._upload_id = sender, source, upload_id
        self._hashed, self._md5, self._patience = hashed, md5, patience
        self._furthest = -1
        self._ours_until = -1
        """Bytes that arrived beyond this are somebody else's: nothing that we sent can have brought them."""
        self._has_sent = self._is_noted = self._is_filed = False

    def run(self, listed: str | None) -> Sent:
        """Send what is missing and complete.

        Raises `SessionGone` when the session cannot be used, `BytesDiffer` when it has other bytes.
        """
        offset: int | None = None
        refused: tuple[int, SessionGone] | None = None
        is_shown = False
        with SourceReader(self._source) as file:
            while True:
                try:
                    if offset is None:
                        offset = self._offset()
                    if refused and refused[0] == offset:
                        raise TransferRefused(str(refused[1])) from refused[1]
                    refused = None
                    if not is_shown:
                        self._sender.progress.started(self._source.name, self._source.size, offset)
                        is_shown = True
                    if offset > self._furthest:
                        self._furthest = offset
                        self._patience.moved()
                    if offset == self._source.size:
                        return self._completed(listed)
                    offset = self._append(file, offset)
                except SessionGone as gone:
                    if offset is None:
                        raise
                    # The session is looked at: it may have moved on.
                    refused, offset = (offset, gone), None
                except OffsetMoved as moved:
                    if moved.received <= self._furthest:
                        self._patience.wait(Interrupted(str(moved)))
                    offset = moved.received if moved.received <= self._ours_until else None
                except Interrupted as interrupted:
                    self._patience.wait(interrupted)
                    offset = None

    def _offset(self) -> int:
        """Return how many bytes count; raises `SessionGone` when the session is closed.

        As long as somebody else sends the file it is left to them. Decision: G100, G638, G761.
        """
        session = self._sender.order.session(self._upload_id)
        if session.status == UploadStatus.CANCELLED:
            raise SessionGone
        self._is_filed = session.status == UploadStatus.COMPLETED and not self._has_sent
        if session.is_receiving and session.received > self._ours_until:
            if session.received > self._furthest:
                self._furthest = session.received
                self._patience.moved()
            if not self._is_noted:
                self._is_noted = True
                name = self._source.name
                self._sender.progress.note(f"waiting: somebody else sends {name}, or did a moment ago")
            raise Interrupted("somebody else sends the file")
        if session.is_receiving and session.received == self._source.size:
            # The facility reads what arrived, which takes its time.
            self._patience.moved()
        self._ours_until = max(self._ours_until, session.received)
        return session.received

    def _append(self, file: SourceReader, offset: int) -> int:
        sender, rules = self._sender, self._sender.rules
        length = chunk_length(offset, self._source.size, rules.chunk_bytes, rules.max_chunk_bytes)
        if self._md5 is not None:
            # WHY: a facility does not wait long for a body, so what is missing is hashed before it.
            self._md5.catch_up(offset)
        name = self._source.name
        content = Slice(
            file, offset, length, lambda at: sender.progress.moved(name, at), sender.rate, self._md5
        )
        before, self._ours_until = self._ours_until, max(self._ours_until, offset + length)
        try:
            received = sender.order.append(self._upload_id, offset, content)
        except OffsetMoved:
            # Nothing of this chunk was taken; of an earlier one, whose answer is missing, something may be.
            self._ours_until = before
            raise
        self._ours_until, self._has_sent = received, True
        return received

    def _completed(self, listed: str | None) -> Sent:
        """Complete the session with the MD5 that was computed here. Decision: G639, G762."""
        computed = self._hashed or (self._md5.value() if self._md5 else None)
        check_unchanged(self._source)
        final_path = self._sender.order.complete(self._upload_id, computed)
        arrival = Arrival.ALREADY_THERE if self._is_filed else Arrival.SENT
        return Sent(self._upload_id, final_path, self._source.size, computed or listed, arrival)
