"""How the numbers of a year are asked for and written."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from seqfacility_wire.errors import ValidationFailed
from seqfacility_wire.requests import read_integer
from seqfacility_wire.timestamps import format_time

from seqfacility_instance.core.vocabulary.numbers import Interval
from seqfacility_instance.numbers.definitions import DEFINITIONS, TIME_ZONE
from seqfacility_instance.numbers.rules import Times

if TYPE_CHECKING:
    from collections.abc import Mapping

    from seqfacility_schemas import answers

    from seqfacility_instance.core.vocabulary.pipelines import RunStatus
    from seqfacility_instance.numbers.rules import Output, Sum, Year


def wanted_year(text: str | None) -> int | None:
    """Read the year that is asked for; None for none. Raises `ValidationFailed`."""
    if text is None:
        return None
    year = read_integer(text)
    if year is None or not 1 <= year <= 9999:
        raise ValidationFailed(["year: must be a year, 2026 for example"])
    return year


def counts_anew(text: str | None) -> bool:
    """Read whether kept figures are left aside. Raises `ValidationFailed`."""
    if text not in {None, "now"}:
        raise ValidationFailed(["counted: must be: now"])
    return text is not None


def year_answer(year: Year) -> answers.NumbersAnswer:
    """Write a year. Decision: G1010, G1012."""
    return {
        "year": year.year,
        "years": list(year.years),
        "timeZone": TIME_ZONE,
        "definitions": cast("answers.NumbersDefinitions", DEFINITIONS),
        "totals": _output(year.output()),
        "months": [
            {
                "month": one.month,
                "countedAt": format_time(one.at),
                "output": _output(one.figures.output),
                "turnaround": _turnaround(one.figures.times),
            }
            for one in year.months
        ],
        "platforms": [{"platform": key, "output": _output(output)} for key, output in year.by_platform()],
        "departments": [
            {
                "department": None if key is None else {"id": key, "name": year.departments.get(key)},
                "output": _output(output),
            }
            for key, output in year.by_department()
        ],
        "turnaround": _turnaround(year.times()),
        "runs": [
            {"pipelineId": pipeline, "outcomes": _outcomes(found)} for pipeline, found in year.runs().items()
        ],
        "storage": {
            "classes": [{"class": kind.value, "room": _room(found)} for kind, found in year.files().items()],
            "largestOrders": [
                {
                    "id": one.order,
                    "orderNumber": year.orders[one.order][0],
                    "name": year.orders[one.order][1],
                    "room": _room(one.bytes),
                }
                for one in year.largest()
            ],
        },
    }


def _outcomes(found: Mapping[RunStatus, int]) -> answers.NumbersRunOutcomes:
    return cast("answers.NumbersRunOutcomes", {status.value: runs for status, runs in found.items()})


def _output(output: Output) -> answers.CountedOutput:
    """Write what was ordered and sequenced; a sum of which nothing is known is null, never 0."""
    return {
        "orders": output.orders,
        "samples": output.samples,
        "readSets": output.reads.things,
        "reads": output.reads.value,
        "readSetsOfUnknownReads": output.reads.unknown,
        "bases": output.bases.value,
        "readSetsOfUnknownBases": output.bases.unknown,
    }


def _room(found: Sum) -> answers.CountedRoom:
    return {"files": found.things, "bytes": found.value, "filesOfUnknownSize": found.unknown}


def _turnaround(times: Mapping[Interval, Times]) -> list[answers.Turnaround]:
    found = [(interval, times.get(interval, Times())) for interval in Interval]
    return [
        {
            "interval": interval.value,
            "orders": len(taken.seconds),
            "ordersUnknown": taken.unknown,
            "medianSeconds": taken.at_most(50),
            "p90Seconds": taken.at_most(90),
        }
        for interval, taken in found
    ]
