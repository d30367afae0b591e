"""Releases, metrics and profiles that would mislead an instance are not published."""

import copy
import hashlib
from collections.abc import Callable
from typing import Any

import pytest
from seqfacility_registry.install_profiles import publishing_checks as profiles
from seqfacility_registry.releases import publishing_checks as releases
from seqfacility_registry.research_data import publishing_checks as research

Change = Callable[[dict[str, Any]], object]


def _release(version: str, channel: str = "stable") -> dict[str, Any]:
    return {
        "version": version,
        "channel": channel,
        "releaseDate": "2031-05-04",
        "downloadUrl": f"https://releases.internal/{version}.tar.gz",
        "checksum": "sha256:" + "ab" * 32,
        "releaseNotes": "More.",
        "minRuntimeVersion": "3.11",
        "databaseRequirement": "SQLite 3.35",
    }


def test_releases_stand_newest_first_by_number() -> None:
    assert releases.check({"channel": "stable", "releases": [_release("1.1.10"), _release("1.1.9")]}) == []
    assert (
        len(releases.check({"channel": "stable", "releases": [_release("1.1.9"), _release("1.1.10")]})) == 1
    )


def test_a_release_stands_in_its_own_channel() -> None:
    (problem,) = releases.check({"channel": "stable", "releases": [_release("1.0.0", "beta")]})

    assert problem == "releases.1.0.0: belongs to the channel beta"


def test_a_pre_release_is_never_stable() -> None:
    assert len(releases.check({"channel": "stable", "releases": [_release("1.0.0-rc.1")]})) == 1


def test_a_download_is_of_the_version_that_it_stands_with() -> None:
    wrong = {**_release("1.0.0"), "downloadUrl": "https://releases.internal/0.9.0.tar.gz"}

    assert releases.check({"channel": "stable", "releases": [wrong]}) == [
        "releases.1.0.0: downloadUrl is of another version"
    ]


@pytest.mark.parametrize(
    "host", ["seqfacility.example", "a.invalid", "a.test", "example.org", "www.example.com", "localhost"]
)
def test_a_release_lies_at_a_host_that_can_exist(host: str) -> None:
    wrong = {**_release("1.0.0"), "downloadUrl": f"https://{host}/1.0.0.tar.gz"}

    assert releases.check({"channel": "stable", "releases": [wrong]}) == [
        "releases.1.0.0: downloadUrl is at a name that is reserved for examples"
    ]


def test_a_release_is_not_an_empty_file() -> None:
    wrong = {**_release("1.0.0"), "checksum": f"sha256:{hashlib.sha256().hexdigest()}"}

    assert releases.check({"channel": "stable", "releases": [wrong]}) == [
        "releases.1.0.0: checksum is that of an empty file"
    ]


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
            "series": [["2029-01-01", 1], ["2030-01-01", 2]],
        }
    ],
}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda it: it.update(count=1), "count: not part of the file"),
        (lambda it: it["metrics"][0].update(category="other"), "unknown category other"),
        (lambda it: it["metrics"][0]["series"].reverse(), "stands after"),
        (lambda it: it["metrics"][0]["series"].append(["2031-05-02", 3]), "has a point after asOf"),
        (lambda it: it["metrics"][0]["series"].append(["2031-04-02", -3]), "negative value"),
        (lambda it: it["metrics"][0]["series"].append(["2031-04-02", 22825257325133901]), "significant"),
        (lambda it: it.update(asOf="2032-01-04"), "flagship, but nothing since 2030-01-01 (yearly)"),
        (lambda it: it["metrics"][0].update(cadence="on change"), "flagship, but nothing since"),
        (lambda it: it["categories"].update(empty="Empty"), "categories.empty: no metric"),
        (lambda it: it["metrics"].append(it["metrics"][0]), "metrics.bases: stands twice"),
    ],
)
def test_a_snapshot_that_would_mislead_is_found(change: Change, reason: str) -> None:
    snapshot = copy.deepcopy(SNAPSHOT)
    change(snapshot)

    assert any(reason in problem for problem in research.check(snapshot))


def test_a_headline_may_be_two_cadences_old() -> None:
    assert research.check({**SNAPSHOT, "asOf": "2032-01-03"}) == []


PROFILE: dict[str, Any] = {
    "enabled": True,
    "requiresAccessCode": True,
    "description": "A cluster.",
    "profile": {
        "schemaVersion": 1,
        "id": "cluster",
        "name": "Cluster",
        "version": "1.0.0",
        "minServiceVersion": "0.1.0",
        "capabilities": [],
        "requiredSecrets": [{"name": "weblogSecret", "path": "settings.execution.weblogSecret"}],
        "settings": {"execution": {"defaultBackend": "slurm"}},
        "pipelines": [{"id": "mag", "enabled": True}],
    },
}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda it: it.update(requiresAccessCode=False), "a profile with secrets needs a code"),
        (
            lambda it: it["profile"]["settings"]["execution"].update(weblogSecret="open to all"),
            "a secret must not stand in the content",
        ),
        (
            lambda it: it["profile"]["requiredSecrets"][0].update(path="catalog.syncUrl"),
            "a secret goes into the settings",
        ),
        (
            lambda it: it["profile"]["requiredSecrets"].append(it["profile"]["requiredSecrets"][0]),
            "two have the same name",
        ),
        (
            lambda it: it["profile"]["settings"]["execution"].update(snakemakeCommand="/srv/other.sh"),
            "profile.settings.execution.snakemakeCommand: a profile must not say which program runs",
        ),
        (
            lambda it: it["profile"]["requiredSecrets"][0].update(path="settings.execution.nextflowCommand"),
            "a profile must not say which program runs",
        ),
        (lambda it: it["profile"]["pipelines"].append({"id": "mag", "enabled": False}), "stands twice"),
    ],
)
def test_a_profile_that_would_leak_or_contradict_itself_is_found(change: Change, reason: str) -> None:
    profile = copy.deepcopy(PROFILE)
    change(profile)

    assert any(reason in problem for problem in profiles.check(profile))


def test_sound_documents_have_no_problems() -> None:
    assert research.check(SNAPSHOT) == []
    assert profiles.check(PROFILE) == []
