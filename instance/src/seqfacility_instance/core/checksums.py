"""MD5 of files, read in large blocks; hashing lets other threads run."""

import hashlib
import os
from typing import Final

# From 1 MiB on the hash is the limit, not the calls.
_BLOCK_BYTES: Final = 1024 * 1024


def md5_of_descriptor(descriptor: int) -> str:
    """Compute the MD5 of an open file from its first byte on, as raw lower-case hex.

    The descriptor stays open, and its position where it was. Read and not mapped: a mapped file
    that somebody cuts short kills the process.

    Spec: instance, File operations (checksum).
    """
    digest = hashlib.md5(usedforsecurity=False)
    block = bytearray(_BLOCK_BYTES)
    view = memoryview(block)
    offset = 0
    while count := os.preadv(descriptor, [view], offset):
        digest.update(view[:count])
        offset += count
    return digest.hexdigest()
