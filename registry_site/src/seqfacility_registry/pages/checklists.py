"""What the pages of checklists show: fields by section, and what each version of the registry changed."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

WORDS: Final = {
    "checklistVersion": "version",
    "helpText": "meaning",
    "required": "mandatory",
    "type": "kind of answer",
}
"""Properties as the pages call them, where their name in the document is another one."""


def page_name(accession: str) -> str:
    """Return the last part of a checklist's address; many tools take a colon for the end of a scheme."""
    return accession.replace(":", "-")


def sections_of(checklist: Mapping[str, Any]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return the fields by section, both in the order of the form."""
    found: dict[str, list[dict[str, Any]]] = {}
    for field in sorted(checklist["fields"], key=lambda field: field["order"]):
        found.setdefault(field["section"], []).append(field)
    return list(found.items())


def changes_of(document: Mapping[str, Any] | None, accession: str) -> Sequence[Mapping[str, Any]]:
    """Return what became of a checklist, newest version first; nothing where a registry does not say it."""
    editions = [] if document is None else document["editions"]
    return [
        {"version": edition["version"], "publishedOn": edition["publishedOn"], **row}
        for edition in editions
        for row in edition["checklists"]
        if row["accession"] == accession
    ]
