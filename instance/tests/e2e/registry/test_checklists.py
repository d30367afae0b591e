"""Checklists on their way from a registry into an instance, and what a study keeps of them."""

import copy
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import requests
from seqfacility_registry.checklists.editions import edition_numbers, read_edition
from seqfacility_registry_tools.checklists.writing import write_edition
from seqfacility_schemas import problems
from seqfacility_testkit.facility import RESEARCHER
from seqfacility_testkit.live import LiveClient, LiveFacility

READ = "/api/mixs-checklists"
ADMIN = "/api/admin/mixs-checklists"
SOIL = "ERC000022"
GONE = "ERC000012"
CONTENT = Path(__file__).parents[4] / "registry_site/content"


@pytest.fixture(scope="session")
def next_content(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the shipped content with one more version of the checklists.

    In it air is gone, and soil has a term more, which is mandatory, and its first term less.
    """
    folder = tmp_path_factory.mktemp("next") / "content"
    folder.mkdir()
    for section in CONTENT.iterdir():
        if section.is_dir() and section.name != "checklists":
            (folder / section.name).symlink_to(section)
    shutil.copytree(CONTENT / "checklists", folder / "checklists")
    newest = read_edition(folder / "checklists")
    changed = []
    for published in newest.checklists:
        if published["accession"] == GONE:
            continue
        checklist = copy.deepcopy(published)
        if checklist["accession"] == SOIL:
            term = {**checklist["fields"][-1], "name": "brand_new", "label": "Brand new"}
            term |= {"required": True, "level": "mandatory", "order": len(checklist["fields"])}
            checklist["fields"] = [*checklist["fields"][1:], term]  # type: ignore[list-item]  # the same keys
            checklist["fieldCount"] = len(checklist["fields"])
            checklist["mandatoryCount"] = sum(field["required"] for field in checklist["fields"])
        changed.append(checklist)
    write_edition(
        folder / "checklists",
        replace(newest, version=newest.version + 1, checklists=tuple(changed)),
    )
    return folder


@pytest.fixture
def next_registry(registries: Any, kind: str, next_content: Path) -> str:
    """Return the address of a registry, of either kind, that has published the next version."""
    address: str = registries.base_url(kind, next_content)
    return address


def field_names(client: LiveClient, **query: str) -> list[str]:
    definition = client.get(READ, params={"accession": SOIL, **query}).json()
    return [field["name"] for field in definition["fields"]]


def test_the_registry_publishes_what_the_instance_ships(instance: LiveFacility, registry: str) -> None:
    published = requests.get(f"{registry}/registry/mixs", timeout=60).json()
    assert problems("registry/mixs", published) == []
    admin = instance.sign_in()

    preview = admin.post(ADMIN, json={"action": "check-updates"}).json()

    assert preview["hasUpdates"] is False
    assert preview["currentVersion"] == preview["remoteVersion"] == published["version"]
    assert preview["diff"] == {"added": [], "removed": [], "changed": [], "names": {}, "keptOff": []}
    shown = {one["accession"]: one for one in admin.get(ADMIN).json()["checklists"]}
    assert {name: one["fieldCount"] for name, one in shown.items()} == {
        one["accession"]: one["fieldCount"] for one in published["checklists"]
    }
    for one in published["checklists"][:3]:
        definition = admin.get(READ, params={"accession": one["accession"]}).json()
        assert definition["fields"] == [{**empty_field(), **field} for field in one["fields"]]


def empty_field() -> dict[str, None]:
    """Return the keys that the instance answers with null where the registry leaves them out."""
    return {"pattern": None, "helpText": None, "example": None}


def test_a_new_version_is_previewed_applied_and_kept_beside_the_earlier_one(
    open_instance: Callable[[str], LiveFacility], next_registry: str
) -> None:
    published = requests.get(f"{next_registry}/registry/mixs", timeout=60).json()
    assert problems("registry/mixs", published) == []
    instance = open_instance(next_registry)
    admin, researcher = instance.sign_in(), instance.sign_in(RESEARCHER)
    old, new = edition_numbers(CONTENT / "checklists")[-1], published["version"]
    before = field_names(researcher)
    admin.post(ADMIN, json={"action": "set-available", "accession": "ERC000013", "available": False})
    study = researcher.post("/api/studies", json={"title": "Soil", "checklistType": SOIL}).json()["study"]

    preview = admin.post(ADMIN, json={"action": "check-updates"}).json()
    unchanged = researcher.get(READ).json()["version"]
    applied = admin.post(ADMIN, json={"action": "apply-updates"}).json()

    assert (preview["currentVersion"], preview["remoteVersion"]) == (old, new) == (old, old + 1)
    (soil,) = preview["diff"].pop("changed")
    assert preview["diff"] == {
        "added": [],
        "removed": [GONE],
        "names": {GONE: "GSC MIxS air", SOIL: "GSC MIxS soil"},
        "keptOff": [],
    }
    told = {"newFields": ["brand_new"], "removedFields": before[:1], "newlyRequired": ["brand_new"]}
    assert {key: soil[key] for key in ("accession", *told)} == {"accession": SOIL, **told}
    assert soil["values"] == []
    assert soil["labels"]["brand_new"] == "Brand new"
    assert unchanged == old
    preview["diff"]["changed"] = [soil]
    assert applied == {**preview, "applied": True}
    overview = admin.get(ADMIN).json()
    assert (overview["version"], overview["versions"]) == (new, [old, new])
    assert overview["sourceUrl"] == f"{next_registry}/registry/mixs"
    assert overview["lastCheckedAt"] is not None
    shown = {one["accession"]: one for one in overview["checklists"]}
    assert (shown[GONE]["deprecated"], shown[SOIL]["deprecated"]) == (True, False)
    assert (shown["ERC000013"]["available"], shown[SOIL]["available"]) == (False, True)
    drawing = requests.get(shown[SOIL]["image"], timeout=60)
    assert (drawing.status_code, drawing.headers["Content-Type"]) == (200, "image/svg+xml")
    assert field_names(researcher) == field_names(researcher, version=str(new)) == [*before[1:], "brand_new"]
    assert field_names(researcher, version=str(old)) == before
    _keeps_its_pin(researcher, study["id"], old, new)
    again = admin.post(ADMIN, json={"action": "apply-updates"}).json()
    assert (again["hasUpdates"], again["applied"]) == (False, False)


def _keeps_its_pin(researcher: LiveClient, study_id: str, old: int, new: int) -> None:
    """A study stays with its version until somebody moves it; a new one begins with the new version."""
    place = f"/api/studies/{study_id}"
    assert researcher.get(place).json()["study"]["mixsVersion"] == old
    later = researcher.post("/api/studies", json={"title": "Later"}).json()["study"]
    assert later["mixsVersion"] == new
    impact = researcher.get(f"{place}/mixs-impact", params={"version": new}).json()["impact"]
    assert (impact["addedFields"], impact["newlyRequired"]) == (["brand_new"], ["brand_new"])
    moved = researcher.put(place, json={"mixsVersion": new})
    assert moved.json()["study"]["mixsVersion"] == new
