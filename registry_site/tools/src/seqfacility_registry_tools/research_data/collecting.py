"""One refresh of the snapshot: ask every source, keep what it adds, report what failed."""

import json
import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from seqfacility_registry.research_data.publishing_checks import check, is_headline, readable_value
from seqfacility_wire.timestamps import format_time

from seqfacility_registry_tools.research_data import (
    archive_checklists,
    chembl,
    genbank,
    instrument_models,
    minimum_information,
    protein_data_bank,
    sequence_read_archive,
)
from seqfacility_registry_tools.research_data.sources import (
    FetchFailed,
    Get,
    Point,
    Source,
    UnexpectedAnswer,
)

SOURCES: tuple[Source, ...] = (
    sequence_read_archive.SOURCE,
    genbank.SOURCE,
    protein_data_bank.SOURCE,
    chembl.SOURCE,
    minimum_information.SOURCE,
    instrument_models.SOURCE,
    archive_checklists.SOURCE,
)
# A figure this many times smaller or larger than the last one is a misprint or another unit.
_LARGEST_STEP = 10


@dataclass(frozen=True, slots=True)
class SourceReport:
    """What came of one source: how many points it added, or why it added none."""

    source: str
    added: int
    failure: str | None


class BrokenSnapshot(Exception):
    """The snapshot would not be publishable after the refresh; nothing was written."""


def refresh_snapshot(
    path: Path, get: Get, now: Callable[[], datetime], sources: Sequence[Source] = SOURCES
) -> list[SourceReport]:
    """Refresh the snapshot file in one step, so that a reader sees the old or the new one.

    A source that fails keeps its last series; when all fail, the file stays as it is and keeps its
    time. Raises `BrokenSnapshot` when the result breaks a rule.

    Spec: registry, Research-data tracker. Decision: G239.
    """
    snapshot, reports = refreshed(json.loads(path.read_text("utf-8")), get, now(), sources)
    if all(report.failure is not None for report in reports):
        return reports
    if problems := check(snapshot):
        raise BrokenSnapshot("; ".join(problems[:5]))
    beside = path.with_name(f".{path.name}.new")
    beside.write_text(snapshot_text(snapshot), "utf-8")
    os.replace(beside, path)  # noqa: PTH105  # the atomic one
    return reports


def refreshed(
    snapshot: Mapping[str, Any], get: Get, timestamp: datetime, sources: Sequence[Source]
) -> tuple[dict[str, Any], list[SourceReport]]:
    """Return the snapshot with the new points of every source that answered, and one report for each.

    A headline that has fallen behind is none any more; that a series is one again is decided by people.

    Decision: G457.
    """
    today = timestamp.astimezone(UTC).date()
    series = {metric["id"]: dict(metric["series"]) for metric in snapshot["metrics"]}
    reports = []
    for source in sources:
        try:
            points = source.fetch(get, today)
            fresh = [point for point in points if _is_new(point, series)]
            _check_plausible(fresh, series, today)
        except (FetchFailed, UnexpectedAnswer) as error:
            reports.append(SourceReport(source.name, 0, str(error)[:300]))
            continue
        for point in fresh:
            series[point.metric][point.day.isoformat()] = readable_value(point.value)
        reports.append(SourceReport(source.name, len(fresh), None))
    metrics = [{**metric, "series": _pairs(series[metric["id"]])} for metric in snapshot["metrics"]]
    as_of = max([snapshot["asOf"], *(metric["series"][-1][0] for metric in metrics)])
    for metric in metrics:
        last = metric["series"][-1][0]
        metric["flagship"] = metric["flagship"] and is_headline(metric["cadence"], last, as_of)
    renewed = {**snapshot, "generatedAt": format_time(timestamp), "asOf": as_of, "metrics": metrics}
    return renewed, reports


def snapshot_text(snapshot: Mapping[str, Any]) -> str:
    """Write the snapshot with one point a line, so that a refresh reads as what it added."""
    head = {key: value for key, value in snapshot.items() if key != "metrics"}
    lines = [f"  {json.dumps(key)}: {_indented(value)}," for key, value in head.items()]
    metrics = ",\n".join(_metric_text(metric) for metric in snapshot["metrics"])
    return "{\n" + "\n".join(lines) + '\n  "metrics": [\n' + metrics + "\n  ]\n}\n"


def _metric_text(metric: Mapping[str, Any]) -> str:
    head = [
        f"      {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)},"
        for key, value in metric.items()
        if key != "series"
    ]
    points = ",\n".join(f"        {json.dumps(point)}" for point in metric["series"])
    return "    {\n" + "\n".join(head) + '\n      "series": [\n' + points + "\n      ]\n    }"


def _indented(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2).replace("\n", "\n  ")


def _is_new(point: Point, series: Mapping[str, Mapping[str, float]]) -> bool:
    """Return whether a point lies after the last one of its series and differs from it."""
    known = series.get(point.metric)
    if known is None:
        raise UnexpectedAnswer(f"a figure for the unknown metric {point.metric}")
    last = max(known)
    return point.day.isoformat() > last and point.value != known[last]


def _check_plausible(points: Sequence[Point], series: Mapping[str, Mapping[str, float]], today: date) -> None:
    for point in points:
        known = series[point.metric]
        last = known[max(known)]
        if point.day > today:
            raise UnexpectedAnswer(f"{point.metric}: a figure of the future")
        if not math.isfinite(point.value) or not last / _LARGEST_STEP <= point.value <= last * _LARGEST_STEP:
            raise UnexpectedAnswer(f"{point.metric}: {point.value:g} after {last:g} is not believed")


def _pairs(points: Mapping[str, float]) -> list[list[str | float]]:
    return [[day, points[day]] for day in sorted(points)]
