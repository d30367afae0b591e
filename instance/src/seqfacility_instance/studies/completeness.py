"""Whether the samples of a study answer a checklist, and what another version of it would change."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from seqfacility_instance.checklists.definition import Checklist, ChecklistField
from seqfacility_instance.core.patterns import PatternChecks, PatternTooSlow, is_readable
from seqfacility_instance.core.vocabulary.forms import ChecklistFieldType
from seqfacility_instance.forms.values import is_empty

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


@dataclass(frozen=True, slots=True)
class AnsweringSample:
    """What a sample answers: its checklist data, and the organism that has columns of its own."""

    id: str
    code: str
    tax_id: str | None
    scientific_name: str | None
    checklist_data: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class SampleImpact:
    """What a checklist finds in one sample; field names, and for wrong values a reason."""

    sample: AnsweringSample
    missing: tuple[str, ...]
    wrong: tuple[tuple[str, str], ...]
    obsolete: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Impact:
    """What a version of a checklist means for a study that is pinned to another one."""

    added_fields: tuple[str, ...]
    removed_fields: tuple[str, ...]
    newly_required: tuple[str, ...]
    changed_fields: tuple[str, ...]
    samples: tuple[SampleImpact, ...]


def impact_of(pinned: Checklist | None, target: Checklist, samples: Sequence[AnsweringSample]) -> Impact:
    """Compare the pinned definition with `target`, and hold each sample against `target`.

    A field that is in both but asks for something else (type, options, units, pattern) counts as changed.
    An answer is obsolete when the target does not ask for it and the pinned version did.

    Decision: G296, G306.
    """
    old = {} if pinned is None else {field.name: field for field in pinned.fields}
    new = {field.name: field for field in target.fields}
    patterns = PatternChecks()
    removed = tuple(name for name in old if name not in new)
    return Impact(
        added_fields=tuple(name for name in new if name not in old),
        removed_fields=removed,
        newly_required=tuple(
            name for name, field in new.items() if field.required and not (name in old and old[name].required)
        ),
        changed_fields=tuple(
            name
            for name, field in new.items()
            if name in old and _requirements(old[name]) != _requirements(field)
        ),
        samples=tuple(_sample_impact(sample, target, removed, patterns) for sample in samples),
    )


def _requirements(field: ChecklistField) -> tuple[object, ...]:
    return field.type, tuple(field.options), tuple(field.units), field.pattern


def _sample_impact(
    sample: AnsweringSample, target: Checklist, removed: Sequence[str], patterns: PatternChecks
) -> SampleImpact:
    missing = [field.name for field in target.fields if field.required and not _is_answered(sample, field)]
    wrong = [
        (field.name, reason)
        for field in target.fields
        if (reason := value_problem(field, sample.checklist_data.get(field.name), patterns)) is not None
    ]
    obsolete = [name for name in removed if not is_empty(sample.checklist_data.get(name))]
    return SampleImpact(sample, tuple(missing), tuple(wrong), tuple(obsolete))


def _is_answered(sample: AnsweringSample, field: ChecklistField) -> bool:
    if field.type is ChecklistFieldType.TAXON and (sample.tax_id or sample.scientific_name):
        return True
    return not is_empty(sample.checklist_data.get(field.name))


def value_problem(field: ChecklistField, value: object, patterns: PatternChecks) -> str | None:
    """Return why a value does not fit a term; None when it does, or when there is none.

    Numbers may be text: archives take them as they were written. Decision: G64, G309.
    """
    if is_empty(value):
        return None
    text = str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else None
    if text is None:
        return None if isinstance(value, list) else "must be text or a number"
    if field.type is ChecklistFieldType.SELECT and field.options and text not in field.options:
        return "is not one of the options"
    if field.type is ChecklistFieldType.NUMBER and not _NUMBER.fullmatch(text) and field.pattern is None:
        return "must be a number"
    return None if field.pattern is None else _pattern_problem(field.pattern, text, patterns)


def _pattern_problem(pattern: str, text: str, patterns: PatternChecks) -> str | None:
    """Match a text against a publisher's pattern; an unreadable pattern accepts everything."""
    try:
        matches = not is_readable(pattern) or patterns.is_match(pattern, text)
    except PatternTooSlow:
        return f"took too long to check against {pattern}"
    return None if matches else f"must match {pattern}"
