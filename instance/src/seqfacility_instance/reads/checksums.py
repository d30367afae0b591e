"""What becomes of a read when one of its files was hashed.

The functions stand inside the transaction of their caller.
"""

import re
from datetime import datetime

from seqfacility_instance.reads import store

_MD5 = re.compile(r"[0-9a-f]{32}")


def verified(stored: str | None, computed: str) -> bool | None:
    """Return whether a stored checksum agrees with the file; None when there is none to compare.

    Decision: G112.
    """
    return None if not stored else stored.strip().lower() == computed


def known_md5(checksum: str | None) -> str | None:
    """Read a checksum on record as MD5 in lower-case hex; None when it is none, or of another kind."""
    lowered = (checksum or "").strip().lower()
    return lowered if _MD5.fullmatch(lowered) else None


def write_checksum(path: str, computed: str, now: datetime) -> bool:
    """Write the MD5 of a file to every read that has it, superseded ones too; False when none has.

    Spec: instance, File operations (checksum). Decision: G125.
    """
    reads = store.list_reads_with_paths([path])
    for read in reads:
        values: dict[str, object] = {"updated_at": now}
        if read.file1 == path:
            values |= {"checksum1": computed, "checksum_verified1": verified(read.checksum1, computed)}
        if read.file2 == path:
            values |= {"checksum2": computed, "checksum_verified2": verified(read.checksum2, computed)}
        store.update_read(read.id, values)
    return bool(reads)
