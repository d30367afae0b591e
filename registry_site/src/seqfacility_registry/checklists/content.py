"""The checklists of one publication: the newest registry version with its illustrations."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from seqfacility_registry.answers import Answer, BrokenContent, read_document
from seqfacility_registry.checklists.changes import changes_between
from seqfacility_registry.checklists.editions import BrokenEdition, Edition, edition_numbers, read_edition
from seqfacility_registry.checklists.fields import Checklist


class ChecklistContent:
    """The list answer and one answer for each checklist; both are whole copies. Decision: G237."""

    def __init__(
        self,
        edition: Edition | BrokenContent,
        images: Mapping[str, str],
        history: Sequence[Edition] | BrokenContent,
    ) -> None:
        self._edition = edition
        self._images = images
        self.changes = Answer("checklists", "registry/mixs-changes", lambda _base_url: _changes(history))
        self.all = Answer("checklists", "registry/mixs", lambda _base_url: self._list())
        accessions = (
            [] if isinstance(edition, BrokenContent) else [row["accession"] for row in edition.checklists]
        )
        self.by_accession = {accession: self._single(accession) for accession in accessions}

    def answers(self) -> Iterator[Answer]:
        """Return the list and its history; the single ones depend on a query."""
        yield self.all
        yield self.changes

    @property
    def is_broken(self) -> bool:
        """Return whether no version can be read at all: then no accession is known to be unknown."""
        return isinstance(self._edition, BrokenContent)

    def _single(self, accession: str) -> Answer:
        return Answer(
            f"checklists/{accession}", "registry/mixs-checklist", lambda _base_url: self._one(accession)
        )

    def _list(self) -> dict[str, object]:
        edition = self._readable()
        rows = sorted(edition.checklists, key=lambda row: row["accession"])
        return {
            "version": edition.version,
            "checklists": [self._with_image(row["accession"], row) for row in rows],
        }

    def _one(self, accession: str) -> dict[str, object]:
        edition = self._readable()
        checklist = next(row for row in edition.checklists if row["accession"] == accession)
        return {"version": edition.version, "checklist": self._with_image(accession, checklist)}

    def _with_image(self, accession: str, checklist: Mapping[str, object]) -> dict[str, object]:
        image = self._images.get(accession)
        return {**checklist} if image is None else {**checklist, "image": image}

    def _readable(self) -> Edition:
        if isinstance(self._edition, BrokenContent):
            raise self._edition
        return self._edition


def read_checklists(folder: Path) -> ChecklistContent:
    """Read the newest registry version below `folder`; a broken one is kept as broken.

    Decision: G232, G237.
    """
    edition: Edition | BrokenContent
    known: dict[str, Checklist] = {}
    try:
        edition = read_edition(folder, known=known)
        if not all(
            isinstance(row, dict) and isinstance(row.get("accession"), str) for row in edition.checklists
        ):
            edition = BrokenContent(
                f"checklists/versions/{edition.version}.json: a definition has no accession"
            )
    except BrokenEdition as broken:
        edition = BrokenContent(f"checklists/{broken}")
    history = _history(folder, known)
    return ChecklistContent(edition, _illustrations(folder / "illustrations.json"), history)


def _history(folder: Path, known: dict[str, Checklist]) -> Sequence[Edition] | BrokenContent:
    try:
        return [read_edition(folder, number, known) for number in edition_numbers(folder)]
    except BrokenEdition as broken:
        return BrokenContent(f"checklists/{broken}")


def _changes(history: Sequence[Edition] | BrokenContent) -> dict[str, object]:
    """Return the history of the set; raises `BrokenContent` when no version can be read. Decision: G1004."""
    if isinstance(history, BrokenContent):
        raise history
    if not history:
        raise BrokenContent("checklists/versions: no version")
    try:
        return {"version": history[-1].version, "editions": changes_between(history)}
    except (KeyError, TypeError) as broken:
        raise BrokenContent(f"checklists: a definition cannot be compared: {broken}") from broken


def _illustrations(path: Path) -> dict[str, str]:
    """Read the illustration map; a missing or broken one costs the images, not the checklists."""
    try:
        document = read_document(path)
    except BrokenContent:
        return {}
    return {accession: image for accession, image in document.items() if isinstance(image, str)}
