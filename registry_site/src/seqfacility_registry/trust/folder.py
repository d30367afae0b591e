"""The folder `trust/` of a content: metadata by role and version, documents by digest.

Decision: G900, G903.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, cast

from seqfacility_pipeline_package.trust_files import (
    DOCUMENTS,
    ROOT,
    SNAPSHOT,
    TARGETS,
    TIMESTAMP,
    metadata_file,
    role_and_version,
)
from tuf.api.exceptions import RepositoryError
from tuf.api.metadata import Metadata, Root, Snapshot, Targets, Timestamp
from tuf.api.serialization import DeserializationError

from seqfacility_registry.trust.errors import TrustRefused

AnyMetadata: TypeAlias = Metadata[Any]


@dataclass(frozen=True, slots=True)
class TrustFolder:
    """Reads and writes metadata; every file is written beside its place and renamed."""

    path: Path

    @property
    def exists(self) -> bool:
        return self.path.is_dir()

    def versions(self, role: str) -> list[int]:
        """Return the versions of a role that are there, lowest first."""
        names = (role_and_version(path.name) for path in self.path.glob(f"{role}.*.json"))
        return sorted(found[1] for found in names if found is not None and found[0] == role)

    def find(self, role: str, version: int | None) -> AnyMetadata | None:
        """Read a metadata file, None when there is none; raises `TrustRefused` when it is something else."""
        name = metadata_file(role, version)
        try:
            content = (self.path / name).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as unreadable:
            raise TrustRefused(f"trust/{name} cannot be read: {unreadable.strerror}") from unreadable
        return read_metadata(content, role, version, f"trust/{name}")

    def content(self, role: str, version: int) -> bytes:
        """Return the bytes of a metadata file that is there."""
        return (self.path / metadata_file(role, version)).read_bytes()

    def root(self, version: int) -> Metadata[Root] | None:
        return cast("Metadata[Root] | None", self.find(ROOT, version))

    def snapshot(self, version: int) -> Metadata[Snapshot] | None:
        return cast("Metadata[Snapshot] | None", self.find(SNAPSHOT, version))

    def targets(self, version: int, role: str = TARGETS) -> Metadata[Targets] | None:
        return cast("Metadata[Targets] | None", self.find(role, version))

    def timestamp(self) -> Metadata[Timestamp] | None:
        return cast("Metadata[Timestamp] | None", self.find(TIMESTAMP, None))

    def write(self, role: str, version: int | None, metadata: AnyMetadata) -> Path:
        """Write a metadata file, signatures in the order of their keys; return its path."""
        ordered = sorted(metadata.signatures.items())
        metadata.signatures.clear()
        metadata.signatures.update(ordered)
        return self._write(metadata_file(role, version), metadata.to_bytes() + b"\n")

    def document(self, name: str) -> bytes | None:
        """Read a document by its digest, None when there is none."""
        try:
            return (self.path / DOCUMENTS / name).read_bytes()
        except FileNotFoundError:
            return None

    def write_document(self, name: str, content: bytes) -> None:
        if self.document(name) != content:
            self._write(f"{DOCUMENTS}/{name}", content)

    def files(self) -> Iterator[Path]:
        """Yield every file of the folder."""
        for folder in (self.path, self.path / DOCUMENTS):
            yield from (path for path in sorted(folder.glob("*")) if path.is_file())

    def _write(self, name: str, content: bytes) -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
        return path


def trust_folder(content: Path) -> TrustFolder:
    return TrustFolder(content / "trust")


def read_metadata(content: bytes, role: str, version: int | None, where: str) -> AnyMetadata:
    """Parse a metadata file; raises `TrustRefused` when it is of another role or version than its name."""
    kind = role if role in {ROOT, SNAPSHOT, TIMESTAMP} else TARGETS
    try:
        metadata: AnyMetadata = Metadata.from_bytes(content)
    except (DeserializationError, RepositoryError) as broken:
        raise TrustRefused(f"{where} is no signed metadata") from broken
    if metadata.signed.type != kind or version not in {None, metadata.signed.version}:
        raise TrustRefused(f"{where} is {metadata.signed.type} {metadata.signed.version}")
    return metadata
