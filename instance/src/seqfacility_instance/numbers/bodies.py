"""Query parameters and answers of the numbers of a year."""

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


def read_year(text: str | None) -> int | None:
    """Parse the parameter `year`; None when it is missing. Raises `ValidationFailed`."""
    if text is None:
        return None
    year = read_integer(text)
    if year is None or not 1 <= year <= 9999:
        raise ValidationFailed(["year: must be a year, 2026 for example"])
    return year


def read_recount(text: str | None) -> bool:
    """Parse the parameter `counted`: whether to ignore stored figures. Raises `ValidationFailed`."""
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
            "classes": [{"class": kind.value, "room": _space(found)} for kind, found in year.files().items()],
            "largestOrders": [
                {
                    "id": one.order,
                    "orderNumber": year.orders[one.order][0],
                    "name": year.orders[one.order][1],
                    "room": _space(one.bytes),
                }
                for one in year.largest_orders()
            ],
        },
    }


def _outcomes(found: Mapping[RunStatus, int]) -> answers.NumbersRunOutcomes:
    return cast("answers.NumbersRunOutcomes", {status.value: runs for status, runs in found.items()})


def _output(output: Output) -> answers.CountedOutput:
    """Write what was ordered and sequenced; a sum without any known value is null, never 0."""
    return {
        "orders": output.orders,
        "samples": output.samples,
        "readSets": output.reads.things,
        "reads": output.reads.value,
        "readSetsOfUnknownReads": output.reads.unknown,
        "bases": output.bases.value,
        "readSetsOfUnknownBases": output.bases.unknown,
    }


def _space(found: Sum) -> answers.CountedRoom:
    return {"files": found.things, "bytes": found.value, "filesOfUnknownSize": found.unknown}


def _turnaround(times: Mapping[Interval, Times]) -> list[answers.Turnaround]:
    by_interval = [(interval, times.get(interval, Times())) for interval in Interval]
    return [
        {
            "interval": interval.value,
            "orders": len(durations.seconds),
            "ordersUnknown": durations.unknown,
            "medianSeconds": durations.percentile(50),
            "p90Seconds": durations.percentile(90),
        }
        for interval, durations in by_interval
    ]
