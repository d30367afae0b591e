"""On which kind of file system a path lies, as the kernel lists its mounts."""

import os
import re
from pathlib import Path
from typing import Final

MOUNT_TABLE: Final = Path("/proc/self/mountinfo")

IN_MEMORY: Final = frozenset({"tmpfs", "ramfs"})
_HARMS_SQLITE: Final = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "sshfs", "lustre", "beegfs", "gpfs", "ceph", "glusterfs"}
)
SHARED: Final = _HARMS_SQLITE | {"9p"}
"""File systems that other machines write to as well.

A sandbox or a virtual machine of one user shows its own disk as 9p, where SQLite works: there nothing is
refused.
"""

_OCTAL: Final = re.compile(r"\\([0-7]{3})")


def file_system_of(path: Path) -> str | None:
    """Return the type of file system of a path, which need not exist; None when the kernel does not say.

    Of two mounts at one place the later covers the earlier. `fuse.` is left out.
    """
    try:
        lines = MOUNT_TABLE.read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return None
    place = Path(os.path.realpath(path))
    found: tuple[int, str | None] = (0, None)
    for line in lines:
        mount, _, source = line.partition(" - ")
        point = Path(_OCTAL.sub(lambda octal: chr(int(octal[1], 8)), mount.split(" ")[4]))
        if place.is_relative_to(point) and len(point.parts) >= found[0]:
            found = (len(point.parts), source.split(" ")[0].removeprefix("fuse."))
    return found[1]


def database_file_fault(address: str | Path) -> str | None:
    """Return why an SQLite database may not be on its file system; None when it may, or is PostgreSQL.

    Decision: G485.
    """
    kind = None if isinstance(address, str) else file_system_of(address)
    if kind not in _HARMS_SQLITE:
        return None
    return (
        f"the SQLite database {address} is on {kind}, where SQLite loses data;"
        " set SEQFACILITY_DATABASE_URL to PostgreSQL or to a file on a disk of this machine"
    )
