"""Walking, copying, linking and checking the files of a facility."""

import hashlib
import os
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from seqfacility_instance.backup.errors import BackupRefused
from seqfacility_instance.backup.manifest import Area, FileEntry, FileKind
from seqfacility_instance.facility_settings.identity_record import MARKER

_BLOCK_BYTES: Final = 1024 * 1024
_READ_FLAGS: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def walk(root: Path, area: Area) -> Iterator[FileEntry]:
    """List every file and link below a folder, by path; links are not followed.

    What vanishes meanwhile is left out; sockets, pipes, devices and the mark of the folder are no data.

    Decision: G357, G498.
    """
    folders = [""]
    while folders:
        folder = folders.pop()
        try:
            listed = sorted(os.scandir(root / folder), key=lambda found: found.name)
        except FileNotFoundError:
            continue
        for found in listed:
            path = f"{folder}/{found.name}" if folder else found.name
            if found.is_dir(follow_symlinks=False):
                folders.append(path)
            elif path != MARKER and (entry := _entry(root, area, path)) is not None:
                yield entry


def copy_file(entry: FileEntry, source: Path, target: Path) -> FileEntry | None:
    """Copy a file with time and mode and return the entry of the copy; None when it vanished.

    Raises `FileExistsError` rather than writing over anything.

    Decision: G357, G358.
    """
    target.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
    if entry.kind is FileKind.LINK:
        target.symlink_to(entry.target or "")
        return replace(entry, is_inside=True)
    try:
        reading = os.open(source, _READ_FLAGS)
    except FileNotFoundError:
        return None
    md5, sha256 = hashlib.md5(usedforsecurity=False), hashlib.sha256()
    size = 0
    with os.fdopen(reading, "rb", buffering=0) as content, target.open("xb", buffering=0) as copy:
        while block := content.read(_BLOCK_BYTES):
            copy.write(block)
            md5.update(block)
            sha256.update(block)
            size += len(block)
        os.fchmod(copy.fileno(), entry.mode)
        os.utime(copy.fileno(), ns=(entry.modified_ns, entry.modified_ns))
    return replace(entry, size=size, md5=md5.hexdigest(), sha256=sha256.hexdigest(), is_inside=True)


def link_file(entry: FileEntry, source: Path, target: Path) -> FileEntry | None:
    """Hard-link a file into the backup; return None when it vanished. Raises `BackupRefused`.

    Decision: G357.
    """
    target.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
    try:
        os.link(source, target, follow_symlinks=False)
    except FileNotFoundError:
        return None
    except OSError as refused:
        reason = os.strerror(refused.errno or 0)
        raise BackupRefused(f"{source} cannot be linked ({reason}); use --files copy") from refused
    return replace(entry, is_inside=True)


def difference(entry: FileEntry, path: Path) -> str | None:
    """Return how a file differs from its entry (`missing`, `different`, …); None when it does not.

    Decision: G358.

    Checksums are computed as far as the entry has any.
    """
    try:
        if entry.kind is FileKind.LINK:
            return None if path.readlink() == Path(entry.target or "") else "different"
        reading = os.open(path, _READ_FLAGS)
    except FileNotFoundError:
        return "missing"
    except OSError:
        return "different"
    with os.fdopen(reading, "rb", buffering=0) as content:
        if os.fstat(reading).st_size != entry.size:
            return "different"
        name, expected = ("sha256", entry.sha256) if entry.sha256 else ("md5", entry.md5)
        if expected is None:
            return None
        return None if hashlib.file_digest(content, name).hexdigest() == expected else "different"


def sha256_of(path: Path) -> str:
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _entry(root: Path, area: Area, path: str) -> FileEntry | None:
    try:
        facts = os.lstat(root / path)
        if stat.S_ISLNK(facts.st_mode):
            return FileEntry(area, path, FileKind.LINK, target=str((root / path).readlink()))
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(facts.st_mode):
        return None
    mode = stat.S_IMODE(facts.st_mode)
    return FileEntry(area, path, FileKind.FILE, facts.st_size, facts.st_mtime_ns, mode)
