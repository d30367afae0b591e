"""Values of the checklist pages: fields by section, and the changes of each version of the set."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

PROPERTY_LABELS: Final = {
    "checklistVersion": "version",
    "helpText": "meaning",
    "required": "mandatory",
    "type": "kind of answer",
}
"""Labels of properties whose name in the document says little to a reader."""


def page_name(accession: str) -> str:
    """Return the path segment of a checklist's page, without the colon that many tools take for a scheme."""
    return accession.replace(":", "-")


def sections_of(checklist: Mapping[str, Any]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Group the fields by section, both in the order of the form."""
    found: dict[str, list[dict[str, Any]]] = {}
    for field in sorted(checklist["fields"], key=lambda field: field["order"]):
        found.setdefault(field["section"], []).append(field)
    return list(found.items())


def changes_of(document: Mapping[str, Any] | None, accession: str) -> Sequence[Mapping[str, Any]]:
    """Return the changes of one checklist, newest version first; none when the registry has no history."""
    editions = [] if document is None else document["editions"]
    return [
        {"version": edition["version"], "publishedOn": edition["publishedOn"], **row}
        for edition in editions
        for row in edition["checklists"]
        if row["accession"] == accession
    ]
