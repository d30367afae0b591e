"""What of an order is released to its owner, what is withheld, and why."""

import os
from dataclasses import dataclass
from pathlib import Path

from seqfacility_instance.core.data_folder import NotRegularFile, PathRefused, opened_file
from seqfacility_instance.core.vocabulary import ArtifactRole, ArtifactVisibility, DataClass, Mate
from seqfacility_instance.reads import adding, store
from seqfacility_instance.reads.rules import is_protected
from seqfacility_instance.tables import Order, Read, SequencingArtifact


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file of an active, cleaned read; `size` is that of the file on disk."""

    read_id: str
    sample_id: str
    sample_code: str
    mate: Mate
    path: str
    size: int
    checksum: str | None
    read_count: int | None
    data_class: DataClass


@dataclass(frozen=True, slots=True)
class ArtifactFile:
    """A file for the customer."""

    id: str
    name: str
    path: str
    size: int
    checksum: str | None
    artifact_type: ArtifactRole
    sample_id: str | None
    sample_code: str | None


@dataclass(frozen=True, slots=True)
class Contents:
    """What a delivery holds, and how much it leaves out."""

    read_files: tuple[ReadFile, ...] = ()
    artifact_files: tuple[ArtifactFile, ...] = ()
    protected_reads: int = 0
    internal_artifacts: int = 0
    missing_files: int = 0

    @property
    def is_empty(self) -> bool:
        """Whether nobody could download anything."""
        return not self.read_files and not self.artifact_files


def contents_of(order: Order, root: Path | None) -> Contents:
    """Collect what the owner of an order may download once it is published. Gap: G84, G85.

    A file that is not on disk is counted and not listed: every listed path can be downloaded.
    """
    active = [read for read in store.list_reads_of_order(order.id) if read.is_active]
    artifacts = store.list_artifacts_of_order(order.id)
    offered = [read for read in active if not is_protected(read.data_class)]
    for_customer = [artifact for artifact in artifacts if artifact.visibility is ArtifactVisibility.CUSTOMER]
    read_files = [_read_file(read, mate, path, root) for read in offered for mate, path in adding.mates(read)]
    artifact_files = [_artifact_file(artifact, root) for artifact in reversed(for_customer)]
    return Contents(
        tuple(file for file in read_files if file is not None),
        tuple(file for file in artifact_files if file is not None),
        len(active) - len(offered),
        len(artifacts) - len(for_customer),
        read_files.count(None) + artifact_files.count(None),
    )


def _read_file(read: Read, mate: Mate, path: str, root: Path | None) -> ReadFile | None:
    size = _size(root, path)
    if size is None:
        return None
    is_first = mate is Mate.R1
    return ReadFile(
        read_id=read.id,
        sample_id=read.sample_id,
        sample_code=read.sample.sample_code,
        mate=mate,
        path=path,
        size=size,
        checksum=read.checksum1 if is_first else read.checksum2,
        read_count=read.read_count1 if is_first else read.read_count2,
        data_class=read.data_class,
    )


def _artifact_file(artifact: SequencingArtifact, root: Path | None) -> ArtifactFile | None:
    size = _size(root, artifact.path)
    if size is None:
        return None
    return ArtifactFile(
        id=artifact.id,
        name=artifact.original_name,
        path=artifact.path,
        size=size,
        checksum=artifact.checksum,
        artifact_type=artifact.artifact_type,
        sample_id=artifact.sample_id,
        sample_code=None if artifact.sample is None else artifact.sample.sample_code,
    )


def _size(root: Path | None, path: str) -> int | None:
    if root is None:
        return None
    try:
        with opened_file(root, path) as file:
            return os.fstat(file).st_size
    except (PathRefused, NotRegularFile, OSError):
        return None
