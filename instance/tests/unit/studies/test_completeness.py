"""Whether samples answer a checklist, and what another version would change."""

from typing import Any

import pytest
from seqfacility_instance.checklists.definition import Checklist, ChecklistField
from seqfacility_instance.core.patterns import PatternChecks
from seqfacility_instance.studies.completeness import AnsweringSample, impact_of, value_problem


def term(name: str, **more: Any) -> ChecklistField:
    level = "mandatory" if more.get("required") else "optional"
    return ChecklistField.model_validate(
        {
            "name": name,
            "label": name,
            "type": "text",
            "required": False,
            "level": level,
            "section": "Sample",
            "units": [],
            "options": [],
            "order": 0,
            **more,
        }
    )


def checklist(*fields: ChecklistField) -> Checklist:
    return Checklist(accession="A", name="A", fields=list(fields))


def sample(tax_id: str | None = None, **data: object) -> AnsweringSample:
    return AnsweringSample("1", "S-1", tax_id, None, data)


def test_a_version_is_compared_with_the_pinned_one() -> None:
    pinned = checklist(term("gone"), term("same"), term("stricter"), term("other", type="number"))
    target = checklist(
        term("same"), term("stricter", required=True), term("other"), term("new", required=True)
    )

    impact = impact_of(pinned, target, [sample(gone="x", stricter="y")])

    assert impact.added_fields == ("new",)
    assert impact.removed_fields == ("gone",)
    assert impact.newly_required == ("stricter", "new")
    assert impact.changed_fields == ("other",)
    assert impact.samples[0].missing == ("new",)
    assert impact.samples[0].obsolete == ("gone",)


def test_an_organism_is_answered_by_the_column_of_the_sample() -> None:
    target = checklist(term("organism", type="taxon", required=True))

    found = impact_of(target, target, [sample(), sample(tax_id="562"), sample(organism="E. coli")])

    assert [one.missing for one in found.samples] == [("organism",), (), ()]


@pytest.mark.parametrize(
    ("more", "value", "problem"),
    [
        ({}, "anything", None),
        ({}, None, None),
        ({}, {"a": 1}, "must be text or a number"),
        ({}, True, "must be text or a number"),
        ({"type": "number"}, "3.5e-2", None),
        ({"type": "number"}, 4, None),
        ({"type": "number"}, "deep", "must be a number"),
        ({"type": "number", "pattern": "[0-9]+|not collected"}, "not collected", None),
        ({"type": "select", "options": ["a", "b"]}, "a", None),
        ({"type": "select", "options": ["a", "b"]}, "c", "is not one of the options"),
        ({"pattern": "[a-z]+"}, "abc", None),
        ({"pattern": "[a-z]+"}, "abc1", "must match [a-z]+"),
        ({"pattern": "["}, "whatever", None),
    ],
)
def test_a_value_fits_its_term_or_not(more: dict[str, Any], value: object, problem: str | None) -> None:
    assert value_problem(term("x", **more), value, PatternChecks()) == problem
