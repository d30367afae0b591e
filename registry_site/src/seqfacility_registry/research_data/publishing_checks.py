"""What a snapshot of research metrics must keep before it is published."""

from collections.abc import Iterator, Mapping
from datetime import date
from itertools import pairwise
from typing import Any

from seqfacility_schemas import problems

SIGNIFICANT_DIGITS = 15
"""As many as every reader of JSON numbers keeps, beyond 2^53 too."""

_CADENCE_DAYS = {"yearly": 366, "quarterly": 92, "every two months": 62, "per release": 366}


def is_headline(cadence: str, last: str, as_of: str) -> bool:
    """Return whether a series is young enough for a headline: its last point lies within two cadences.

    `last` and `as_of` are dates, YYYY-MM-DD. A release is expected once a year; a series without a known
    cadence is no headline.

    Decision: G457.
    """
    days = next((days for word, days in _CADENCE_DAYS.items() if cadence.startswith(word)), 0)
    return (date.fromisoformat(as_of) - date.fromisoformat(last)).days <= 2 * days


def readable_value(value: float) -> float:
    """Round to what every reader keeps: JavaScript knows integers up to 2^53 only. Decision: G457."""
    rounded = float(f"{value:.{SIGNIFICANT_DIGITS}g}")
    return int(rounded) if isinstance(value, int) else rounded


def check(document: Mapping[str, Any]) -> list[str]:
    """List what is wrong with a snapshot: shape, categories, order and dates of the series, old headlines.

    `document` is the content file, which has no `count`.

    Spec: registry, Research-data tracker. Decision: G239, G457.
    """
    metrics = document.get("metrics")
    answer = {**document, "count": len(metrics) if isinstance(metrics, list) else 0}
    shape = ["count: not part of the file"] if "count" in document else []
    return shape or problems("registry/research-data", answer) or list(_problems(document))


def _problems(document: Mapping[str, Any]) -> Iterator[str]:
    metrics = document["metrics"]
    order = [(metric["category"], metric["id"]) for metric in metrics]
    if order != sorted(order):
        yield "metrics: not sorted by category and id"
    ids = [metric["id"] for metric in metrics]
    yield from (f"metrics.{name}: stands twice" for name in sorted(set(ids)) if ids.count(name) > 1)
    for metric in metrics:
        where = f"metrics.{metric['id']}"
        if metric["category"] not in document["categories"]:
            yield f"{where}: unknown category {metric['category']}"
        for (earlier, _), (later, _) in pairwise(metric["series"]):
            if later <= earlier:
                yield f"{where}: {later} stands after {earlier}"
        if metric["series"][-1][0] > document["asOf"]:
            yield f"{where}: has a point after asOf"
        yield from (f"{where}: {day} has a negative value" for day, value in metric["series"] if value < 0)
        for day, value in metric["series"]:
            if value != readable_value(value):
                yield f"{where}: {day} has more than {SIGNIFICANT_DIGITS} significant digits"
        last = metric["series"][-1][0]
        if metric["flagship"] and not is_headline(metric["cadence"], last, document["asOf"]):
            yield f"{where}: flagship, but nothing since {last} ({metric['cadence']})"
    used = {metric["category"] for metric in metrics}
    yield from (f"categories.{name}: no metric" for name in document["categories"] if name not in used)
