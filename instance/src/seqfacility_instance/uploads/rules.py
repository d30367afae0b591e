"""Pure decisions of upload sessions: names, offsets, chunk sizes, final paths, expiry."""

import re
import unicodedata
from datetime import datetime, timedelta

from seqfacility_wire.requests import read_integer

from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.sequencing import ArtifactRole, Mate, UploadKind, UploadStatus
from seqfacility_instance.reads.rules import has_extension
from seqfacility_instance.uploads.errors import (
    ChunkExceedsFile,
    ChunkTooLarge,
    ExtensionNotAllowed,
    FileTooLarge,
    NotAFileName,
    NotEnoughSpace,
    OffsetMismatch,
    OffsetMissing,
    OffsetNotAnInteger,
    SessionClosed,
    SizeNotPositive,
    UnknownKind,
    UnknownRole,
)

CLOSED = frozenset({UploadStatus.COMPLETED, UploadStatus.CANCELLED})
OPEN = (UploadStatus.PENDING, UploadStatus.UPLOADING, UploadStatus.READY)

ROLES = {
    UploadKind.READ: tuple(mate.value for mate in Mate),
    UploadKind.ARTIFACT: tuple(role.value for role in ArtifactRole),
}
_INVISIBLE = frozenset({"Cc", "Cf", "Zl", "Zp"})
"""Unicode categories of controls, format characters, line and paragraph separators."""


def read_kind(value: object) -> UploadKind:
    """Return the kind of an upload; raises `UnknownKind`. Decision: G92, G94."""
    if value not in tuple(UploadKind):
        raise UnknownKind
    return UploadKind(str(value))


def check_role(kind: UploadKind, value: object) -> str:
    """Return the role that fits `kind`; raises `UnknownRole`. Decision: G92, G94."""
    if value not in ROLES[kind]:
        raise UnknownRole(roles=", ".join(ROLES[kind]))
    return str(value)


def check_size(value: object) -> int:
    """Return the announced size in bytes; raises `SizeNotPositive`. Decision: G94."""
    if type(value) is not int or value < 1:
        raise SizeNotPositive
    return value


def file_name(value: object) -> str:
    """Return the last component of what a client calls its file; raises `NotAFileName`.

    Two dots inside a name are legal, a leading dot is not: the data folder would hide the file. Characters
    that cannot be seen are refused: with some of them a name shows as another one.

    Decision: G95, G276, G420.
    """
    if not isinstance(value, str):
        raise NotAFileName
    name = re.split(r"[/\\]", value)[-1].strip()
    if not name or name.startswith(".") or any(unicodedata.category(one) in _INVISIBLE for one in value):
        raise NotAFileName
    if len(name.encode()) > limits.FILE_NAME_MAX_BYTES:
        raise NotAFileName
    return name


def check_read_extension(name: str, allowed: list[str]) -> None:
    """Raise `ExtensionNotAllowed` unless `name` ends with an allowed extension, whatever its case.

    Spec: instance, Sequencing uploads 1.
    """
    if not has_extension(name, allowed):
        raise ExtensionNotAllowed


def check_room(expected_bytes: int, free_bytes: int, min_free_bytes: int, max_file_bytes: int | None) -> None:
    """Raise `FileTooLarge` or `NotEnoughSpace` when the announced file does not fit. Decision: G94."""
    if max_file_bytes is not None and expected_bytes > max_file_bytes:
        raise FileTooLarge
    if free_bytes - expected_bytes < min_free_bytes:
        raise NotEnoughSpace


def read_offset(header: str | None) -> int:
    """Read `x-service-offset`; raises `OffsetMissing` or `OffsetNotAnInteger`. Decision: G96, G286, G422."""
    if header is None or not header.strip():
        raise OffsetMissing
    text = header.strip()
    offset = read_integer(text)
    if offset is None or not text.isdigit():
        raise OffsetNotAnInteger
    return offset


def check_open(status: UploadStatus) -> None:
    """Raise `SessionClosed` when nothing can be added any more. Decision: G96."""
    if status in CLOSED:
        raise SessionClosed(status=status.value)


def check_offset(offset: int, received: int) -> None:
    """Raise `OffsetMismatch`, which tells the true offset, unless both agree.

    Spec: instance, Sequencing uploads 2. Decision: G96.
    """
    if offset != received:
        raise OffsetMismatch(extra={"receivedSize": received})


def check_chunk_length(length: int, offset: int, expected: int, max_chunk_bytes: int | None) -> None:
    """Raise `ChunkTooLarge` or `ChunkExceedsFile` for a length that is too much. Decision: G96, G98."""
    if max_chunk_bytes is not None and length > max_chunk_bytes:
        raise ChunkTooLarge
    if offset + length > expected:
        raise ChunkExceedsFile


def status_after(received: int, expected: int) -> UploadStatus:
    """Choose the status of a session that holds `received` of `expected` bytes.

    Spec: instance, Upload session. Decision: G97.
    """
    return UploadStatus.READY if received == expected else UploadStatus.UPLOADING


def temp_folder(order_id: str, upload_id: str) -> str:
    """Name the folder of a session's temp file. Spec: instance, Sequencing uploads, Initiate."""
    return f"orders/{order_id}/.tmp/{upload_id}"


def final_folder(kind: UploadKind, order_id: str, sample_code: str | None) -> str:
    """Name the folder that a completed file goes to. Decision: G103."""
    if kind is UploadKind.READ:
        return f"orders/{order_id}/reads/{sample_code}"
    return f"orders/{order_id}/artifacts/{sample_code or '_order'}"


def final_names(upload_id: str, original_name: str) -> tuple[str, str]:
    """Name the file: its own name, and the one that it gets when that is taken. Decision: G103."""
    return original_name, f"{upload_id}-{original_name}"


def expires_at(status: UploadStatus, touched: datetime, ttl_hours: int) -> datetime | None:
    """Tell when an untouched session ends; None when it has ended. Decision: G106."""
    return None if status in CLOSED else touched + timedelta(hours=ttl_hours)
