"""Which directory may be watched, and which two of them are in each other's way."""

import os
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from stat import S_ISDIR

from seqfacility_instance.streams.errors import (
    IngestDisabled,
    OutputDirMissing,
    OutputDirNotAbsolute,
    OutputDirNotADirectory,
    OutputDirOutside,
    OutputDirRequired,
    OutputRootNotConfigured,
)


@dataclass(frozen=True, slots=True)
class WatchedDirectory:
    """A directory with every link resolved; `identity` is `<st_dev>:<st_ino>`."""

    path: str
    identity: str


def directory_to_watch(claimed: object, root: str | None, *, is_enabled: bool) -> WatchedDirectory:
    """Resolve `outputDir` and check it against the sequencer output root, in the order of G209.

    Only names and types are examined, nothing is read.

    Spec: instance, Live stream ingest, POST. Decision: G47, G209.
    """
    if not isinstance(claimed, str) or not claimed.strip():
        raise OutputDirRequired
    if not is_enabled:
        raise IngestDisabled
    if root is None:
        raise OutputRootNotConfigured
    wanted = claimed.strip()
    if not wanted.startswith("/"):
        raise OutputDirNotAbsolute
    try:
        resolved = os.path.realpath(wanted, strict=True)
        facts = Path(resolved).stat()
    except (OSError, ValueError) as missing:
        raise OutputDirMissing from missing
    try:
        base = os.path.realpath(root, strict=True)
    except (OSError, ValueError) as missing:
        raise OutputDirOutside from missing
    if not is_same_or_beneath(resolved, base):
        raise OutputDirOutside
    if not S_ISDIR(facts.st_mode):
        raise OutputDirNotADirectory
    return WatchedDirectory(resolved, identity_text(facts))


def identity_text(facts: os.stat_result) -> str:
    """Write which directory this is, whatever it is called."""
    return f"{facts.st_dev}:{facts.st_ino}"


def is_same_or_beneath(path: str, base: str) -> bool:
    return PurePosixPath(path).is_relative_to(base)


def are_in_conflict(wanted: WatchedDirectory, path: str, identity: str | None) -> bool:
    """Return whether two watched directories share files: the same one, or one inside the other.

    Decision: G209.
    """
    return (
        wanted.identity == identity
        or is_same_or_beneath(wanted.path, path)
        or is_same_or_beneath(path, wanted.path)
    )
