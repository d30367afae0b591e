"""Checksums of files, read in large blocks; hashing lets other threads run."""

import hashlib
import os
from dataclasses import dataclass
from typing import Final

# From 1 MiB on the hash is the limit, not the calls.
_BLOCK_BYTES: Final = 1024 * 1024


def crc32(block: bytes | bytearray | memoryview, before: int = 0) -> int:
    """Continue the CRC-32 `before` with a block, some fifteen times as fast as `zlib` does."""
    from isal import isal_zlib

    return isal_zlib.crc32(block, before)


@dataclass(frozen=True, slots=True)
class Digest:
    """What is computed of the whole content of a file: MD5 in lower-case hex, and CRC-32."""

    md5: str
    crc32: int


class Digesting:
    """Computes the `Digest` of blocks that come one after the other.

    The CRC-32 costs next to nothing beside the MD5, and saves an archive of the file another pass.
    """

    def __init__(self) -> None:
        self._md5 = hashlib.md5(usedforsecurity=False)
        self._crc32 = 0

    def update(self, block: bytes | bytearray | memoryview) -> None:
        self._md5.update(block)
        self._crc32 = crc32(block, self._crc32)

    def digest(self) -> Digest:
        return Digest(self._md5.hexdigest(), self._crc32)


def digest_of_descriptor(descriptor: int) -> Digest:
    """Compute the digest of an open file from its first byte on.

    The descriptor stays open, and its position where it was. Read and not mapped: a mapped file
    that somebody cuts short kills the process.

    Spec: instance, File operations (checksum).
    """
    digesting = Digesting()
    block = bytearray(_BLOCK_BYTES)
    view = memoryview(block)
    offset = 0
    while count := os.preadv(descriptor, [view], offset):
        digesting.update(view[:count])
        offset += count
    return digesting.digest()
