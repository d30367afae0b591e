"""A checksum covers the whole file and leaves the descriptor alone."""

import hashlib
import os
import zlib
from pathlib import Path

import pytest
from seqfacility_instance.core.checksums import Digest, digest_of_descriptor

BLOCK = 1024 * 1024


def digest(content: bytes) -> Digest:
    return Digest(hashlib.md5(content, usedforsecurity=False).hexdigest(), zlib.crc32(content))


@pytest.mark.parametrize("size", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 7])
def test_the_digest_of_a_file_of_any_size_is_its_md5_and_crc(size: int, tmp_path: Path) -> None:
    content = os.urandom(size)
    (tmp_path / "file").write_bytes(content)

    with (tmp_path / "file").open("rb") as file:
        assert digest_of_descriptor(file.fileno()) == digest(content)


def test_the_position_of_the_descriptor_does_not_matter_and_does_not_move(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"0123456789")

    with (tmp_path / "file").open("rb", buffering=0) as file:
        file.seek(4)

        assert digest_of_descriptor(file.fileno()) == digest(b"0123456789")
        assert file.read() == b"456789"
