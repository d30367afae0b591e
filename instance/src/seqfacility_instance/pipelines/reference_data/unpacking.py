"""Unpacking an archive of strangers: files and folders only, below one folder, with room to spare."""

import lzma
import os
import shutil
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from seqfacility_instance.core import limits

_BLOCK_BYTES = 1024 * 1024
_NAME_BYTES = 255
_PATH_BYTES = 3000
_DAMAGED = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    ValueError,
)
_OPENERS = {".gz": "r:gz", ".tgz": "r:gz", ".bz2": "r:bz2", ".xz": "r:xz", ".tar": "r:"}


class ArchiveRefused(Exception):
    """The archive is damaged, or holds what nobody may unpack. The text is for people."""


class InsufficientSpace(Exception):
    """The file system would have less free space than the facility wants. The text is for people."""


def unpack(archive: Path, name: str, folder: Path, min_free: int) -> Iterator[None]:
    """Unpack `archive`, whose type follows from `name`, into `folder`, which must not exist.

    Yields now and then, so that a caller may do something else in between. Links, devices, names that
    lead elsewhere and names that occur twice are refused; modes and owners of the archive are not taken
    over. Raises `ArchiveRefused` and `InsufficientSpace`.

    Decision: G334.
    """
    folder.mkdir(mode=0o750)
    try:
        if name.lower().endswith(".zip"):
            yield from _unzip(archive, folder, min_free)
        else:
            yield from _untar(archive, name, folder, min_free)
    except FileExistsError as twice:
        raise ArchiveRefused("The archive names a file twice") from twice
    except NotADirectoryError as odd:
        raise ArchiveRefused("The archive uses one name for a file and a folder") from odd
    except _DAMAGED as damaged:
        raise ArchiveRefused("The archive is damaged, or is none") from damaged
    except OSError as odd:
        # Decompressors tell of damage by a bare OSError; one with a number is the file system's.
        if odd.errno is None:
            raise ArchiveRefused("The archive is damaged, or is none") from odd
        raise


def sole_folder(folder: Path) -> str:
    """Return the only top-level folder of an archive; empty when there is none. Decision: G334."""
    found = list(folder.iterdir())
    return found[0].name if len(found) == 1 and found[0].is_dir() else ""


def check_space(folder: Path, wanted: int, min_free: int) -> None:
    """Raise `InsufficientSpace` when `wanted` more bytes would leave less than `min_free`."""
    missing = wanted + min_free - shutil.disk_usage(folder).free
    if missing > 0:
        message = f"There is not enough free space: {missing} bytes more are needed"
        raise InsufficientSpace(message)


def member_path(name: str) -> str | None:
    """Return the relative path of a member; None for the root itself. Raises `ArchiveRefused`.

    Decision: G334.
    """
    parts = [part for part in name.split("/") if part not in {"", "."}]
    encoded = [os.fsencode(part) for part in parts]
    if (
        name.startswith("/")
        or ".." in parts
        or any("\0" in part or len(raw) > _NAME_BYTES for part, raw in zip(parts, encoded, strict=True))
        or sum(map(len, encoded)) + len(parts) > _PATH_BYTES
    ):
        raise ArchiveRefused("The archive holds a name that leads elsewhere or cannot be written")
    return "/".join(parts) or None


def _untar(archive: Path, name: str, folder: Path, min_free: int) -> Iterator[None]:
    mode = next(opener for ending, opener in _OPENERS.items() if name.lower().endswith(ending))
    with tarfile.open(archive, mode) as opened:  # type: ignore[call-overload]  # the mode is one of a table
        count = 0
        while (member := opened.next()) is not None:
            opened.members.clear()  # the archive is read once, and the list of its members would fill memory
            count = _counted(count)
            path = member_path(member.name)
            if member.isdir():
                _make_folder(folder, path)
            elif member.isreg():
                content = opened.extractfile(member)
                assert content is not None
                yield from _write(content, folder, path, min_free, member.size)
            else:
                raise ArchiveRefused("The archive holds a link or a device")


def _unzip(archive: Path, folder: Path, min_free: int) -> Iterator[None]:
    with zipfile.ZipFile(archive) as opened:
        for count, member in enumerate(opened.infolist()):
            _counted(count)
            path = member_path(member.filename)
            kind = stat.S_IFMT(member.external_attr >> 16)
            if member.flag_bits & 1:
                raise ArchiveRefused("The archive is encrypted")
            if kind not in {0, stat.S_IFREG, stat.S_IFDIR}:
                raise ArchiveRefused("The archive holds a link or a device")
            if member.is_dir():
                _make_folder(folder, path)
            else:
                with opened.open(member) as content:
                    yield from _write(content, folder, path, min_free, member.file_size)


def _counted(count: int) -> int:
    if count >= limits.DATABASE_MAX_FILES:
        raise ArchiveRefused("The archive holds too many files")
    return count + 1


def _make_folder(folder: Path, path: str | None) -> None:
    if path is not None:
        (folder / path).mkdir(mode=0o750, parents=True, exist_ok=True)


def _write(content: IO[bytes], folder: Path, path: str | None, min_free: int, size: int) -> Iterator[None]:
    if path is None:
        raise ArchiveRefused("The archive holds a file without a name")
    target = folder / path
    target.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(target, flags, mode=0o640), "wb") as stream:
        written = 0
        check_space(folder, min(size, _BLOCK_BYTES), min_free)
        while block := content.read(_BLOCK_BYTES):
            stream.write(block)
            written += len(block)
            yield
            check_space(folder, _BLOCK_BYTES, min_free)
    if written != size:
        raise ArchiveRefused("The archive is damaged, or is none")
    yield
