"""What the fields of a checklist must keep, whoever publishes it. Decision: G443."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from seqfacility_schemas.findings import Finding

COLLECTION = "checklists"
# A form refuses longer patterns (G53), so a longer one cannot be used anywhere.
LONGEST_PATTERN = 500


def checklist_findings(checklist: Mapping[str, Any]) -> Iterator[Finding]:
    """Find what is wrong with a checklist whose fields have their shape; patterns are not tried."""
    for field in checklist["fields"]:
        for reason, is_harmful in _field_faults(field):
            yield Finding(
                COLLECTION, checklist["accession"], reason, str(field["name"]), is_harmful=is_harmful
            )


def repeated(values: Sequence[str]) -> list[str]:
    """Name the values that stand more than once."""
    return [value for value, count in Counter(values).items() if count > 1]


def _field_faults(field: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    options, units = field.get("options") or [], field.get("units") or []
    if field["required"] != (field["level"] == "mandatory"):
        yield "required and level disagree", False
    if (field["type"] == "select") != bool(options):
        # Nobody could answer it, and if it is mandatory nobody could submit.
        yield "options belong to a select field, and only there", not options
    yield from ((f"option {option!r} stands twice", False) for option in repeated(options))
    yield from ((f"unit {unit!r} stands twice", False) for unit in repeated(units))
    pattern = field.get("pattern")
    if pattern is None:
        return
    if len(pattern) > LONGEST_PATTERN:
        yield f"pattern is longer than {LONGEST_PATTERN} characters", False
        return
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        yield f"pattern does not compile: {error}", False
