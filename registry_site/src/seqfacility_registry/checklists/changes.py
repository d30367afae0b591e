"""What each version of the checklist set changed, by checklist and field."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from seqfacility_registry.checklists.editions import Edition
from seqfacility_registry.checklists.fields import Checklist, ChecklistField

_CHECKLIST_PROPERTIES = ("name", "description", "checklistVersion", "source", "deprecated")
_FIELD_PROPERTIES = ("label", "type", "required", "level", "section", "pattern", "helpText", "example")
_FIELD_LISTS = ("units", "options")


def changes_between(editions: Sequence[Edition]) -> list[dict[str, Any]]:
    """Return every version, newest first; `editions` are oldest first, and the oldest has no changes."""
    found = [_edition(editions[0], [])] if editions else []
    found += [_edition(after, list(_changed(before, after))) for before, after in pairwise(editions)]
    return found[::-1]


def _edition(edition: Edition, checklists: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "version": edition.version,
        "publishedOn": edition.published_on,
        "sources": [{"name": source["name"], "release": source["release"]} for source in edition.sources],
        "checklists": checklists,
    }


def _changed(before: Edition, after: Edition) -> Iterator[dict[str, Any]]:
    earlier = {checklist["accession"]: checklist for checklist in before.checklists}
    later = {checklist["accession"]: checklist for checklist in after.checklists}
    for accession in sorted(earlier | later):
        was, now = earlier.get(accession), later.get(accession)
        if was is None or now is None:
            one = now or was
            assert one is not None
            yield _change(one, "added" if was is None else "removed")
        elif was != now:
            change = _comparison(was, now)
            if any(change[key] for key in ("properties", "added", "removed", "changed")):
                yield change


def _change(checklist: Checklist, kind: str) -> dict[str, Any]:
    return {
        "accession": checklist["accession"],
        "name": checklist["name"],
        "change": kind,
        "properties": [],
        "added": [],
        "removed": [],
        "changed": [],
    }


def _comparison(was: Checklist, now: Checklist) -> dict[str, Any]:
    earlier = {field["name"]: field for field in was["fields"]}
    later = {field["name"]: field for field in now["fields"]}
    changed = [
        {"name": name, "label": later[name]["label"], "properties": properties}
        for name in later
        if name in earlier and (properties := _field_changes(earlier[name], later[name]))
    ]
    return _change(now, "changed") | {
        "properties": list(_property_changes(was, now, _CHECKLIST_PROPERTIES)),
        "added": [field["label"] for name, field in later.items() if name not in earlier],
        "removed": [field["label"] for name, field in earlier.items() if name not in later],
        "changed": changed,
    }


def _field_changes(was: ChecklistField, now: ChecklistField) -> list[dict[str, Any]]:
    """Return the properties that differ; of a list only the removed and the added entries."""
    found = list(_property_changes(was, now, _FIELD_PROPERTIES))
    before: Mapping[str, Any] = was
    after: Mapping[str, Any] = now
    for name in _FIELD_LISTS:
        removed = [one for one in before[name] if one not in after[name]]
        added = [one for one in after[name] if one not in before[name]]
        if removed or added:
            found.append({"name": name, "before": removed, "after": added})
    return found


def _property_changes(
    was: Mapping[str, Any], now: Mapping[str, Any], names: Sequence[str]
) -> Iterator[dict[str, Any]]:
    for name in names:
        if was[name] != now[name]:
            yield {"name": name, "before": was[name], "after": now[name]}
