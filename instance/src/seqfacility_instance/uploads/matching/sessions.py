"""What of a file is there already: the session to go on with, and what makes sending needless."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from seqfacility_instance.core.vocabulary.sequencing import UploadStatus
from seqfacility_instance.uploads.rules import OPEN


@dataclass(frozen=True, slots=True)
class Session:
    """What decides whether a session is one of a file. Decision: G101."""

    upload_id: str
    name: str
    size: int
    sample_id: str | None
    role: str
    status: UploadStatus
    received: int
    final_path: str | None = None
    checksum_provided: str | None = None
    checksum_computed: str | None = None
    data_class: str | None = None
    fingerprint: str | None = None
    sequencing_run_id: str | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """The session that a file needs; what is None was not asked for, a fingerprint of None is not known."""

    name: str
    size: int
    sample_id: str | None
    role: str
    data_class: str | None
    md5: str | None
    fingerprint: str | None
    sequencing_run_id: str | None = None


class KnownSessions:
    """The sessions of an order, found by what they are for."""

    def __init__(self, sessions: Iterable[Session], in_use: Mapping[str, str | None]) -> None:
        """Take the sessions and the files in use: by path their data class, None for an artifact."""
        self._in_use = in_use
        self._of_target = defaultdict[tuple[str, str | None, str], list[Session]](list)
        for session in sessions:
            self._of_target[_target(session)].append(session)

    def open_session(self, wanted: Wanted) -> Session | None:
        """Find the session to go on with, the fullest first.

        Name, size, sample and role must agree, and so must the data class and the sequencing run that were
        asked for. A session that another client opened has no fingerprint; one with another fingerprint
        belongs to an earlier state of the file, and its bytes are not mixed with ours. Two checksums that
        contradict each other are of two files.

        Decision: G100, G320, G423, G637.
        """
        fitting = (session for session in self._open_of(wanted) if _fits(session, wanted))
        return max(fitting, key=lambda session: session.received, default=None)

    def filed(self, wanted: Wanted) -> Session | None:
        """Find the completed session that brought these bytes, which are in use. Decision: G424."""
        return next((one for one in self._arrived(wanted) if is_same_content(one, wanted)), None)

    def same_name(self, wanted: Wanted) -> list[Session]:
        """List completed sessions whose file may be this one; only hashing tells. Decision: G424."""
        return [one for one in self._arrived(wanted) if not is_same_content(one, wanted)]

    def difference(self, wanted: Wanted) -> str | None:
        """Say why none of the open sessions of this name goes on; None without any. Decision: G637."""
        others = [session for session in self._open_of(wanted) if not _fits(session, wanted)]
        if not others:
            return None
        return _difference(max(others, key=lambda session: session.received), wanted)

    def _open_of(self, wanted: Wanted) -> list[Session]:
        return [one for one in self._of_target.get(_target(wanted), ()) if one.status in OPEN]

    def _arrived(self, wanted: Wanted) -> list[Session]:
        """List completed sessions of this target and size, whose file is in use as what was asked for."""
        return [
            session
            for session in self._of_target.get(_target(wanted), ())
            if session.status is UploadStatus.COMPLETED
            and session.size == wanted.size
            and session.final_path is not None
            and session.final_path in self._in_use
            and wanted.data_class in {None, self._in_use[session.final_path]}
        ]


def is_same_content(session: Session, wanted: Wanted) -> bool:
    """Whether a session brought the bytes of this file, as far as can be believed without hashing.

    That is the trust with which an interrupted upload goes on: the fingerprints agree, and of the checksums
    that are known none says otherwise.

    Decision: G424.
    """
    known = {session.checksum_computed, session.checksum_provided, wanted.md5} - {None}
    return wanted.fingerprint is not None and session.fingerprint == wanted.fingerprint and len(known) < 2


def _difference(session: Session, wanted: Wanted) -> str:
    if session.size != wanted.size:
        what = f"of a file with {session.size} bytes, and this one has {wanted.size}"
    elif wanted.fingerprint is not None and session.fingerprint not in {None, wanted.fingerprint}:
        what = "of another state of the file: its ends or its time of change differ"
    elif wanted.data_class not in {None, session.data_class}:
        what = f"of data of the class {session.data_class or 'that the facility presets'}"
    elif wanted.sequencing_run_id not in {None, session.sequencing_run_id}:
        what = "for another sequencing run"
    else:
        what = "of a file with another checksum"
    return f"An unfinished upload of this name is there, {what}"


def _fits(session: Session, wanted: Wanted) -> bool:
    checksums = {session.checksum_provided, wanted.md5} - {None}
    return (
        session.size == wanted.size
        and (wanted.fingerprint is None or session.fingerprint in {None, wanted.fingerprint})
        and wanted.data_class in {None, session.data_class}
        and wanted.sequencing_run_id in {None, session.sequencing_run_id}
        and len(checksums) < 2
    )


def _target(one: Session | Wanted) -> tuple[str, str | None, str]:
    # WHY: some systems store an accent apart from its letter, so a name comes in two spellings.
    return unicodedata.normalize("NFC", one.name), one.sample_id, one.role
