"""What the answer says of each setting is what a save is checked with."""

import pytest
from seqfacility_instance.core.vocabulary.site import ModuleId
from seqfacility_testkit.facility import Facility

SETTINGS = "/api/admin/settings"
NUMBERS = {"whole", "number"}
UNSET_ELSEWHERE = {"dataBasePath", "outputRoot", "weblogSecret"}
"""The facility of the tests has these."""


def test_each_setting_is_described_once_in_words(facility: Facility) -> None:
    answer = facility.admin.get(SETTINGS).json

    for section in answer["descriptions"]["sections"]:
        shown = answer["sections"][section["name"]].keys()
        keys = [
            f"{setting['key']}IsSet" if setting["kind"] == "secret" else setting["key"]
            for setting in section["settings"]
        ]
        left_out = set(keys) - shown
        assert len(set(keys)) == len(keys)
        assert shown <= set(keys)
        assert all(
            s["default"] is None and s["mayBeNull"] for s in section["settings"] if s["key"] in left_out
        )
    assert [section["name"] for section in answer["descriptions"]["sections"]] == list(answer["sections"])


def test_what_nobody_changed_has_the_default_that_is_described(facility: Facility) -> None:
    answer = facility.admin.get(SETTINGS).json

    different = {
        setting["key"]
        for section in answer["descriptions"]["sections"]
        for setting in section["settings"]
        if setting["kind"] != "secret"
        and answer["sections"][section["name"]].get(setting["key"]) != setting["default"]
    }
    assert different <= UNSET_ELSEWHERE


def test_a_number_beyond_the_range_that_is_described_is_refused(facility: Facility) -> None:
    described = facility.admin.get(SETTINGS).json["descriptions"]["sections"]
    tried = 0
    for section in described:
        path = f"{SETTINGS}/{section['name']}"
        for setting in section["settings"]:
            if setting["kind"] not in NUMBERS:
                continue
            key, least, most = setting["key"], setting["minimum"], setting["maximum"]
            for value in (least - 1, most + 1):
                refused = facility.admin.patch(path, json={key: value})
                assert refused.status_code == 400, (key, value)
                assert refused.json["details"][0].startswith(f"{key}: ")
            facility.admin.patch(path, json={key: least})
            facility.admin.patch(path, json={key: setting["default"]})
            tried += 1
    assert tried > 20


@pytest.mark.parametrize("section", ["storage", "mail", "registry", "execution"])
def test_each_choice_that_is_described_can_be_saved(facility: Facility, section: str) -> None:
    described = {
        one["name"]: one["settings"] for one in facility.admin.get(SETTINGS).json["descriptions"]["sections"]
    }
    choices = [setting for setting in described[section] if setting["kind"] == "choice"]

    for setting in choices:
        for choice in setting["choices"] + [None] * setting["mayBeNull"]:
            saved = facility.admin.patch(f"{SETTINGS}/{section}", json={setting["key"]: choice})
            assert saved.json[setting["key"]] == choice
    assert choices


def test_no_secret_is_in_what_is_described(facility: Facility) -> None:
    body = {"host": "mail.lab.test", "password": "what-nobody-reads"}
    facility.admin.patch(f"{SETTINGS}/mail", json=body)

    assert "what-nobody-reads" not in facility.admin.get(SETTINGS).text


def test_each_module_says_what_it_does_and_what_is_gone_without_it(facility: Facility) -> None:
    modules = facility.admin.get(SETTINGS).json["descriptions"]["modules"]

    assert {module["id"] for module in modules} == set(ModuleId)
    stored = facility.admin.get("/api/admin/modules").json["modules"]
    assert {module["id"]: module["default"] for module in modules} == stored
