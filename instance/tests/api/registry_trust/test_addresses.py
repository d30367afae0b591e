"""A registry at several addresses: what was seen at one counts at a new one."""

import json
from pathlib import Path

import pytest
from seqfacility_instance.registry_trust import store
from seqfacility_instance.registry_trust.errors import RegistryNotKnown
from seqfacility_instance.tables.registry_trust import RegistryTrust
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.lying_mirror import TRUST, SignedAnswers
from seqfacility_testkit.registry import StandInRegistry

NOT_VALID = "Registry signature is not valid"
CATALOG = "/api/admin/sequencing-tech"


def catalog(version: int) -> bytes:
    device = {"id": "dev", "name": "Device", "available": True, "image": ""}
    return json.dumps({"version": version, "technologies": [device]}).encode()


def trust_files(signed: SignedAnswers) -> dict[str, bytes]:
    return {path: body for path, body in signed.registry.answers.items() if path.startswith(TRUST)}


def test_another_address_of_the_same_registry_does_not_go_back_in_time(
    facility: Facility, signed: SignedAnswers
) -> None:
    signed.publish({"registry/sequencing-tech": catalog(10_000)})
    old = trust_files(signed)
    signed.publish({"registry/sequencing-tech": catalog(10_001)})
    facility.admin.get("/api/admin/pipelines/store")
    with StandInRegistry() as mirror:
        mirror.answers = old
        asked = {"action": "apply-updates", "syncUrl": f"{mirror.base_url}/registry/sequencing-tech"}

        refused = facility.admin.post(CATALOG, asked)
        kept = [row.address for row in store.list_all()]
        mirror.answers = trust_files(signed)
        synced = facility.admin.post(CATALOG, asked)

    older = {"error": "Registry data is older than what was seen"}
    assert (refused.status_code, refused.json) == (502, older)
    assert kept == [signed.registry.base_url]
    assert synced.status_code == 200, synced.text


def test_a_mirror_whose_timestamp_alone_is_older_is_read(facility: Facility, signed: SignedAnswers) -> None:
    signed.publish({"registry/sequencing-tech": catalog(10_000)})
    old = trust_files(signed)
    signed.put_timestamp(version=signed.version + 1)
    facility.admin.get("/api/admin/pipelines/store")
    with StandInRegistry() as mirror:
        mirror.answers = old
        url = f"{mirror.base_url}/registry/sequencing-tech"

        answer = facility.admin.post(CATALOG, {"action": "check-updates", "syncUrl": url})

    assert answer.status_code == 200, answer.text


def test_a_registry_with_a_root_of_its_own_begins_at_that_alone(
    facility: Facility, signed: SignedAnswers, tmp_path: Path
) -> None:
    facility.admin.get("/api/admin/pipelines/store")
    with StandInRegistry() as registry:
        other, root = SignedAnswers(registry), tmp_path / "other.json"
        other.publish({"registry/sequencing-tech": catalog(10_000)})
        root.write_bytes(other.file("root.1.json"))
        asked = {"action": "check-updates", "syncUrl": f"{registry.base_url}/registry/sequencing-tech"}
        assert facility.admin.post(CATALOG, asked).json == {"error": NOT_VALID}

        facility.services.registry_trust.reset(root, registry.base_url)

        assert facility.admin.post(CATALOG, asked).status_code == 200


def test_an_address_that_nothing_was_read_at_is_not_reset(
    facility: Facility, signed: SignedAnswers, tmp_path: Path
) -> None:
    facility.admin.get("/api/admin/pipelines/store")
    before = list(RegistryTrust.select().dicts())
    root = tmp_path / "new-root.json"
    root.write_bytes(signed.file("root.1.json"))

    with pytest.raises(RegistryNotKnown, match=signed.registry.base_url):
        facility.services.registry_trust.reset(
            root, signed.registry.base_url.replace("127.0.0.1", "LOCALHOST")
        )

    assert list(RegistryTrust.select().dicts()) == before
