"""Whether an order may be submitted: its answers, and those of its samples, against the forms."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from seqfacility_instance.core.patterns import PatternChecks
from seqfacility_instance.core.vocabulary.forms import FieldType
from seqfacility_instance.forms.form import FormField
from seqfacility_instance.forms.values import is_empty, value_problem
from seqfacility_instance.orders.rules import MAX_DETAILS
from seqfacility_instance.orders.sample_rules import Identity, identity_problems, lookalike_aliases


@dataclass(frozen=True, slots=True)
class Filled:
    """The answers of one record: those in columns by their wire name, and the custom ones."""

    columns: Mapping[str, object]
    custom_fields: Mapping[str, object]

    def answer(self, field: FormField) -> object:
        """Return the answer to a field, None when there is none. Decision: G58."""
        if field.system_key is not None:
            return self.columns.get(field.system_key.value)
        return self.custom_fields.get(field.name)


@dataclass(frozen=True, slots=True)
class FilledSample:
    """The answers of a sample; `row` counts from 1, `name` is what messages about others call it."""

    id: str
    code: str
    name: str
    row: int
    alias: str | None
    filled: Filled


class Level(StrEnum):
    """Whether a problem refuses what was asked about, or only tells. Decision: G546."""

    ERROR = "ERROR"
    WARNING = "WARNING"


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a field of an order, or of one of its samples."""

    field: str
    reason: str
    sample: FilledSample | None = None
    level: Level = Level.ERROR

    @property
    def line(self) -> str:
        """The problem as a line of `details`."""
        path = self.field if self.sample is None else f"{self.sample.code}.{self.field}"
        return f"{path}: {self.reason}"


@dataclass(frozen=True, slots=True)
class SubmissionCheck:
    """What is wrong with an order, and the columns of samples that the caller may not see. Decision: G546."""

    problems: Sequence[Problem]
    hidden_columns: Collection[str]

    @property
    def errors(self) -> list[Problem]:
        """Why the order cannot be submitted; empty when it can."""
        return [problem for problem in self.problems if problem.level is Level.ERROR]


def submission_problems(
    order: Filled,
    samples: Sequence[FilledSample],
    fields: Sequence[FormField],
    hidden_columns: Collection[str] = (),
) -> list[Problem]:
    """List why an order cannot be submitted; empty when it can.

    `fields` are those asked of researchers: visible, not of admins, their modules on. `hidden_columns` are
    the columns of samples that the caller may not see, and so could not put right.

    Decision: G76, G303, G309, G460.
    """
    patterns = PatternChecks()
    problems = [] if samples else [Problem("samples", "at least one sample is required")]
    problems += answer_problems(order, (), fields, patterns)
    problems += sample_problems(samples, fields, hidden_columns, patterns)
    left = len(problems) - MAX_DETAILS
    return problems if left <= 0 else [*problems[:MAX_DETAILS], Problem("samples", f"{left} more problems")]


def answer_problems(
    order: Filled, samples: Sequence[FilledSample], fields: Sequence[FormField], patterns: PatternChecks
) -> list[Problem]:
    """List the problems of the answers to `fields` that would prevent a submission. Decision: G76, G1022."""
    of_order = [field for field in fields if not field.per_sample]
    per_sample = [field for field in fields if field.per_sample]
    return [
        *_problems(order, None, of_order, patterns),
        *(problem for one in samples for problem in _problems(one.filled, one, per_sample, patterns)),
    ]


def sample_problems(
    samples: Sequence[FilledSample],
    fields: Sequence[FormField],
    hidden_columns: Collection[str],
    patterns: PatternChecks,
) -> list[Problem]:
    """List what of its samples keeps an order from being submitted; `fields` are those of all levels."""
    per_sample = [field for field in fields if field.per_sample]
    problems = [problem for one in samples for problem in _problems(one.filled, one, per_sample, patterns)]
    return problems + [
        Problem(key, reason, samples[position])
        for position, key, reason in identity_problems(_identities(samples))
        if key not in hidden_columns
    ]


def submission_warnings(
    samples: Sequence[FilledSample], hidden_columns: Collection[str] = ()
) -> list[Problem]:
    """List what an order may be submitted with and its owner may not have meant. Decision: G546."""
    if "sampleAlias" in hidden_columns:
        return []
    found = lookalike_aliases(_identities(samples))
    return [
        Problem("sampleAlias", reason, samples[position], Level.WARNING)
        for position, reason in islice(found, MAX_DETAILS)
    ]


def _identities(samples: Sequence[FilledSample]) -> list[Identity]:
    return [Identity(one.name, one.alias, one.filled.columns.get("taxId")) for one in samples]


def _problems(
    filled: Filled, sample: FilledSample | None, fields: Iterable[FormField], patterns: PatternChecks
) -> Iterable[Problem]:
    for field in fields:
        reason = _organism_problem(filled, field) or _value_problem(filled, field, patterns)
        if reason is not None:
            yield Problem(field.name, reason, sample)


def _organism_problem(filled: Filled, field: FormField) -> str | None:
    """An organism is named when its taxonomy id or its scientific name is there."""
    is_named = not is_empty(filled.columns.get("taxId")) or not is_empty(filled.columns.get("scientificName"))
    is_missing = field.type is FieldType.ORGANISM and field.required and not is_named
    return "is required" if is_missing else None


def _value_problem(filled: Filled, field: FormField, patterns: PatternChecks) -> str | None:
    if field.type is FieldType.ORGANISM:
        return None
    return value_problem(field, filled.answer(field), patterns)
