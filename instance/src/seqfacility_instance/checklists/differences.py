"""Differences between a registry's set of checklists and the active one, down to the properties of a term."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from seqfacility_instance.checklists.definition import Checklist, ChecklistField

_OWN_KEYS: Final = ("name", "description", "checklistVersion", "source", "deprecated")
"""Compared properties of a checklist. Its image is not: the address is relative there and absolute here."""
_NOT_COMPARED: Final = frozenset({"name", "order"})
"""Properties of a term that are not compared: its key, and its position, which moves with its neighbours."""


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A changed property of a term, or of the checklist itself when `field` is None. Decision: G1042."""

    field: str | None
    key: str
    before: object
    after: object


@dataclass(frozen=True, slots=True)
class ChecklistChange:
    """Changes of one checklist against the active version, by field name. Decision: G70, G1042."""

    accession: str
    new_fields: tuple[str, ...]
    removed_fields: tuple[str, ...]
    newly_required: tuple[str, ...]
    values: tuple[ValueChange, ...]
    labels: Mapping[str, str]
    """The latest label of each field that is mentioned."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What an update would bring, by accession. Decision: G70, G1042."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[ChecklistChange, ...]
    names: Mapping[str, str]


def difference(
    current: Sequence[Checklist], remote: Sequence[Checklist], skipped: Collection[str] = ()
) -> Difference:
    """Return what a remote set would add, remove and change; checklists deprecated here count as removed.

    `skipped` are accessions that the remote set has in an invalid form: they do not count as removed.

    Decision: G70, G443, G1042.
    """
    here = {checklist.accession: checklist for checklist in current}
    there = {checklist.accession: checklist for checklist in remote}
    changes = [_change(here[accession], there[accession]) for accession in sorted(here.keys() & there.keys())]
    added = tuple(sorted(there.keys() - here.keys()))
    removed = tuple(
        sorted(name for name in here.keys() - there.keys() - set(skipped) if not here[name].deprecated)
    )
    changed = tuple(change for change in changes if change is not None)
    mentioned = [*added, *removed, *(change.accession for change in changed)]
    return Difference(added, removed, changed, {name: (here | there)[name].name for name in mentioned})


def _change(before: Checklist, after: Checklist) -> ChecklistChange | None:
    old = {field.name: field for field in before.fields}
    new = {field.name: field for field in after.fields}
    added = tuple(name for name in new if name not in old)
    removed = tuple(name for name in old if name not in new)
    needed = tuple(name for name in new if new[name].required and not (name in old and old[name].required))
    values = (
        *_checklist_changes(before, after),
        *(change for name in new if name in old for change in _field_changes(old[name], new[name])),
    )
    mentioned = {*added, *removed, *needed, *(change.field for change in values)}
    labels = {name: field.label for name, field in (old | new).items() if name in mentioned}
    if not (added or removed or needed or values):
        return None
    return ChecklistChange(after.accession, added, removed, needed, values, labels)


def _checklist_changes(before: Checklist, after: Checklist) -> Iterable[ValueChange]:
    old, new = (one.model_dump(mode="json", by_alias=True, exclude={"fields"}) for one in (before, after))
    return (ValueChange(None, key, old[key], new[key]) for key in _OWN_KEYS if old[key] != new[key])


def _field_changes(before: ChecklistField, after: ChecklistField) -> Iterable[ValueChange]:
    """Compare one term, except for becoming required, which `newly_required` reports."""
    old, new = before.document(), after.document()
    for key in old:
        is_excluded = key in _NOT_COMPARED or (key == "required" and after.required)
        if old[key] != new[key] and not is_excluded:
            yield ValueChange(after.name, key, old[key], new[key])
