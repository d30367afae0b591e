"""Whether an order may be submitted: its answers, and those of its samples, against the forms."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from seqfacility_instance.core.patterns import PatternChecks
from seqfacility_instance.core.vocabulary import FieldType
from seqfacility_instance.forms.answers import answer_problem, is_empty
from seqfacility_instance.forms.form import FormField

_MAX_DETAILS: Final = 1000
"""Enough for a person; an answer with a line for each cell of 5,000 samples helps nobody."""


@dataclass(frozen=True, slots=True)
class Filled:
    """The answers of one record: those in columns by their wire name, and the custom ones."""

    columns: Mapping[str, object]
    custom_fields: Mapping[str, object]

    def answer(self, field: FormField) -> object:
        """Give the answer to a field, None when there is none. Gap: G58."""
        if field.system_key is not None:
            return self.columns.get(field.system_key.value)
        return self.custom_fields.get(field.name)


@dataclass(frozen=True, slots=True)
class FilledSample:
    """The answers of a sample, and the code by which messages name it."""

    code: str
    filled: Filled


def submission_problems(
    order: Filled, samples: Sequence[FilledSample], fields: Sequence[FormField]
) -> list[str]:
    """List why an order cannot be submitted, one line a cause; empty when it can.

    `fields` are those asked of researchers: visible, not of admins, their modules on.

    Gap: G76, G303, G309.
    """
    patterns = PatternChecks()
    problems = [] if samples else ["samples: at least one sample is required"]
    problems += _problems(order, [field for field in fields if not field.per_sample], patterns)
    per_sample = [field for field in fields if field.per_sample]
    for sample in samples:
        problems += [f"{sample.code}.{line}" for line in _problems(sample.filled, per_sample, patterns)]
    return _shortened(problems)


def _problems(filled: Filled, fields: Iterable[FormField], patterns: PatternChecks) -> Iterable[str]:
    for field in fields:
        problem = _organism_problem(filled, field) or _value_problem(filled, field, patterns)
        if problem is not None:
            yield f"{field.name}: {problem}"


def _organism_problem(filled: Filled, field: FormField) -> str | None:
    """An organism is named when its taxonomy id or its scientific name is there."""
    is_named = not is_empty(filled.columns.get("taxId")) or not is_empty(filled.columns.get("scientificName"))
    is_missing = field.type is FieldType.ORGANISM and field.required and not is_named
    return "is required" if is_missing else None


def _value_problem(filled: Filled, field: FormField, patterns: PatternChecks) -> str | None:
    if field.type is FieldType.ORGANISM:
        return None
    return answer_problem(field, filled.answer(field), patterns)


def _shortened(problems: list[str]) -> list[str]:
    left = len(problems) - _MAX_DETAILS
    return problems if left <= 0 else [*problems[:_MAX_DETAILS], f"samples: {left} more problems"]
