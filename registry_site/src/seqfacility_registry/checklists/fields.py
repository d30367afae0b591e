"""A checklist and its fields as they are published, and the answers that a field allows."""

import re
from typing import TypedDict


class ChecklistField(TypedDict):
    """A field as it is published. Decision: G64."""

    name: str
    label: str
    type: str
    required: bool
    level: str
    section: str
    units: list[str]
    options: list[str]
    pattern: str | None
    helpText: str | None
    example: str | None
    order: int


class Checklist(TypedDict):
    """A checklist as it is published, without the illustration. Decision: G237."""

    accession: str
    name: str
    description: str
    checklistVersion: str | None
    source: str | None
    deprecated: bool
    fieldCount: int
    mandatoryCount: int
    fields: list[ChecklistField]


def accepts(field: ChecklistField, answer: str) -> bool:
    """Return whether `answer`, as text, is one that the field allows. Decision: G64."""
    if field["type"] == "select":
        return answer in field["options"]
    if field["type"] == "date":
        return re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", answer) is not None
    if field["type"] == "number" and not re.fullmatch(r"[-+]?[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?", answer):
        return False
    return field["pattern"] is None or re.fullmatch(field["pattern"], answer) is not None
