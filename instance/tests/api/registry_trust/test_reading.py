"""How an instance reads a signed registry: what is verified, what is kept, and what an admin decides."""

import json
from datetime import timedelta
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest
from seqfacility_instance.install_profiles.errors import ProfileUnreadable
from seqfacility_instance.registry_trust import store
from seqfacility_instance.registry_trust.errors import RootNotUsable, SignatureNotValid
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.people import AuditEvent
from seqfacility_instance.tables.registry_trust import RegistryTrust
from seqfacility_testkit.facility import ADMIN, PASSWORD, Facility
from seqfacility_testkit.lying_mirror import TRUST, SignedAnswers, new_key, pipeline_documents
from seqfacility_testkit.registry import StandInRegistry

NOT_VALID = "Registry signature is not valid"
CATALOG = "/api/admin/sequencing-tech"
CHECKLISTS = "/api/admin/mixs-checklists"
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360f8cfc00000"
    "0301010018dd8db00000000049454e44ae426082"
)


def install(facility: Facility, pipeline_id: str = "new-qc") -> Any:
    return facility.admin.post("/api/admin/pipelines/install", {"pipelineId": pipeline_id})


def set_trust(facility: Facility, trust: str | None) -> None:
    assert facility.admin.post("/api/auth/confirm", {"password": PASSWORD}).status_code == 200
    answer = facility.admin.patch("/api/admin/settings/registry", {"trust": trust})
    assert (answer.status_code, answer.json) == (200, {"trust": trust, "pollDaily": True})


def versions(signed: SignedAnswers) -> tuple[int, int]:
    row = RegistryTrust.get(RegistryTrust.address == signed.registry.base_url)
    return row.root_version, row.timestamp_version


def catalog(version: int, image: str = "/images/catalog/device.png") -> bytes:
    device = {"id": "dev", "name": "Device", "available": True, "image": image}
    return json.dumps({"version": version, "technologies": [device]}).encode()


def checklists(version: int) -> bytes:
    one = {"accession": "SIG001", "name": "Signed", "description": "", "fields": []}
    return json.dumps({"version": version, "checklists": [one]}).encode()


def audited(action: str) -> list[AuditEvent]:
    return list(AuditEvent.select().where(AuditEvent.action == action))


def test_a_signed_pipeline_is_installed_from_its_document_by_digest(
    facility: Facility, signed: SignedAnswers
) -> None:
    for path in ("/api/registry/new-qc", "/api/registry/pipelines/new-qc/2.0.0/download"):
        del signed.registry.answers[path]

    answer = install(facility)

    assert answer.status_code == 201, answer.text
    assert (answer.json["pipeline"]["version"], answer.json["warnings"]) == ("2.0.0", [])
    assert versions(signed) == (1, 2)


def test_an_unknown_pipeline_is_not_found_as_it_is_today(facility: Facility, signed: SignedAnswers) -> None:
    answer = install(facility, "nothing")

    assert (answer.status_code, answer.json) == (404, {"error": "Pipeline not found"})


def test_keys_are_rotated_by_a_chain_of_roots(facility: Facility, signed: SignedAnswers) -> None:
    facility.admin.get("/api/admin/pipelines/store")
    signed.rotate(online_key=new_key())
    signed.rotate(root_keys=[new_key() for _ in range(3)], release_key=new_key())
    signed.publish(pipeline_documents("new-qc", "3.0.0"))

    answer = install(facility)

    assert answer.status_code == 201, answer.text
    assert versions(signed) == (3, 3)


def test_a_new_online_key_may_begin_its_timestamps_anew(facility: Facility, signed: SignedAnswers) -> None:
    signed.put_timestamp(version=10**9)
    facility.admin.get("/api/admin/pipelines/store")
    signed.rotate(online_key=new_key())
    signed.publish(pipeline_documents("new-qc", "3.0.0"))

    assert install(facility).status_code == 201
    assert versions(signed) == (2, 3)


def test_a_facility_that_was_cut_off_for_ninety_days_works_and_then_goes_on(
    facility: Facility, signed: SignedAnswers
) -> None:
    assert install(facility).status_code == 201
    answers, signed.registry.answers = signed.registry.answers, {}
    facility.clock.advance(timedelta(days=90))
    facility.admin = facility.sign_in(ADMIN)

    listed = facility.admin.get("/api/admin/pipelines").json["pipelines"]
    store_answer = facility.admin.get("/api/admin/pipelines/store")
    signed.registry.answers = answers
    signed.now = facility.clock.now().replace(microsecond=0)
    signed.publish(pipeline_documents("new-qc", "3.0.0"))
    after = install(facility)

    assert {one["id"]: one["available"] for one in listed}["new-qc"]
    assert (store_answer.status_code, store_answer.json["registry"]["error"]) == (200, NOT_VALID)
    assert after.status_code == 201, after.text


def test_catalog_and_checklists_come_by_their_signatures_with_their_images(
    facility: Facility, signed: SignedAnswers
) -> None:
    signed.publish(
        {
            "registry/sequencing-tech": catalog(10_000),
            "images/catalog/device.png": PNG,
            "registry/mixs": checklists(900),
        }
    )
    for path in ("/api/registry/sequencing-tech", "/images/catalog/device.png", "/api/registry/mixs"):
        del signed.registry.answers[path]

    synced = facility.admin.post(CATALOG, {"action": "apply-updates"})
    checked = facility.admin.post(CHECKLISTS, {"action": "check-updates"})

    assert (synced.status_code, synced.json["applied"], synced.json["warnings"]) == (200, True, [])
    assert (checked.status_code, checked.json["remoteVersion"], checked.json["warnings"]) == (200, 900, [])
    (device,) = [
        one for one in facility.anonymous.get("/api/sequencing-tech").json["devices"] if one["id"] == "dev"
    ] or [
        one
        for one in facility.anonymous.get("/api/sequencing-tech").json["technologies"]
        if one["id"] == "dev"
    ]
    assert "imageAsset" in device


@pytest.mark.parametrize(("path", "action"), [(CATALOG, "apply-updates"), (CHECKLISTS, "apply-updates")])
def test_an_unsigned_catalog_or_set_of_checklists_is_refused(
    facility: Facility, signed: SignedAnswers, path: str, action: str
) -> None:
    documents = {"registry/sequencing-tech": catalog(10_000), "registry/mixs": checklists(900)}
    signed.publish(documents)
    del signed.registry.answers[TRUST + "timestamp.json"]
    before = facility.admin.get(path).json

    answer = facility.admin.post(path, {"action": action})

    assert (answer.status_code, answer.json) == (502, {"error": NOT_VALID})
    assert facility.admin.get(path).json == before
    assert list(RegistryTrust.select()) == []


def test_a_mirror_is_read_by_the_same_root_and_remembered_by_its_own_address(
    facility: Facility, signed: SignedAnswers
) -> None:
    signed.publish({"registry/sequencing-tech": catalog(10_000, "")})
    with StandInRegistry() as mirror:
        mirror.answers = {
            path: body for path, body in signed.registry.answers.items() if path.startswith(TRUST)
        }
        url = f"{mirror.base_url}/registry/sequencing-tech"

        answer = facility.admin.post(CATALOG, {"action": "check-updates", "syncUrl": url})

        assert (answer.status_code, answer.json["remoteVersion"]) == (200, 10_000)
        assert [row.address for row in store.list_all()] == [mirror.base_url]


def test_without_a_root_nothing_is_asked_of_signatures(facility: Facility, signed: SignedAnswers) -> None:
    trusted = facility.services.runs.pipeline_installation.registry
    object.__setattr__(trusted, "pinned_root", None)

    assert facility.admin.get("/api/admin/registry-trust").json["policy"] == "off"
    assert install(facility).status_code == 201
    assert [path for path in signed.registry.asked if path.startswith(TRUST)] == []
    set_trust(facility, "required")
    answer = facility.admin.get("/api/admin/pipelines/store")
    assert answer.json["registry"]["error"] == NOT_VALID


def test_under_warn_a_facility_reads_on_and_answers_and_audit_say_why(
    facility: Facility, signed: SignedAnswers
) -> None:
    set_trust(facility, "warn")
    signed.publish({"registry/sequencing-tech": catalog(10_000, ""), "registry/mixs": checklists(900)})
    assert facility.admin.get("/api/admin/pipelines/store").json["warnings"] == []
    assert versions(signed) == (1, 3)
    signed.put_timestamp(key=new_key(), version=9)

    shown = facility.admin.get("/api/admin/pipelines/store").json
    installed = install(facility)
    synced = facility.admin.post(CATALOG, {"action": "apply-updates"})
    checked = facility.admin.post(CHECKLISTS, {"action": "apply-updates", "force": True})

    assert shown["registry"]["error"] is None
    assert [text.startswith(NOT_VALID) for text in shown["warnings"]] == [True]
    assert installed.status_code == 201
    assert [text.startswith(NOT_VALID) for text in installed.json["warnings"]] == [True]
    for answer in (synced, checked):
        assert answer.json["applied"], answer.text
        (warning,) = [one for one in answer.json["warnings"] if one["collection"] == "registry"]
        assert (warning["id"], warning["reason"][: len(NOT_VALID)]) == ("signature", NOT_VALID)
    assert [row.object_id for row in audited("registry-not-verified")] == [signed.registry.base_url] * 3
    assert versions(signed) == (1, 3)


def test_the_audit_says_how_many_warnings_it_leaves_out(facility: Facility, signed: SignedAnswers) -> None:
    trusted = facility.services.runs.pipeline_installation.registry
    with trusted.reading() as reading:
        reading.warnings += [f"warning {number}" for number in range(22)]
        with database.atomic():
            reading.record_warnings(None)

    (row,) = audited("registry-not-verified")
    assert row.detail["warnings"][19:] == ["warning 19", "and 2 more"]


def test_the_setting_is_a_confirmed_and_audited_decision(facility: Facility, signed: SignedAnswers) -> None:
    facility.clock.advance(timedelta(minutes=11))
    unconfirmed = facility.admin.patch("/api/admin/settings/registry", {"trust": "off"})
    set_trust(facility, "off")
    wrong = facility.admin.patch("/api/admin/settings/registry", {"trust": "sometimes"})
    set_trust(facility, None)

    assert unconfirmed.status_code == 403
    assert wrong.status_code == 400
    changes = [row.detail["changed"] for row in audited("settings-saved")]
    assert changes == [
        {"trust": {"before": None, "after": "off"}},
        {"trust": {"before": "off", "after": None}},
    ]


def test_an_admin_sees_who_signed_what_and_until_when(facility: Facility, signed: SignedAnswers) -> None:
    signed.add_publisher("lab", pipeline_documents("lab-qc", "1.0.0"))
    signed.publish()
    assert install(facility, "lab-qc").status_code == 201
    assert install(facility).status_code == 201

    shown = facility.admin.get("/api/admin/registry-trust").json

    assert (shown["policy"], shown["rootPinned"]) == ("required", True)
    (registry,) = shown["registries"]
    assert registry["address"] == shown["address"] == signed.registry.base_url
    roles = {role["name"]: role for role in registry["roles"]}
    assert {name: role["version"] for name, role in roles.items()} == {
        "root": 1, "timestamp": 3, "snapshot": 3, "targets": 3, "lab": 3,
    }  # fmt: skip
    assert roles["root"]["signedBy"] == sorted(key.public_key.keyid for key in signed.root_keys[:2])
    assert (roles["root"]["threshold"], roles["root"]["documents"]) == (2, None)
    assert roles["lab"]["signedBy"] == [signed.publisher_keys["lab"].public_key.keyid]
    assert roles["lab"]["documents"] == 1
    assert registry["publishers"] == [{"name": "lab", "keys": roles["lab"]["signedBy"]}]


def test_the_trust_is_reset_to_a_root_and_the_audit_trail_keeps_it(
    facility: Facility, signed: SignedAnswers, tmp_path: Path
) -> None:
    facility.admin.get("/api/admin/pipelines/store")
    with StandInRegistry() as other:
        replaced = SignedAnswers(other)
        replaced.publish(pipeline_documents("new-qc", "1.0.0"))
        signed.registry.answers = other.answers
    assert install(facility).json == {"error": NOT_VALID}
    root = tmp_path / "new-root.json"
    root.write_bytes(replaced.file("root.1.json"))

    seen = facility.services.registry_trust.reset(root)

    assert [role.name for role in seen.roles] == ["root"]
    shown = facility.admin.get("/api/admin/registry-trust").json["registries"]
    assert [registry["verifiedAt"] for registry in shown] == [None]
    assert install(facility).status_code == 201
    assert versions(signed) == (1, 1)
    (row,) = audited("registry-trust-reset")
    assert row.object_id == signed.registry.base_url
    assert row.detail["before"]["versions"]["timestamp"] == 2
    assert row.detail["after"]["rootSignedBy"] != row.detail["before"]["rootSignedBy"]


def test_a_file_that_is_no_signed_root_resets_nothing(
    facility: Facility, signed: SignedAnswers, tmp_path: Path
) -> None:
    facility.admin.get("/api/admin/pipelines/store")
    before = list(RegistryTrust.select().dicts())
    one_key = tmp_path / "one-key.json"
    one_key.write_bytes(signed.put_root(signed.root_keys[0]))

    for path in (one_key, tmp_path / "missing.json", tmp_path):
        with pytest.raises(RootNotUsable):
            facility.services.registry_trust.reset(path)

    assert list(RegistryTrust.select().dicts()) == before


def test_two_acts_at_once_neither_step_back_nor_break(facility: Facility, signed: SignedAnswers) -> None:
    trusted = facility.services.runs.pipeline_installation.registry
    url = trusted.url("registry")
    with trusted.reading() as slow:
        slow.fetch(url)
        signed.publish(pipeline_documents("new-qc", "3.0.0"))
        with trusted.reading() as fast:
            fast.fetch(url)
        assert versions(signed) == (1, 3)

    assert versions(signed) == (1, 3)


def test_workers_that_meet_a_registry_for_the_first_time_all_succeed(
    facility: Facility, signed: SignedAnswers
) -> None:
    trusted, ready, failed = facility.services.runs.pipeline_installation.registry, Barrier(4), []

    def read() -> None:
        with facility.services.database.connection_context():
            try:
                with trusted.reading() as reading:
                    reading.fetch(trusted.url("registry"))
                    ready.wait(30)
            except Exception as error:  # noqa: BLE001  # of a thread: told below
                failed.append(error)

    threads = [Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert failed == []
    assert versions(signed) == (1, 2)


def test_an_act_that_began_before_a_reset_does_not_bring_the_old_root_back(
    facility: Facility, signed: SignedAnswers, tmp_path: Path
) -> None:
    trusted = facility.services.runs.pipeline_installation.registry
    facility.admin.get("/api/admin/pipelines/store")
    root = tmp_path / "new-root.json"
    with StandInRegistry() as other:
        root.write_bytes(SignedAnswers(other).file("root.1.json"))
    with trusted.reading() as reading:
        reading.fetch(trusted.url("registry"))
        facility.services.registry_trust.reset(root)

    assert store.find(signed.registry.base_url).metadata == {"root": root.read_text()}  # type: ignore[union-attr]


def profile(**changes: object) -> dict[str, object]:
    return {
        "schemaVersion": 1,
        "id": "teaching",
        "name": "Teaching",
        "version": "1.0.0",
        "minServiceVersion": "0.1.0",
        "capabilities": [],
        "requiredSecrets": [],
        "settings": {"access": {"siteName": "Teaching"}},
        **changes,
    }


def test_an_install_profile_is_the_one_that_was_signed(facility: Facility, signed: SignedAnswers) -> None:
    profiles, url = (
        facility.services.install_profiles,
        f"{signed.registry.base_url}/install-profiles/teaching/resolve",
    )
    with pytest.raises(ProfileUnreadable):
        profiles.read(url, None)
    signed.publish({"install-profiles/teaching/resolve": json.dumps(profile()).encode()})
    signed.registry.answers["/api/install-profiles/teaching/resolve"] = json.dumps(
        profile(settings={"access": {"siteName": "Elsewhere"}})
    ).encode()

    assert profiles.read(url, None)["settings"] == {"access": {"siteName": "Teaching"}}
    signed.put("timestamp.json", b"{}")
    with pytest.raises(SignatureNotValid):
        profiles.read(url, None)


def test_secrets_are_all_that_a_resolved_profile_adds_to_what_was_signed(
    facility: Facility, signed: SignedAnswers
) -> None:
    secret = {"name": "weblogSecret", "path": "settings.execution.weblogSecret"}
    unresolved = profile(requiredSecrets=[secret])
    signed.publish({"install-profiles/teaching/resolve": json.dumps(unresolved).encode()})
    url, path = (
        f"{signed.registry.base_url}/install-profiles/teaching/resolve",
        "/api/install-profiles/teaching/resolve",
    )
    settings = {"access": {"siteName": "Teaching"}, "execution": {"weblogSecret": "a secret of sixteen"}}
    signed.registry.answers[path] = json.dumps({**unresolved, "settings": settings}).encode()

    assert facility.services.install_profiles.read(url, None)["settings"] == settings

    settings["access"] = {"siteName": "Elsewhere"}
    signed.registry.answers[path] = json.dumps({**unresolved, "settings": settings}).encode()
    with pytest.raises(SignatureNotValid):
        facility.services.install_profiles.read(url, None)
