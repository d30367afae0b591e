"""What of an order is released to its owner, what is withheld and why, and what the facility should check."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from seqfacility_wire.file_names import unique_path

from seqfacility_instance.core.checksums import Digest
from seqfacility_instance.core.data_folder import NotRegularFile, PathRefused, opened_file
from seqfacility_instance.core.vocabulary.sequencing import (
    ArtifactRole,
    DataClass,
    DeliveryConcern,
    Mate,
)
from seqfacility_instance.reads import checksums, store
from seqfacility_instance.reads.intake import Intake
from seqfacility_instance.reads.offer import Offer, OfferedFile, offer_of
from seqfacility_instance.reads.reports import Report
from seqfacility_instance.reads.rules import is_fastq_name
from seqfacility_instance.reads.store import FileState
from seqfacility_instance.tables.orders import Order, Sample
from seqfacility_instance.tables.sequencing import Read, SequencingArtifact


@dataclass(frozen=True, slots=True)
class Content:
    """A file as it lies on disk, the checksum on record, and what the service computed of this content.

    The file lies at `place` below `root`. `path` is the stored one, by which digests are kept.
    """

    path: str
    root: Path
    place: str
    state: FileState
    checksum: str | None
    digest: Digest | None
    is_verified: bool | None
    """Whether the checksum on record is that of the file; None when nobody knows."""

    @property
    def md5(self) -> str | None:
        """The MD5: ours, else the one on record, unless that is none or known to be wrong. Decision: G430."""
        if self.digest is not None:
            return self.digest.md5
        return None if self.is_verified is False else checksums.known_md5(self.checksum)


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file of an active, cleaned read."""

    read_id: str
    sample: Sample
    mate: Mate
    name: str
    content: Content
    read_count: int | None
    data_class: DataClass
    intake: Intake | None


@dataclass(frozen=True, slots=True)
class ArtifactFile:
    """A file for the customer."""

    id: str
    name: str
    content: Content
    artifact_type: ArtifactRole
    sample: Sample | None


@dataclass(frozen=True, slots=True)
class ReportFile:
    """A report of a selected run. Decision: G490."""

    report: Report
    content: Content

    @property
    def name(self) -> str:
        return self.report.name

    @property
    def sample(self) -> Sample | None:
        """The sample that it is about, None for the whole run."""
        return self.report.artifact.sample


DeliveredFile = ReadFile | ArtifactFile | ReportFile


@dataclass(frozen=True, slots=True)
class DeliveryWarning:
    """What the facility should check before a file is delivered. Decision: G432."""

    file: DeliveredFile
    concern: DeliveryConcern


@dataclass(frozen=True, slots=True)
class ArchivedFile:
    """A file under its name in the archive and in the lists. Decision: G320."""

    name: str
    file: DeliveredFile


@dataclass(frozen=True, slots=True)
class Contents:
    """What a delivery holds, and how much it leaves out."""

    read_files: tuple[ReadFile, ...] = ()
    artifact_files: tuple[ArtifactFile, ...] = ()
    report_files: tuple[ReportFile, ...] = ()
    protected_reads: int = 0
    internal_artifacts: int = 0
    missing_files: int = 0
    offer: Offer = field(default_factory=Offer)

    @property
    def is_empty(self) -> bool:
        """Whether nobody could download anything."""
        return not self.is_publishable and not self.report_files

    @property
    def is_publishable(self) -> bool:
        """Whether there is what is delivered; reports go with it and are no delivery. Decision: G84."""
        return bool(self.read_files or self.artifact_files)

    def archived(self) -> list[ArchivedFile]:
        """Return every file with its name in the archive, unique on every file system. Decision: G506."""
        taken: set[str] = set()
        return [
            ArchivedFile(unique_path(folder, file.name, row_id, taken), file)
            for folder, row_id, file in self._in_folders()
        ]

    def in_one_folder(self) -> list[ArchivedFile]:
        """Return every file with its plain name. Decision: G528."""
        named = zip(self.offer.files, self.offer.plain_names(), strict=True)
        names = {(offered.row_id, offered.mate): name for offered, name in named}
        return [
            ArchivedFile(names[row_id, _mate(file)], file) for _folder, row_id, file in self._in_folders()
        ]

    def state(self) -> str:
        """Return a digest that changes with the bytes of the archive. Decision: G433."""
        return state_of(self.archived())

    def warnings(self) -> list[DeliveryWarning]:
        """List what is known to be wrong with the files, and what nobody has verified. Decision: G432."""
        return [
            DeliveryWarning(file, concern)
            for _folder, _row_id, file in self._in_folders()
            for concern in _concerns(file)
        ]

    def unexamined_reads(self) -> set[str]:
        """Return the reads with a file that has not been examined in its present state."""
        return {file.read_id for file in self.read_files if not _is_examined(file)}

    def unexamined_runs(self) -> set[str]:
        """Return the runs with a report without a digest of its present state."""
        return {file.report.run.id for file in self.report_files if not _is_examined(file)}

    def _in_folders(self) -> Iterator[tuple[str, str, DeliveredFile]]:
        for read_file in self.read_files:
            yield f"reads/{read_file.sample.sample_code}", read_file.read_id, read_file
        for artifact in self.artifact_files:
            sample_folder = artifact.sample.sample_code if artifact.sample else "_order"
            yield f"artifacts/{sample_folder}", artifact.id, artifact
        for report_file in self.report_files:
            sample, report = report_file.sample, report_file.report
            sample_folder = f"/{sample.sample_code}" if sample else ""
            yield f"reports/{report.run.run_number}{sample_folder}", report.artifact.id, report_file


def state_of(files: list[ArchivedFile]) -> str:
    """Return a digest that changes with the bytes of an archive of these files. Decision: G433."""
    listed = [
        [one.name, one.file.content.path, one.file.content.state.size, one.file.content.state.modified_ns]
        for one in files
    ]
    return hashlib.sha256(json.dumps(listed).encode()).hexdigest()[:32]


def contents_of(order: Order, root: Path | None) -> Contents:
    """Collect what of the offer of an order is on disk. Decision: G84, G85.

    A file that is not there is counted and not listed: every listed path can be downloaded.
    """
    offer = offer_of(order.id, root)
    disk = _Disk([file.path for file in offer.files])
    files = [file for offered in offer.files if (file := _file(disk, offered)) is not None]
    return Contents(
        tuple(file for file in files if isinstance(file, ReadFile)),
        tuple(file for file in files if isinstance(file, ArtifactFile)),
        tuple(file for file in files if isinstance(file, ReportFile)),
        offer.protected_reads,
        offer.internal_artifacts,
        len(offer.files) - len(files),
        offer,
    )


class _Disk:
    """The files of a delivery as they lie there, beside what was computed of them."""

    def __init__(self, paths: list[str]) -> None:
        self._digests = store.find_digests(paths)

    def content(self, offered: OfferedFile, checksum: str | None, is_verified: bool | None) -> Content | None:
        """Describe a file, None when it is not there; `is_verified` is what counts without a digest."""
        path, root, place = offered.path, offered.root, offered.place
        state = None if root is None else _state(root, place)
        if root is None or state is None:
            return None
        digest = None
        if path in self._digests:
            computed_of, digest = self._digests[path]
            if computed_of != state:
                return Content(path, root, place, state, checksum, None, None)
            is_verified = checksums.verified(checksum, digest.md5)
        return Content(path, root, place, state, checksum, digest, is_verified)


def _state(root: Path, place: str) -> FileState | None:
    try:
        with opened_file(root, place) as file:
            return store.state_of(file)
    except (PathRefused, NotRegularFile, OSError):
        return None


def _file(disk: _Disk, offered: OfferedFile) -> DeliveredFile | None:
    match offered.row:
        case Read() as read:
            return _read_file(disk, offered, read)
        case SequencingArtifact() as artifact:
            return _artifact_file(disk, offered, artifact)
        case report:
            content = disk.content(offered, report.artifact.checksum, None)
            return None if content is None else ReportFile(report, content)


def _read_file(disk: _Disk, offered: OfferedFile, read: Read) -> ReadFile | None:
    is_first = offered.mate is Mate.R1
    content = disk.content(
        offered,
        read.checksum1 if is_first else read.checksum2,
        read.checksum_verified1 if is_first else read.checksum_verified2,
    )
    if content is None:
        return None
    return ReadFile(
        read_id=read.id,
        sample=read.sample,
        mate=Mate.R1 if is_first else Mate.R2,
        name=offered.name,
        content=content,
        read_count=read.read_count1 if is_first else read.read_count2,
        data_class=read.data_class,
        intake=read.intake1 if is_first else read.intake2,
    )


def _artifact_file(disk: _Disk, offered: OfferedFile, artifact: SequencingArtifact) -> ArtifactFile | None:
    content = disk.content(offered, artifact.checksum, None)
    if content is None:
        return None
    return ArtifactFile(
        id=artifact.id,
        name=offered.name,
        content=content,
        artifact_type=artifact.artifact_type,
        sample=artifact.sample,
    )


def _mate(file: DeliveredFile) -> Mate | None:
    return file.mate if isinstance(file, ReadFile) else None


def _concerns(file: DeliveredFile) -> Iterator[DeliveryConcern]:
    content = file.content
    if content.is_verified is False:
        yield DeliveryConcern.CHECKSUM_DIFFERS
    if isinstance(file, ReadFile):
        found = file.intake or {}
        if found.get("gzipIntact") is False:
            yield DeliveryConcern.GZIP_DAMAGED
        if found.get("recordShape") is False:
            yield DeliveryConcern.RECORDS_MALFORMED
        if found.get("matesInStep") is False:
            yield DeliveryConcern.MATES_OUT_OF_STEP
    if not _is_examined(file):
        yield DeliveryConcern.NOT_VERIFIED
    if content.md5 is None:
        yield DeliveryConcern.NO_MD5


def _is_examined(file: DeliveredFile) -> bool:
    awaits_intake = isinstance(file, ReadFile) and file.intake is None and is_fastq_name(file.content.path)
    return file.content.digest is not None and not awaits_intake
