"""A refresh adds what is new, believes nothing absurd, and keeps the last series of whoever fails."""

import copy
import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from seqfacility_registry_tools.research_data.collecting import (
    BrokenSnapshot,
    SourceReport,
    refresh_snapshot,
    refreshed,
)
from seqfacility_registry_tools.research_data.sources import (
    FetchFailed,
    Point,
    Source,
    UnexpectedAnswer,
)

NOW = datetime(2031, 7, 2, 6, 0, tzinfo=UTC)
SNAPSHOT: dict[str, Any] = {
    "schemaVersion": 1,
    "generatedAt": "2031-05-04T09:08:07.123Z",
    "asOf": "2031-05-01",
    "license": "CC0 1.0",
    "categories": {"archives": "Archives"},
    "metrics": [
        {
            "id": "bases",
            "label": "Bases",
            "category": "archives",
            "source": "Somebody (CC0)",
            "unit": "bases",
            "flagship": True,
            "cadence": "yearly",
            "series": [["2029-01-01", 100], ["2030-01-01", 200]],
        }
    ],
}


def _get(_address: str) -> bytes:
    return b""


def _giving(*points: Point) -> Source:
    return Source("giving", lambda _get, _today: points)


def _failing(error: Exception) -> Source:
    def fetch(_get: Callable[[str], bytes], _today: date) -> list[Point]:
        raise error

    return Source("failing", fetch)


def _series(*sources: Source) -> tuple[list[Any], list[SourceReport]]:
    snapshot, reports = refreshed(copy.deepcopy(SNAPSHOT), _get, NOW, sources)
    return snapshot["metrics"][0]["series"], reports


def test_a_new_point_is_added_at_the_end() -> None:
    series, reports = _series(_giving(Point("bases", date(2031, 6, 30), 300)))

    assert series[-1] == ["2031-06-30", 300]
    assert reports == [SourceReport("giving", 1, None)]


def test_the_snapshot_says_when_it_was_made_and_how_far_it_reaches() -> None:
    snapshot, _ = refreshed(SNAPSHOT, _get, NOW, [_giving(Point("bases", date(2031, 6, 30), 300))])

    assert snapshot["generatedAt"] == "2031-07-02T06:00:00.000Z"
    assert snapshot["asOf"] == "2031-06-30"


@pytest.mark.parametrize(
    "point",
    [
        Point("bases", date(2030, 1, 1), 250),
        Point("bases", date(2029, 6, 1), 150),
        Point("bases", date(2031, 6, 30), 200),
    ],
)
def test_the_past_is_never_rewritten_and_nothing_new_adds_nothing(point: Point) -> None:
    series, reports = _series(_giving(point))

    assert series == SNAPSHOT["metrics"][0]["series"]
    assert reports[0].added == 0


@pytest.mark.parametrize("error", [FetchFailed("answered 503"), UnexpectedAnswer("not JSON")])
def test_a_source_that_fails_keeps_its_series_and_the_others_go_on(error: Exception) -> None:
    series, reports = _series(_failing(error), _giving(Point("bases", date(2031, 6, 30), 300)))

    assert len(series) == 3
    assert reports == [SourceReport("failing", 0, str(error)), SourceReport("giving", 1, None)]


@pytest.mark.parametrize(
    ("point", "reason"),
    [
        (Point("bases", date(2031, 6, 30), 2001), "not believed"),
        (Point("bases", date(2031, 6, 30), 19), "not believed"),
        (Point("bases", date(2031, 6, 30), float("nan")), "not believed"),
        (Point("bases", date(2031, 6, 30), float("inf")), "not believed"),
        (Point("bases", date(2031, 7, 3), 300), "of the future"),
        (Point("genes", date(2031, 6, 30), 300), "unknown metric"),
    ],
)
def test_an_absurd_figure_is_not_believed(point: Point, reason: str) -> None:
    series, reports = _series(_giving(point))

    assert series == SNAPSHOT["metrics"][0]["series"]
    assert reason in str(reports[0].failure)


@pytest.mark.parametrize("value", [2000, 20])
def test_a_figure_ten_times_off_is_still_believed(value: int) -> None:
    series, _ = _series(_giving(Point("bases", date(2031, 6, 30), value)))

    assert series[-1] == ["2031-06-30", value]


def test_the_file_is_replaced_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "snapshot.json"
    path.write_text(json.dumps(SNAPSHOT), "utf-8")

    refresh_snapshot(path, _get, lambda: NOW, [_giving(Point("bases", date(2031, 6, 30), 300))])

    assert json.loads(path.read_text("utf-8"))["metrics"][0]["series"][-1] == ["2031-06-30", 300]
    assert [entry.name for entry in tmp_path.iterdir()] == ["snapshot.json"]


def test_a_snapshot_that_breaks_a_rule_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "snapshot.json"
    broken = {**SNAPSHOT, "categories": {"other": "Other"}}
    path.write_text(json.dumps(broken), "utf-8")

    with pytest.raises(BrokenSnapshot, match="unknown category"):
        refresh_snapshot(path, _get, lambda: NOW, [_giving()])

    assert json.loads(path.read_text("utf-8")) == broken


def test_when_every_source_fails_the_snapshot_does_not_look_newer(tmp_path: Path) -> None:
    path = tmp_path / "snapshot.json"
    path.write_text(json.dumps(SNAPSHOT), "utf-8")

    (report,) = refresh_snapshot(path, _get, lambda: NOW, [_failing(FetchFailed("no route"))])

    assert report.failure == "no route"
    assert json.loads(path.read_text("utf-8")) == SNAPSHOT
