"""A MIxS release in LinkML YAML, read into terms and classes.

Only the part of LinkML that the standard uses is understood: slots, classes with `is_a`, `mixins` and
`slot_usage`, enums, settings and structured patterns.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from seqfacility_registry_tools.checklists.fields import Term

_GROUPING_CLASSES = ("Checklist", "Extension")
# Named parts may contain named parts; a release with a cycle must not hang the import.
_MAX_NESTED_SETTINGS = 10


@dataclass(frozen=True, slots=True)
class ReleaseClass:
    """One checklist, extension or combination: its levels by slot, in the publisher's order.

    `parts` are the classes that a combination is made of; empty otherwise.
    """

    name: str
    identifier: str
    title: str
    kind: str
    levels: Mapping[str, str]
    parts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Release:
    """A whole release of the standard."""

    terms: Mapping[str, Term]
    classes: Mapping[str, ReleaseClass]


class UnreadableRelease(Exception):
    """The file is not a LinkML schema that can be imported."""


def read_release(text: str) -> Release:
    """Read the schema. Raises `UnreadableRelease` when it is no LinkML document with slots and classes."""
    try:
        schema = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise UnreadableRelease(f"not YAML: {error}") from error
    if not isinstance(schema, dict) or not _mapping(schema, "slots") or not _mapping(schema, "classes"):
        raise UnreadableRelease("not a LinkML schema: slots and classes are missing")
    slots, classes = _mapping(schema, "slots"), _mapping(schema, "classes")
    settings = {name: _setting(value) for name, value in _mapping(schema, "settings").items()}
    enums = _mapping(schema, "enums")
    return Release(
        terms={name: _term(name, slot or {}, enums, settings) for name, slot in slots.items()},
        classes={found.name: found for found in _read_classes(classes, slots)},
    )


def stronger(one: str, other: str) -> str:
    """Of two levels the stronger one: mandatory, then recommended, then optional."""
    ranks = ("mandatory", "recommended", "optional")
    return min(one, other, key=ranks.index)


def _read_classes(classes: Mapping[str, Any], slots: Mapping[str, Any]) -> Iterator[ReleaseClass]:
    for name, body in classes.items():
        kind = _kind(name, classes)
        parts = (body["is_a"], *body["mixins"]) if kind == "combination" else ()
        if kind:
            yield ReleaseClass(
                name=name,
                identifier=str((body or {}).get("class_uri") or f"MIXS:{name}"),
                title=str((body or {}).get("title") or name),
                kind=kind,
                levels=_levels(name, classes, slots, ()),
                parts=parts,
            )


def _kind(name: str, classes: Mapping[str, Any]) -> str | None:
    body = classes.get(name) or {}
    parent = body.get("is_a")
    if parent in _GROUPING_CLASSES:
        return str(parent).lower()
    if isinstance(parent, str) and body.get("mixins") and _kind(parent, classes):
        return "combination"
    return None


def _levels(
    name: str, classes: Mapping[str, Any], slots: Mapping[str, Any], seen: tuple[str, ...]
) -> dict[str, str]:
    """Collect the slots of a class and of everything it inherits from, each with its strongest level."""
    if name in seen:
        raise UnreadableRelease(f"class {name} inherits from itself")
    body = classes.get(name) or {}
    levels: dict[str, str] = {}
    for parent in [*body.get("mixins", []), *([body["is_a"]] if body.get("is_a") else [])]:
        for slot, level in _levels(parent, classes, slots, (*seen, name)).items():
            levels[slot] = stronger(level, levels.get(slot, level))
    usage = _mapping(body, "slot_usage")
    for slot in [*body.get("slots", []), *usage]:
        if slot not in slots:
            raise UnreadableRelease(f"class {name} uses the unknown slot {slot}")
        changes = usage.get(slot) or {}
        own = _level({**(slots[slot] or {}), **changes})
        says_level = "required" in changes or "recommended" in changes
        levels[slot] = own if says_level else stronger(own, levels.get(slot, own))
    return levels


def _level(slot: Mapping[str, Any]) -> str:
    if slot.get("required") is True:
        return "mandatory"
    return "recommended" if slot.get("recommended") is True else "optional"


def _term(name: str, slot: Mapping[str, Any], enums: Mapping[str, Any], settings: Mapping[str, str]) -> Term:
    value_type = str(slot.get("range") or "string")
    permitted = _mapping(enums.get(value_type) or {}, "permissible_values")
    structured = slot.get("structured_pattern") or {}
    syntax = str(structured.get("syntax") or slot.get("pattern") or "")
    return Term(
        slot=name,
        identifier=str(slot.get("slot_uri") or name),
        title=str(slot.get("title") or name.replace("_", " ")),
        value_type="enum" if value_type in enums else value_type,
        options=tuple(str(value) for value in permitted),
        units=_units(slot),
        syntax=syntax,
        regex=_expanded(syntax, settings) if structured else syntax,
        section=_section(slot),
        example=_example(slot),
        deprecated=bool(slot.get("deprecated")),
    )


def _units(slot: Mapping[str, Any]) -> tuple[str, ...]:
    annotation = _mapping(slot, "annotations").get("Preferred_unit")
    value = annotation.get("value") if isinstance(annotation, dict) else annotation
    # A separator inside brackets belongs to the unit: "cells per gram (or ml|cm^2)".
    parts = [part.strip() for part in re.split(r"[,|;](?![^(]*\))", str(value or ""))]
    return tuple(dict.fromkeys(part for part in parts if part))


def _section(slot: Mapping[str, Any]) -> str:
    subsets = slot.get("in_subset") or []
    return str(subsets[0]) if subsets else str(slot.get("is_a") or "").removesuffix(" field")


def _example(slot: Mapping[str, Any]) -> str:
    examples = slot.get("examples") or []
    first = examples[0] if examples else {}
    return str(first.get("value") or "") if isinstance(first, dict) else ""


def _setting(value: object) -> str:
    return str(value.get("setting_value") or "") if isinstance(value, dict) else str(value)


def _expanded(syntax: str, settings: Mapping[str, str]) -> str:
    """Put the named parts in; a name without a setting stays as written and makes the pattern unusable."""
    text = syntax
    for _ in range(_MAX_NESTED_SETTINGS):
        replaced = re.sub(r"\{(\w*[A-Za-z]\w*)\}", lambda m: settings.get(m.group(1), m.group(0)), text)
        if replaced == text:
            break
        text = replaced
    return text


def _mapping(parent: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = parent.get(key)
    return value if isinstance(value, dict) else {}
