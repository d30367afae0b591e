"""What the project adds to a publisher's release: sections, order, names, help texts and corrections.

The files stand in `content/checklists/curation/`; they are facts and sentences of our own, so a new
upstream release can be imported without losing them.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class PatternRule:
    """How answers of one upstream syntax are checked here; `field_type` is empty when it stays as it is."""

    field_type: str
    pattern: str | None
    keeps_units: bool


@dataclass(frozen=True, slots=True)
class ClassNames:
    """Our name and description of one publisher class; `short` is the part used in names of combinations."""

    name: str
    short: str
    description: str


@dataclass(frozen=True, slots=True)
class Curation:
    """Everything that an import needs besides the release itself."""

    section_order: tuple[str, ...]
    section_of: Mapping[str, str]
    publisher_sections: Mapping[str, str]
    slot_order: Mapping[str, int]
    taxon_slots: frozenset[str]
    by_syntax: Mapping[str, PatternRule]
    by_syntax_with_units: Mapping[str, PatternRule]
    by_slot: Mapping[str, PatternRule]
    help_texts: Mapping[str, str]
    classes: Mapping[str, ClassNames]
    combined_checklists: tuple[str, ...]


def read_curation(folder: Path) -> Curation:
    """Read the curation files of `folder`; a missing file or key is an error of whoever edited them."""
    sections = json.loads((folder / "sections.json").read_text("utf-8"))
    patterns = json.loads((folder / "patterns.json").read_text("utf-8"))
    classes = json.loads((folder / "classes.json").read_text("utf-8"))
    help_texts = json.loads((folder / "help.json").read_text("utf-8"))
    return Curation(
        section_order=tuple(section["label"] for section in sections["sections"]),
        section_of={slot: section["label"] for section in sections["sections"] for slot in section["slots"]},
        publisher_sections=sections["publisherSections"],
        slot_order={slot: place for place, slot in enumerate(sections["slotOrder"])},
        taxon_slots=frozenset(patterns["taxonSlots"]),
        by_syntax=_rules(patterns["syntaxes"], "syntax"),
        by_syntax_with_units=_rules(patterns["syntaxesWithUnits"], "syntax"),
        by_slot=_rules(patterns["slots"], "slot"),
        help_texts=help_texts["slots"],
        classes={name: ClassNames(**words) for name, words in classes["classes"].items()},
        combined_checklists=tuple(classes["combinedChecklists"]),
    )


def _rules(rows: list[dict[str, str | bool | None]], key: str) -> dict[str, PatternRule]:
    return {
        str(row[key]): PatternRule(
            field_type=str(row.get("type") or ""),
            pattern=None if row["pattern"] is None else str(row["pattern"]),
            keeps_units=row.get("units") is not False,
        )
        for row in rows
    }
