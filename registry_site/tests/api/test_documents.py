"""Checklists, catalog, releases and research data, answer by answer."""

import json
from collections.abc import Callable
from typing import Any

import pytest

CACHED = "public, s-maxage=300, stale-while-revalidate=600"


def test_the_checklist_list_carries_whole_checklists_and_their_images(registry: Any) -> None:
    answer = registry.get("/registry/mixs")

    assert answer.json["version"] == 1
    assert [row["accession"] for row in answer.json["checklists"]] == ["ERC000022", "MIXS:0016012"]
    assert answer.json["checklists"][0]["image"] == "/images/checklists/soil.svg"
    assert "image" not in answer.json["checklists"][1]
    assert len(answer.json["checklists"][0]["fields"]) == 2


@pytest.mark.parametrize("query", ["accession=ERC000022", "x=1&accession=other&accession=ERC000022"])
def test_one_checklist_is_given_by_its_accession_and_of_repeated_ones_the_last_counts(
    registry: Any, query: str
) -> None:
    answer = registry.get("/registry/mixs", query_string=query)

    assert set(answer.json) == {"version", "checklist"}
    assert answer.json["checklist"] == registry.get("/registry/mixs").json["checklists"][0]
    assert answer.headers["cache-control"] == CACHED


def test_an_empty_accession_asks_for_the_list(registry: Any) -> None:
    assert "checklists" in registry.get("/registry/mixs", query_string="accession=").json


def test_an_unknown_accession_is_named_in_the_refusal(registry: Any) -> None:
    answer = registry.get("/registry/mixs", params={"accession": 'ERC"1 {x} %'})

    assert answer.status_code == 404
    assert answer.json == {"error": 'Unknown MIxS checklist accession: ERC"1 {x} %'}
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["access-control-allow-origin"] == "*"


def test_a_broken_definition_spoils_the_checklists_and_nothing_else(
    start: Callable[[], Any], content: Any
) -> None:
    next((content / "checklists" / "definitions" / "ERC000022").iterdir()).write_text("{}")

    registry = start()

    assert registry.get("/registry/mixs").status_code == 500
    assert registry.get("/registry/mixs", query_string="accession=ERC000022").status_code == 500
    assert registry.get("/registry/sequencing-tech").status_code == 200


def test_the_catalog_is_served_whole_and_bare(registry: Any) -> None:
    answer = registry.get("/registry/sequencing-tech")

    assert answer.json["version"] == 3
    assert answer.headers["cache-control"] == CACHED
    assert "access-control-allow-origin" not in answer.headers


def test_the_drawings_of_the_catalog_are_served_below_the_origin_and_never_run(registry: Any) -> None:
    icon = registry.get("/registry/sequencing-tech").json["technologies"][0]["icon"]

    answer = registry.client.simulate_get(icon)

    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
    assert "sandbox" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    "path", ["/images/catalog/none.svg", "/images/other/x.svg", "/images/catalog/..%2Fx.svg"]
)
def test_an_unknown_drawing_is_not_found(registry: Any, path: str) -> None:
    assert registry.client.simulate_get(path).json == {"error": "Not found"}


def test_without_a_channel_the_newest_stable_release_is_given_by_number(registry: Any) -> None:
    answer = registry.get("/version")

    assert answer.json["latest"]["version"] == "1.1.10"
    assert answer.json["updateAvailable"] is False
    assert "currentVersion" not in answer.json
    assert answer.headers["cache-control"] == "no-store"
    assert "etag" not in answer.headers


@pytest.mark.parametrize(
    ("current", "available"),
    [
        ("1.1.9", True),
        ("1.1.10", False),
        ("1.1.11", False),
        ("1.1.10-rc.1", True),
        ("v1.1", True),
        ("no version", False),
        ("1.1.9\n", False),
    ],
)
def test_an_update_is_available_when_the_latest_is_newer_by_number(
    registry: Any, current: str, available: bool
) -> None:
    answer = registry.get("/version", params={"current": current})

    assert answer.json["updateAvailable"] is available
    assert answer.json["currentVersion"] == current


def test_the_latest_of_a_channel_is_the_highest_version_and_not_the_last_by_date(registry: Any) -> None:
    assert registry.get("/version?channel=beta").json["latest"]["version"] == "1.2.0-beta.2"


def test_who_follows_beta_is_told_of_a_newer_stable_release(start: Callable[[], Any], content: Any) -> None:
    path = content / "releases" / "stable.json"
    stable = json.loads(path.read_text("utf-8"))
    newer = {**stable["releases"][0], "version": "1.2.0"}
    path.write_text(json.dumps({**stable, "releases": [newer, *stable["releases"]]}), "utf-8")

    answer = start().get("/version", params={"channel": "beta", "current": "1.2.0-beta.2"}).json

    assert (answer["latest"]["version"], answer["latest"]["channel"]) == ("1.2.0", "stable")
    assert answer["updateAvailable"] is True


@pytest.mark.parametrize("channel", ["none", "empty", "../stable", "Stable"])
def test_a_channel_without_releases_is_not_found(registry: Any, channel: str) -> None:
    answer = registry.get("/version", params={"channel": channel})

    assert (answer.status_code, answer.json) == (404, {"error": "No releases found for channel"})
    assert answer.headers["cache-control"] == "no-store"


def test_a_broken_channel_spoils_only_itself(start: Callable[[], Any], content: Any) -> None:
    (content / "releases" / "beta.json").write_text('{"channel": "beta", "releases": [{"version": "1.0.0"}]}')

    registry = start()

    assert registry.get("/version", query_string="channel=beta").status_code == 500
    assert registry.get("/version").status_code == 200


def test_research_data_are_given_whole_with_their_own_caching(registry: Any) -> None:
    answer = registry.get("/research-data")

    assert answer.json["count"] == 3
    assert answer.headers["cache-control"] == "s-maxage=3600, stale-while-revalidate=86400"


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("flagship=1", ["bases", "checklists"]),
        ("flagship=true&category=archives", ["bases"]),
        ("flagship=yes", ["bases", "reads", "checklists"]),
        ("metric=reads,checklists", ["reads", "checklists"]),
        ("metric=reads&metric=bases", ["bases"]),
        ("metric=reads&flagship=1", []),
        ("metric=none", []),
        ("category=none", []),
        ("unknown=1", ["bases", "reads", "checklists"]),
    ],
)
def test_research_filters_combine_and_count_follows(registry: Any, query: str, names: list[str]) -> None:
    answer = registry.get("/research-data", query_string=query).json

    assert [row["id"] for row in answer["metrics"]] == names
    assert answer["count"] == len(names)
    assert set(answer["categories"]) == {"archives", "standards"}


def test_latest_leaves_one_point_of_each_series(registry: Any) -> None:
    whole = registry.get("/research-data").json["metrics"][0]["series"]

    latest = registry.get("/research-data", query_string="latest=1").json["metrics"][0]["series"]

    assert latest == [whole[-1]]


def test_without_a_snapshot_the_tracker_says_so(start: Callable[[], Any], content: Any) -> None:
    (content / "research" / "snapshot.json").unlink()

    answer = start().get("/research-data")

    assert (answer.status_code, answer.json) == (503, {"error": "No research-data snapshot available"})


def test_a_broken_snapshot_is_an_internal_error(start: Callable[[], Any], content: Any) -> None:
    (content / "research" / "snapshot.json").write_text('{"metrics": 3}')

    registry = start()

    assert registry.get("/research-data").status_code == 500
    assert registry.get("/research-data", query_string="latest=1").status_code == 500


def test_health_says_ok(registry: Any) -> None:
    assert registry.get("/health").json == {"status": "ok"}


@pytest.mark.parametrize("path", ["/api", "/api/", "/api/none", "/api/registry/a/b", "/ga4gh", "/images/"])
def test_an_unknown_route_is_not_found(registry: Any, path: str) -> None:
    answer = registry.client.simulate_get(path)

    assert (answer.status_code, answer.json) == (404, {"error": "Not found"})
    assert "access-control-allow-origin" not in answer.headers
