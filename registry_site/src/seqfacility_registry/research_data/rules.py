"""What a snapshot of research metrics must keep before it is published."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from seqfacility_schemas import problems


def check(document: Mapping[str, Any]) -> list[str]:
    """List what is wrong with a snapshot: shape, categories, order and dates of the series.

    `document` is the content file, which has no `count`.

    Spec: registry, Research-data tracker. Gap: G239.
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
    used = {metric["category"] for metric in metrics}
    yield from (f"categories.{name}: no metric" for name in document["categories"] if name not in used)
