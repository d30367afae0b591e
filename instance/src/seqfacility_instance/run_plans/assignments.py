"""Decisions on a save of the places in a run: which sample, which barcode, what stays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from seqfacility_instance.core import limits
from seqfacility_instance.core.barcodes import normalised_barcode


class AssignmentPatch(Protocol):
    """What a caller says of one place."""

    @property
    def barcode(self) -> str | None:
        """A barcode in any spelling; empty frees the place of one."""

    @property
    def custom_fields(self) -> dict[str, object] | None:
        """Values by name; None removes one."""

    @property
    def notes(self) -> str | None:
        """A note; empty removes it."""


@dataclass(frozen=True, slots=True)
class Place:
    """What is, or will be, stored of a place."""

    barcode: str | None = None
    custom_fields: Mapping[str, object] | None = None
    notes: str | None = None


def place_after(before: Place, change: AssignmentPatch) -> Place:
    """Return the stored place with the changes of a patch; a missing key stays. Decision: G9, G89."""
    fields = {**(before.custom_fields or {}), **(change.custom_fields or {})}
    return Place(
        before.barcode if change.barcode is None else normalised_barcode(change.barcode),
        {name: value for name, value in fields.items() if value is not None},
        before.notes if change.notes is None else change.notes or None,
    )


def naming_problems(references: Sequence[str], found: Mapping[str, str]) -> list[str]:
    """Return which samples are unknown or named twice; `found` gives the id of each known name.

    Decision: G4, G89.
    """
    problems = []
    first_use: dict[str, int] = {}
    for position, reference in enumerate(references):
        sample_id = found.get(reference)
        if sample_id is None:
            problems.append(f"assignments[{position}].sampleId: not a sample of this order")
        elif first_use.setdefault(sample_id, position) != position:
            first = first_use[sample_id]
            problems.append(f"assignments[{position}].sampleId: is already in assignments[{first}]")
    return problems


def barcode_problems(places: Sequence[Place], staying: Mapping[str, str]) -> list[str]:
    """Return which barcodes would be used twice; `staying` are those of other places. Decision: G89."""
    problems = []
    first_use: dict[str, int] = {}
    for position, place in enumerate(places):
        if place.barcode is None:
            continue
        first = first_use.setdefault(place.barcode, position)
        if place.barcode in staying:
            problems.append(f"assignments[{position}].barcode: is already used in this run")
        elif first != position:
            problems.append(f"assignments[{position}].barcode: is already in assignments[{first}]")
    return problems


def size_problems(places: Sequence[Place]) -> list[str]:
    """Return which places hold more custom fields than a record may. Decision: G58."""
    maximum = limits.CUSTOM_FIELD_KEYS_MAX
    return [
        f"assignments[{position}].customFields: must have at most {maximum} keys"
        for position, place in enumerate(places)
        if len(place.custom_fields or {}) > maximum
    ]
