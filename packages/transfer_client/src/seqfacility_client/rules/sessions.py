"""What can go on: the session of the same file, and the completed one that makes sending needless."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from seqfacility_client.vocabulary import UploadStatus

_OPEN = frozenset({UploadStatus.PENDING, UploadStatus.UPLOADING, UploadStatus.READY})


@dataclass(frozen=True, slots=True)
class Session:
    """An upload session as the facility shows it. Decision: G101."""

    upload_id: str
    name: str
    size: int
    sample_id: str | None
    role: str
    status: str
    received: int
    final_path: str | None = None
    checksum_provided: str | None = None
    checksum_computed: str | None = None
    data_class: str | None = None
    fingerprint: str | None = None
    sequencing_run_id: str | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """The session that a file needs; `md5` only when it is sent along, `data_class` None: any."""

    name: str
    size: int
    sample_id: str | None
    role: str
    data_class: str | None
    md5: str | None
    fingerprint: str
    sequencing_run_id: str | None = None


def open_session(sessions: Iterable[Session], wanted: Wanted) -> Session | None:
    """Find the session to go on with, the fullest first.

    Name, size, sample and role must agree, and so must the data class, the sequencing run and the checksum
    that were asked for. A session that another client opened has no fingerprint; one with another
    fingerprint belongs to an earlier state of the file, and its bytes are not mixed with ours.

    Decision: G100, G320, G423.
    """
    fitting = [
        session
        for session in sessions
        if session.status in _OPEN
        and _is_same_target(session, wanted)
        and session.fingerprint in {None, wanted.fingerprint}
        and wanted.data_class in {None, session.data_class}
        and wanted.sequencing_run_id in {None, session.sequencing_run_id}
        and wanted.md5 in {None, session.checksum_provided}
    ]
    return max(fitting, key=lambda session: session.received, default=None)


def arrived_sessions(
    sessions: Iterable[Session], wanted: Wanted, in_use: Mapping[str, str | None]
) -> list[Session]:
    """List the completed sessions whose file may be this one and is still in use.

    `in_use` gives the paths of the files in use with their data class, which must be the one asked for.

    Decision: G104, G423.
    """
    return [
        session
        for session in sessions
        if session.status == UploadStatus.COMPLETED
        and _is_same_target(session, wanted)
        and session.final_path is not None
        and session.final_path in in_use
        and wanted.data_class in {None, in_use[session.final_path]}
    ]


def is_same_content(session: Session, wanted: Wanted) -> bool:
    """Whether a session brought the bytes of this file, as far as can be believed without hashing.

    That is the trust with which an interrupted upload goes on: the fingerprints agree, and of the checksums
    that are known none says otherwise.

    Decision: G424.
    """
    known = {session.checksum_computed, session.checksum_provided, wanted.md5} - {None}
    return session.fingerprint == wanted.fingerprint and len(known) < 2


def _is_same_target(session: Session, wanted: Wanted) -> bool:
    return (session.name, session.size, session.sample_id, session.role) == (
        wanted.name,
        wanted.size,
        wanted.sample_id,
        wanted.role,
    )
