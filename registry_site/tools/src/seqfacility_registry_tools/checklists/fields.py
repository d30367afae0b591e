"""One field of a checklist, made from a term of the standard and the project's curation."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from seqfacility_registry.checklists.fields import Checklist, ChecklistField, accepts
from seqfacility_schemas.checklist_rules import LONGEST_PATTERN

from seqfacility_registry_tools.checklists.curation import Curation, PatternRule

LEVELS = ("mandatory", "recommended", "optional")
_TERM_ADDRESS = "https://w3id.org/mixs/"
_NUMBER_TYPES = ("integer", "float", "decimal", "double")
_DATE_TYPES = ("datetime", "date")


@dataclass(frozen=True, slots=True)
class Term:
    """What a release says about one slot.

    `value_type` is `enum` or the name of a LinkML type; `syntax` the structured pattern as written, or
    the bare pattern; `regex` the same with every named part put in.
    """

    slot: str
    identifier: str
    title: str
    value_type: str
    options: tuple[str, ...]
    units: tuple[str, ...]
    syntax: str
    regex: str
    section: str
    example: str
    deprecated: bool = False


def field_of(term: Term, level: str, order: int, curation: Curation) -> ChecklistField:
    """Make the published field of `term` at `level`.

    Of the publisher's example the part that belongs in the answer is kept: the number without its
    unit, the day without its hour. One that the field would refuse is left out. Decision: G64.
    """
    rule = _rule_of(term, curation)
    field_type = _type_of(term, rule, curation)
    field: ChecklistField = {
        "name": term.slot,
        "label": term.title,
        "type": field_type,
        "required": level == "mandatory",
        "level": level,
        "section": _section_of(term, curation),
        "units": list(term.units) if rule.keeps_units else [],
        "options": list(_options_of(term)),
        "pattern": None if field_type in ("select", "date") else rule.pattern,
        "helpText": curation.help_texts.get(term.slot) or _term_address(term.identifier),
        "example": None,
        "order": order,
    }
    example = _answer_part(term.example, field_type)
    if example and accepts(field, example):
        field["example"] = example
    return field


def checklist_of(
    *,
    accession: str,
    name: str,
    description: str,
    checklist_version: str | None,
    source: str,
    fields: Sequence[ChecklistField],
) -> Checklist:
    """Put a checklist together; both counts come from the fields. Decision: G64."""
    return {
        "accession": accession,
        "name": name,
        "description": description,
        "checklistVersion": checklist_version,
        "source": source,
        "deprecated": False,
        "fieldCount": len(fields),
        "mandatoryCount": sum(1 for field in fields if field["required"]),
        "fields": list(fields),
    }


def _rule_of(term: Term, curation: Curation) -> PatternRule:
    if term.slot in curation.by_slot:
        return curation.by_slot[term.slot]
    if term.units and term.syntax in curation.by_syntax_with_units:
        return curation.by_syntax_with_units[term.syntax]
    if term.syntax in curation.by_syntax:
        return curation.by_syntax[term.syntax]
    pattern = "[-+]?[0-9]+" if term.value_type == "integer" else usable_pattern(term.regex, term.example)
    return PatternRule(field_type="", pattern=pattern, keeps_units=True)


def usable_pattern(regex: str, example: str) -> str | None:
    """Keep an upstream pattern that compiles, is short enough and accepts the publisher's own example.

    A pattern that fails one of these would keep people from entering right answers, so none is better.
    """
    if not regex or len(regex) > LONGEST_PATTERN:
        return None
    try:
        compiled = re.compile(regex)
    except re.error:
        return None
    if example and compiled.fullmatch(example) is None:
        return None
    return regex


def _type_of(term: Term, rule: PatternRule, curation: Curation) -> str:
    if term.slot in curation.taxon_slots:
        return "taxon"
    if term.value_type in ("enum", "boolean"):
        return "select"
    if term.value_type in _DATE_TYPES:
        return rule.field_type or "date"
    if term.value_type in _NUMBER_TYPES:
        return "number"
    return rule.field_type or "text"


def _answer_part(example: str, field_type: str) -> str:
    part = {"number": r"[-+]?[0-9]*\.?[0-9]+(?=$| )", "date": r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?=$|T)"}
    found = re.match(part.get(field_type, r"(?s:.*)"), example)
    return found.group(0) if found else ""


def _options_of(term: Term) -> tuple[str, ...]:
    return ("true", "false") if term.value_type == "boolean" else term.options


def _section_of(term: Term, curation: Curation) -> str:
    explicit = curation.publisher_sections.get(term.section)
    return explicit or curation.section_of.get(term.slot, curation.section_order[-1])


def _term_address(identifier: str) -> str | None:
    prefix, _, number = identifier.partition(":")
    return f"Definition of the term: {_TERM_ADDRESS}{number}" if prefix == "MIXS" and number else None
