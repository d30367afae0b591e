"""Answers about what is wrong with orders and rows of samples, each problem with where it is."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from seqfacility_wire.errors import ValidationFailed

from seqfacility_instance.orders.form_impact import FormImpact
from seqfacility_instance.orders.rules import MAX_DETAILS
from seqfacility_instance.orders.sample_table import RowCheck
from seqfacility_instance.orders.submission import Level, Problem, SubmissionCheck

if TYPE_CHECKING:
    from seqfacility_schemas import answers

_ROW_LINE: Final = re.compile(r"samples\[([0-9]+)\](?:\.(.+?))?: (.*)", re.DOTALL)
_CUSTOM_FIELDS: Final = "customFields."


def check_shape(check: SubmissionCheck) -> answers.OrderCheckAnswer:
    """Write whether an order can be submitted, and what is wrong with it. Decision: G546."""
    return {
        "ready": not check.errors,
        "problems": [problem_shape(problem, check.hidden_columns) for problem in check.problems],
    }


def impact_shape(impact: FormImpact) -> answers.FormImpactAnswer:
    """Write the problems that a form would cause for drafts. Decision: G1022."""
    return {
        "drafts": impact.drafts,
        "checked": impact.checked,
        "asked": [
            {
                "field": one.name,
                "label": one.label,
                "message": one.message,
                "drafts": one.drafts,
                "samples": one.samples,
                "examples": [
                    {"id": draft.order_id, "orderNumber": draft.order_number} for draft in one.examples
                ],
            }
            for one in impact.new_problems
        ],
    }


def problem_shape(problem: Problem, hidden_columns: Collection[str]) -> answers.Problem:
    """Write a problem of an order or of one of its samples. Decision: G546."""
    sample = problem.sample
    return {
        "level": problem.level.value,
        "sampleId": None if sample is None else sample.id,
        "sampleAlias": None if sample is None or "sampleAlias" in hidden_columns else sample.alias,
        "row": None if sample is None else sample.row,
        "field": problem.field,
        "message": problem.reason,
    }


def line_problem(line: str, level: Level) -> answers.Problem:
    """Write a line of `details` or `warnings` of a sample table as a problem of its cell.

    Decision: G10, G547.
    """
    found = _ROW_LINE.fullmatch(line)
    row, field, message = (None, *_parted(line)) if found is None else found.groups()
    return {
        "level": level.value,
        "sampleId": None,
        "sampleAlias": None,
        "row": None if row is None else int(row) + 1,
        "field": None if field is None else field.removeprefix(_CUSTOM_FIELDS),
        "message": message,
    }


def row_problems(check: RowCheck) -> list[answers.Problem]:
    """Write what is wrong with rows of a dry run, which may all be saved. Decision: G547."""
    found = [line_problem(line, Level.WARNING) for line in check.ignored]
    for problem in check.problems[:MAX_DETAILS]:
        shape = problem_shape(replace(problem, level=Level.WARNING), check.hidden_columns)
        found.append({**shape, "sampleId": None} if shape["sampleId"] in check.fresh else shape)
    return found[:MAX_DETAILS]


@contextmanager
def problems_in_refusal() -> Iterator[None]:
    """Let a refusal of rows have its `problems` beside its `details`. Decision: G547."""
    try:
        yield
    except ValidationFailed as refused:
        details = refused.details or []
        problems = [line_problem(line, Level.ERROR) for line in details[:MAX_DETAILS]]
        raise ValidationFailed(details, extra={"problems": problems}) from refused


def _parted(line: str) -> tuple[str, str]:
    field, _, message = line.partition(": ")
    return field, message
