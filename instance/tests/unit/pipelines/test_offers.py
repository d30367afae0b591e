"""What may be installed of what a registry offers."""

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest
from seqfacility_instance.pipelines.errors import (
    InvalidPipelineId,
    InvalidPipelineVersion,
    NotInstallable,
    PackageNotFound,
    PackageRefused,
)
from seqfacility_instance.pipelines.rules import Offer, check_identity, check_names, chosen_offer, store_entry

if TYPE_CHECKING:
    from seqfacility_pipeline_package.package import Package

HOSTED = {"version": "1.2.0", "downloadUrl": "/x.zip", "sha256": "ab"}
ENTRY: dict[str, object] = {
    "id": "mag",
    "status": "available",
    "latestVersion": "1.2.0",
    "versions": [HOSTED, {"version": "1.1.0"}],
}


def test_ids_and_versions_have_their_form() -> None:
    assert check_names("mag", None) == check_names("mag", "1.2.0") == "mag"

    for pipeline_id in (None, "", "../mag", "mixs"):
        with pytest.raises(InvalidPipelineId):
            check_names(pipeline_id, None)
    with pytest.raises(InvalidPipelineVersion):
        check_names("mag", "1..2")


def test_without_a_wish_the_latest_version_is_chosen() -> None:
    assert chosen_offer(ENTRY, "mag", None) == Offer("mag", "1.2.0", "ab")
    assert chosen_offer(ENTRY, "mag", "1.2.0") == Offer("mag", "1.2.0", "ab")


def test_a_version_that_is_unknown_or_not_handed_out_is_told_apart() -> None:
    with pytest.raises(PackageNotFound):
        chosen_offer(ENTRY, "mag", "9.0.0")
    with pytest.raises(NotInstallable):
        chosen_offer(ENTRY, "mag", "1.1.0")
    with pytest.raises(NotInstallable):
        chosen_offer({**ENTRY, "status": "planned"}, "mag", None)


@pytest.mark.parametrize(
    "changes",
    [
        {"id": "other"},
        {"versions": None},
        {"latestVersion": 1},
        {"versions": [{**HOSTED, "sha256": None}]},
        {"latestVersion": "..", "versions": [{**HOSTED, "version": ".."}]},
    ],
)
def test_an_entry_that_makes_no_sense_offers_nothing(changes: dict[str, object]) -> None:
    assert chosen_offer({**ENTRY, **changes}, "mag", None) is None


def test_the_index_tells_what_is_installed_and_whether_there_is_something_newer() -> None:
    entry = store_entry(ENTRY, "1.1.0", "1.1.0")

    assert entry is not None
    assert (entry["installed"], entry["updateAvailable"], entry["installable"]) == (True, True, True)


@pytest.mark.parametrize("pipeline_id", [None, 1, "", "../mag"])
def test_an_entry_without_a_usable_id_is_left_out_of_the_index(pipeline_id: object) -> None:
    assert store_entry({**ENTRY, "id": pipeline_id}, None, None) is None


@pytest.mark.parametrize(("pipeline_id", "version"), [("other", None), (None, "2.0.0"), ("mag", "1.0.0")])
def test_another_package_than_the_one_asked_for_is_refused(
    pipeline_id: str | None, version: str | None
) -> None:
    package = cast("Package", SimpleNamespace(id="mag", version="1.2.0"))
    check_identity(package, "mag", "1.2.0")

    with pytest.raises(PackageRefused):
        check_identity(package, pipeline_id, version)
