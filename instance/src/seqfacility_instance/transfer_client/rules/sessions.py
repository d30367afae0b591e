"""What can go on: the session of the same file, and the completed one that makes sending needless."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from seqfacility_instance.core.vocabulary import UploadStatus

_OPEN = frozenset({UploadStatus.PENDING, UploadStatus.UPLOADING, UploadStatus.READY})


@dataclass(frozen=True, slots=True)
class Session:
    """An upload session as the facility shows it. Gap: G101."""

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


@dataclass(frozen=True, slots=True)
class Wanted:
    """The session that a file needs; `md5` only when it is sent along."""

    name: str
    size: int
    sample_id: str | None
    role: str
    data_class: str | None
    md5: str | None
    fingerprint: str


def open_session(sessions: Iterable[Session], wanted: Wanted) -> Session | None:
    """Find the session to go on with, the fullest first.

    Name, size, sample, role and data class must agree, and so must the checksum when one is sent. A session
    that another client opened has no fingerprint; one with another fingerprint belongs to an earlier state
    of the file, and its bytes are not mixed with ours.

    Gap: G100, G320.
    """
    fitting = [
        session
        for session in sessions
        if session.status in _OPEN
        and _is_same_target(session, wanted)
        and session.fingerprint in {None, wanted.fingerprint}
        and (wanted.md5 is None or session.checksum_provided == wanted.md5)
    ]
    return max(fitting, key=lambda session: session.received, default=None)


def arrived_sessions(
    sessions: Iterable[Session], wanted: Wanted, current_paths: Collection[str]
) -> list[Session]:
    """List the completed sessions whose file is still the one in use; their content decides. Gap: G104."""
    return [
        session
        for session in sessions
        if session.status == UploadStatus.COMPLETED
        and _is_same_target(session, wanted)
        and session.final_path in current_paths
    ]


def _is_same_target(session: Session, wanted: Wanted) -> bool:
    return (session.name, session.size, session.sample_id, session.role, session.data_class) == (
        wanted.name,
        wanted.size,
        wanted.sample_id,
        wanted.role,
        wanted.data_class,
    )
