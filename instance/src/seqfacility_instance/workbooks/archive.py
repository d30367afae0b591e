"""The ZIP file around a workbook: looked at before anything is unpacked, and unpacked within bounds."""

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from seqfacility_instance.core import limits
from seqfacility_instance.workbooks.errors import NotAWorkbook

_END_RECORD: Final = struct.Struct("<4s4H2LH")
_END_SIGNATURE: Final = b"PK\x05\x06"
_LOCATOR_BYTES: Final = 20
_LOCATOR_SIGNATURE: Final = b"PK\x06\x07"
_COMMENT_MAX_BYTES: Final = 0xFFFF

MEMBERS_MAX: Final = 2_000
"""A workbook of a hundred sheets with drawings and comments has some hundred members."""

DIRECTORY_MAX_BYTES: Final = 512 * limits.KIB
"""Two thousand entries with long names; a directory is read whole before its first entry is known."""

CHUNK_BYTES: Final = 64 * limits.KIB

_METHODS: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_ENCRYPTED_OR_PATCHED: Final = 0x01 | 0x20 | 0x40
_BROKEN: Final = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    ValueError,
    NotImplementedError,
)


@dataclass(frozen=True, slots=True)
class Archive:
    """The members of a workbook by lower-cased name; a name in a package has no case."""

    file: zipfile.ZipFile
    members: Mapping[str, zipfile.ZipInfo]

    def has(self, name: str) -> bool:
        """Return whether there is a member of this name."""
        return name.lower() in self.members

    def chunks(self, name: str) -> Iterator[bytes]:
        """Unpack one member piece by piece, never more than its entry declares.

        Raises `NotAWorkbook` when there is no such member or it is broken.

        Decision: G201.
        """
        member = self.members.get(name.lower())
        if member is None:
            raise NotAWorkbook
        try:
            with self.file.open(member) as stream:
                while chunk := stream.read(CHUNK_BYTES):
                    yield chunk
        except _BROKEN as broken:
            raise NotAWorkbook from broken


def open_archive(content: bytes) -> Archive:
    """Open a workbook's ZIP file by its directory alone; raises `NotAWorkbook` for what no workbook has.

    Refused are: no ZIP at all, too many members, a method other than stored and deflated, encryption,
    names twice or outside the archive, and more than 100 MiB unpacked.

    Decision: G201.
    """
    _check_directory(content)
    try:
        file = zipfile.ZipFile(io.BytesIO(content))
    except _BROKEN as broken:
        raise NotAWorkbook from broken
    members = file.infolist()
    by_name = {member.filename.lower(): member for member in members}
    if len(by_name) != len(members) or len(members) > MEMBERS_MAX:
        raise NotAWorkbook
    if sum(member.file_size for member in members) > limits.WORKBOOK_MAX_UNPACKED_BYTES:
        raise NotAWorkbook
    for member in members:
        _check_member(member)
    return Archive(file, by_name)


def _check_directory(content: bytes) -> None:
    """Check the record at the end that says how long the directory is.

    HAZARD: the standard library reads as much directory as this record, or the one of the 64-bit extension,
    asks for, and makes an object for each entry: half a second for five megabytes of entries. No workbook
    of this size needs the extension.
    """
    position = _end_record_at(content)
    if position < 0 or len(content) < position + _END_RECORD.size:
        raise NotAWorkbook
    record = _END_RECORD.unpack_from(content, position)
    _signature, disk, first_disk, _here, _total, directory_bytes, offset, _comment_bytes = record
    locator = content[max(0, position - _LOCATOR_BYTES) : position]
    is_extended = locator.startswith(_LOCATOR_SIGNATURE)
    if disk or first_disk or is_extended or directory_bytes > DIRECTORY_MAX_BYTES:
        raise NotAWorkbook
    if offset + directory_bytes != position:
        raise NotAWorkbook  # something was put before the archive, or cut off


def _end_record_at(content: bytes) -> int:
    """Find the end record where the standard library finds it: at the very end, else the last one near it."""
    last = len(content) - _END_RECORD.size
    if last >= 0 and content.startswith(_END_SIGNATURE, last) and content.endswith(b"\0\0"):
        return last
    return content.rfind(_END_SIGNATURE, max(0, last - _COMMENT_MAX_BYTES))


def _check_member(member: zipfile.ZipInfo) -> None:
    name = member.filename
    outside = name.startswith("/") or "\\" in name or "\0" in name or ".." in name.split("/")
    if outside or member.compress_type not in _METHODS or member.flag_bits & _ENCRYPTED_OR_PATCHED:
        raise NotAWorkbook
