"""What each version of the checklist set changed, checklist by checklist and field by field."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from seqfacility_registry.checklists.editions import Edition
from seqfacility_registry.checklists.fields import Checklist, ChecklistField

_OF_CHECKLIST = ("name", "description", "checklistVersion", "source", "deprecated")
_OF_FIELD = ("label", "type", "required", "level", "section", "pattern", "helpText", "example")
_LISTS = ("units", "options")


def changes_between(editions: Sequence[Edition]) -> list[dict[str, Any]]:
    """Return every version, newest first; `editions` are oldest first, and the oldest has changed nothing."""
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
            yield _row(one, "added" if was is None else "removed")
        elif was != now:
            row = _compared(was, now)
            if any(row[key] for key in ("properties", "added", "removed", "changed")):
                yield row


def _row(checklist: Checklist, change: str) -> dict[str, Any]:
    return {
        "accession": checklist["accession"],
        "name": checklist["name"],
        "change": change,
        "properties": [],
        "added": [],
        "removed": [],
        "changed": [],
    }


def _compared(was: Checklist, now: Checklist) -> dict[str, Any]:
    earlier = {field["name"]: field for field in was["fields"]}
    later = {field["name"]: field for field in now["fields"]}
    changed = [
        {"name": name, "label": later[name]["label"], "properties": properties}
        for name in later
        if name in earlier and (properties := _of_field(earlier[name], later[name]))
    ]
    return _row(now, "changed") | {
        "properties": list(_properties(was, now, _OF_CHECKLIST)),
        "added": [field["label"] for name, field in later.items() if name not in earlier],
        "removed": [field["label"] for name, field in earlier.items() if name not in later],
        "changed": changed,
    }


def _of_field(was: ChecklistField, now: ChecklistField) -> list[dict[str, Any]]:
    """Return what differs; of a list only what left it and what came to it."""
    found = list(_properties(was, now, _OF_FIELD))
    before: Mapping[str, Any] = was
    after: Mapping[str, Any] = now
    for name in _LISTS:
        gone = [one for one in before[name] if one not in after[name]]
        come = [one for one in after[name] if one not in before[name]]
        if gone or come:
            found.append({"name": name, "before": gone, "after": come})
    return found


def _properties(
    was: Mapping[str, Any], now: Mapping[str, Any], names: Sequence[str]
) -> Iterator[dict[str, Any]]:
    for name in names:
        if was[name] != now[name]:
            yield {"name": name, "before": was[name], "after": now[name]}
