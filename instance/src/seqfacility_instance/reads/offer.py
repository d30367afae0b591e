"""What the database offers to the owner of an order, before anybody looks whether it is on disk."""

from dataclasses import dataclass
from pathlib import Path

from seqfacility_wire.file_names import plain_name, unique_path

from seqfacility_instance.core.vocabulary.sequencing import ArtifactVisibility, Mate
from seqfacility_instance.reads import adding, reports, store
from seqfacility_instance.reads.naming import NAMED_BY_SERVICE, delivered_name, sample_stems
from seqfacility_instance.reads.reports import Report
from seqfacility_instance.reads.rules import is_protected
from seqfacility_instance.tables.sequencing import Read, SequencingArtifact


@dataclass(frozen=True, slots=True)
class OfferedFile:
    """A file that the database offers to the owner of an order, whether it is on disk or not.

    It lies at `place` below `root`, without which it is nowhere. `path` is the stored one.
    """

    row: Read | SequencingArtifact | Report
    mate: Mate | None
    name: str
    path: str
    root: Path | None
    place: str

    @property
    def row_id(self) -> str:
        """The id of the read or artifact."""
        row_id: str = self.row.artifact.id if isinstance(self.row, Report) else self.row.id
        return row_id


@dataclass(frozen=True, slots=True)
class NamedFile:
    """Where a file lies, and what still has to offer it when it is sent."""

    path: str
    root: Path | None
    place: str
    report_id: str | None

    def is_offered(self, order_id: str) -> bool:
        """Return whether the owner of an order may still download this file, once the order is published."""
        if self.report_id is not None:
            report = reports.find(order_id, self.report_id)
            return report is not None and (report.folder, report.place) == (self.root, self.place)
        artifact = store.find_artifact_with_path(self.path)
        if artifact is not None and artifact.order_id == order_id:
            return artifact.visibility is ArtifactVisibility.CUSTOMER
        return any(
            read.order_id == order_id and read.is_active and not is_protected(read.data_class)
            for read in store.list_reads_with_path(self.path)
        )


@dataclass(frozen=True, slots=True)
class Offer:
    """The files that an order offers in the order of its delivery, and how many rows it does not."""

    files: tuple[OfferedFile, ...] = ()
    protected_reads: int = 0
    internal_artifacts: int = 0

    def plain_names(self) -> list[str]:
        """Return the name of each file in one folder, unique and the same for every tool.

        Names are ASCII without blanks: some tools write other characters in ways of their own. A file that is
        not on disk has its name, too: what another one is called does not depend on the disk.

        Decision: G528, G584.
        """
        taken: set[str] = set()
        return [unique_path("", plain_name(file.name), file.row_id, taken)[1:] for file in self.files]

    def by_plain_name(self) -> dict[str, NamedFile]:
        """Return where each file lies, and nothing else: it may be kept for some time."""
        return {
            name: NamedFile(
                file.path, file.root, file.place, file.row_id if isinstance(file.row, Report) else None
            )
            for name, file in zip(self.plain_names(), self.files, strict=True)
        }


def offer_of(order_id: str, root: Path | None) -> Offer:
    """Collect what the owner of an order may download once it is published, as the database has it.

    Decision: G84, G85.
    """
    active = [read for read in store.list_reads_of_order(order_id) if read.is_active]
    artifacts = store.list_artifacts_of_order(order_id)
    offered = [read for read in active if not is_protected(read.data_class)]
    for_customer = [artifact for artifact in artifacts if artifact.visibility is ArtifactVisibility.CUSTOMER]
    stems = sample_stems(store.list_aliases(order_id))
    return Offer(
        (
            *(
                _offered_read(read, mate, path, stems, root)
                for read in offered
                for mate, path in adding.mates(read)
            ),
            *(_offered_artifact(artifact, root) for artifact in reversed(for_customer)),
            *(_offered_report(report) for report in reports.list_of_order(order_id)),
        ),
        len(active) - len(offered),
        len(artifacts) - len(for_customer),
    )


def _offered_read(read: Read, mate: Mate, path: str, stems: dict[str, str], root: Path | None) -> OfferedFile:
    name = path.rpartition("/")[2]
    if read.source in NAMED_BY_SERVICE:
        name = delivered_name(stems[read.sample.sample_code], mate, read.data_class, path)
    return OfferedFile(read, mate, name, path, root, path)


def _offered_artifact(artifact: SequencingArtifact, root: Path | None) -> OfferedFile:
    path = artifact.path
    return OfferedFile(artifact, None, artifact.original_name, path, root, path)


def _offered_report(report: Report) -> OfferedFile:
    return OfferedFile(report, None, report.name, report.artifact.path, report.folder, report.place)
