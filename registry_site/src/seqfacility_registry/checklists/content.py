"""The checklists of one publication: the newest registry version with its illustrations."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from seqfacility_registry.answers import Answer, BrokenContent, read_document
from seqfacility_registry.checklists.editions import BrokenEdition, Edition, read_edition


class ChecklistContent:
    """The list answer and one answer for each checklist; both are whole copies. Decision: G237."""

    def __init__(self, edition: Edition | BrokenContent, images: Mapping[str, str]) -> None:
        self._edition = edition
        self._images = images
        self.all = Answer("checklists", "registry/mixs", lambda _base_url: self._list())
        accessions = (
            [] if isinstance(edition, BrokenContent) else [row["accession"] for row in edition.checklists]
        )
        self.by_accession = {accession: self._single(accession) for accession in accessions}

    def answers(self) -> Iterator[Answer]:
        """Return the list; the single ones depend on a query."""
        yield self.all

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
    try:
        edition = read_edition(folder)
        if not all(
            isinstance(row, dict) and isinstance(row.get("accession"), str) for row in edition.checklists
        ):
            edition = BrokenContent(
                f"checklists/versions/{edition.version}.json: a definition has no accession"
            )
    except BrokenEdition as broken:
        edition = BrokenContent(f"checklists/{broken}")
    return ChecklistContent(edition, _illustrations(folder / "illustrations.json"))


def _illustrations(path: Path) -> dict[str, str]:
    """Read the illustration map; a missing or broken one costs the images, not the checklists."""
    try:
        document = read_document(path)
    except BrokenContent:
        return {}
    return {accession: image for accession, image in document.items() if isinstance(image, str)}
