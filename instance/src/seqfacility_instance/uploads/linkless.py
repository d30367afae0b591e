"""Giving a file its final name where the file system has no links (FAT, some network and user-space ones).

The name is first reserved by an exclusive creation whose content says whose it is. Then a note beside it says
the same, because the content goes when the file itself is renamed over the reservation. So after a crash our
own name is told from a foreign one, and no foreign file is ever replaced. What a crash in the very moment of
the reservation leaves is an empty file: it is taken for a foreign one.
"""

import contextlib
import errno
import os
from typing import Final

from seqfacility_instance.core.data_folder import FILE_MODE

LINKLESS: Final = frozenset({errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS})
"""What link(2) says on a file system without links."""

_NOTE_MAX_BYTES: Final = 1024
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_LOOK: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def publish(target: int, copy_name: str, name: str, upload_id: str) -> bool:
    """Rename the copy in `target` to `name`; False when the name belongs to another file. Decision: G328."""
    if not is_reserved(target, name, upload_id):
        try:
            _write_new(target, name, _reservation(upload_id))
        except FileExistsError:
            return False
    forget(target, upload_id)
    _write_new(target, _note_name(upload_id), os.fsencode(name))
    os.fsync(target)
    os.rename(copy_name, name, src_dir_fd=target, dst_dir_fd=target)
    return True


def is_reserved(target: int, name: str, upload_id: str) -> bool:
    """Return whether `name` is a reservation of this upload that waits for its file."""
    return _content(target, name) == _reservation(upload_id)


def is_published(target: int, name: str, upload_id: str) -> bool:
    """Return whether `name` is the file of this upload, renamed to it by `publish`."""
    found = _content(target, name)
    is_noted = _content(target, _note_name(upload_id)) == os.fsencode(name)
    return is_noted and found is not None and found != _reservation(upload_id)


def forget(target: int, upload_id: str) -> None:
    """Remove the note beside a file."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(_note_name(upload_id), dir_fd=target)


def _reservation(upload_id: str) -> bytes:
    return f"reserved for upload {upload_id}\n".encode()


def _note_name(upload_id: str) -> str:
    return f".{upload_id}.name"


def _write_new(target: int, name: str, content: bytes) -> None:
    file = os.open(name, _NEW, FILE_MODE, dir_fd=target)
    try:
        os.write(file, content)
        os.fsync(file)
    finally:
        os.close(file)


def _content(target: int, name: str) -> bytes | None:
    """Read the first bytes of a file; None when there is none of this name that is a file."""
    try:
        file = os.open(name, _LOOK, dir_fd=target)
    except OSError:
        return None
    try:
        return os.read(file, _NOTE_MAX_BYTES)
    except OSError:
        return None
    finally:
        os.close(file)
