"""What holds when the variable of the root is lost, or its root was replaced; and what is kept when."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from peewee import IntegrityError, SqliteDatabase
from seqfacility_instance.install_profiles.errors import ProfileUnreadable
from seqfacility_instance.registry_trust import store
from seqfacility_instance.registry_trust.errors import OlderThanSeen, SignatureNotValid
from seqfacility_instance.registry_trust.reading import TrustedRegistry
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.people import AuditEvent
from seqfacility_schemas.examples import valid_examples
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.lying_mirror import SignedAnswers, pipeline_documents
from seqfacility_testkit.registry import StandInRegistry

CATALOG = "/api/admin/sequencing-tech"
PROFILE = "install-profiles/cluster/resolve"
NOT_VALID = "Registry signature is not valid"
LOST = "SEQFACILITY_REGISTRY_ROOT names no root; signatures are checked by what was verified before"


def registry_of(facility: Facility) -> TrustedRegistry:
    return facility.services.runs.pipeline_installation.registry


def lose_the_root(facility: Facility) -> None:
    object.__setattr__(registry_of(facility), "pinned_root", None)


def look(facility: Facility) -> Any:
    return facility.admin.get("/api/admin/pipelines/store").json["registry"]["error"]


def catalog(version: int, **technology: str) -> bytes:
    return json.dumps(
        {"version": version, "technologies": [{"id": "t1", "name": "T1", **technology}]}
    ).encode()


def profile(version: str) -> bytes:
    document = next(iter(valid_examples("registry/resolved-install-profile").values()))
    return json.dumps({**document, "requiredSecrets": [], "version": version}).encode()


def post(facility: Facility, action: str, registry: StandInRegistry) -> Any:
    url = f"{registry.base_url}/registry/sequencing-tech"
    return facility.admin.post(CATALOG, {"action": action, "syncUrl": url})


def test_signatures_stay_required_when_the_variable_of_the_root_is_lost(
    facility: Facility, signed: SignedAnswers
) -> None:
    assert look(facility) is None
    lose_the_root(facility)
    unsigned = pipeline_documents("new-qc", "6.6.6")
    signed.registry.answers.update({f"/api/{path}": body for path, body in unsigned.items()})

    answer = facility.admin.post("/api/admin/pipelines/install", {"pipelineId": "new-qc"})

    assert answer.status_code == 201
    assert answer.json["pipeline"]["version"] == "2.0.0"
    assert facility.admin.get("/api/admin/registry-trust").json["policy"] == "required"
    assert registry_of(facility).expiring(facility.clock.now()) == [LOST]
    with StandInRegistry() as elsewhere:
        elsewhere.answers["/api/registry/sequencing-tech"] = catalog(9)
        asked = post(facility, "check-updates", elsewhere)
    assert (asked.status_code, asked.json) == (502, {"error": NOT_VALID})


def test_an_admin_may_switch_signatures_off_when_the_root_is_lost(
    facility: Facility, signed: SignedAnswers
) -> None:
    assert look(facility) is None
    lose_the_root(facility)

    facility.admin.patch("/api/admin/settings/registry", {"trust": "off"})

    signed.put("timestamp.json", b"{}")
    assert look(facility) is None
    assert registry_of(facility).expiring(facility.clock.now()) == []


@pytest.fixture
def replaced(facility: Facility, signed: SignedAnswers, tmp_path: Path) -> Iterator[SignedAnswers]:
    """Return the same registry with new keys, to whose root the instance was reset."""
    assert look(facility) is None
    signed.publish({"registry/sequencing-tech": catalog(9)})
    with StandInRegistry() as mirror:
        mirror.answers = dict(signed.registry.answers)
        assert post(facility, "check-updates", mirror).status_code == 200
    with StandInRegistry() as registry:
        replaced, root = SignedAnswers(registry), tmp_path / "replaced.json"
        replaced.publish({"registry/sequencing-tech": catalog(10)})
        root.write_bytes(replaced.file("root.1.json"))
        facility.services.registry_trust.reset(root)
        yield replaced


def test_a_root_that_a_reset_has_replaced_counts_at_no_other_address(
    facility: Facility, signed: SignedAnswers, replaced: SignedAnswers
) -> None:
    with StandInRegistry() as mirror:
        mirror.answers = dict(signed.registry.answers)

        answer = post(facility, "apply-updates", mirror)

    assert (answer.status_code, answer.json) == (502, {"error": NOT_VALID})
    assert [row.address for row in store.list_all()] == [signed.registry.base_url]
    (warning,) = registry_of(facility).expiring(facility.clock.now())
    assert warning.endswith("holds the root that a reset has replaced; put the new one there")


def test_an_address_begins_at_the_new_root_once_the_file_holds_it(
    facility: Facility, replaced: SignedAnswers, tmp_path: Path
) -> None:
    object.__setattr__(registry_of(facility), "pinned_root", tmp_path / "replaced.json")

    answer = post(facility, "check-updates", replaced.registry)

    assert answer.status_code == 200, answer.text
    assert registry_of(facility).expiring(facility.clock.now()) == []


def test_an_act_that_began_before_a_reset_brings_no_replaced_root_back(
    facility: Facility, signed: SignedAnswers, tmp_path: Path
) -> None:
    assert look(facility) is None
    trusted, root = registry_of(facility), tmp_path / "replaced.json"
    with StandInRegistry() as mirror, StandInRegistry() as other:
        mirror.answers = dict(signed.registry.answers)
        root.write_bytes(SignedAnswers(other).file("root.1.json"))
        with trusted.reading(f"{mirror.base_url}/registry") as slow:
            slow.fetch(f"{mirror.base_url}/registry")
            facility.services.registry_trust.reset(root)

    assert [row.address for row in store.list_all()] == [signed.registry.base_url]


@pytest.mark.usefixtures("replaced")
def test_a_later_reset_forgets_no_root_that_was_replaced(
    facility: Facility, signed: SignedAnswers, tmp_path: Path
) -> None:
    here, root = registry_of(facility).base_url, tmp_path / "third.json"
    with StandInRegistry() as registry, StandInRegistry() as mirror:
        root.write_bytes(SignedAnswers(registry).file("root.1.json"))
        facility.services.registry_trust.reset(root)
        mirror.answers = dict(signed.registry.answers)
        assert post(facility, "check-updates", mirror).json == {"error": NOT_VALID}
        facility.services.registry_trust.reset(root, mirror.base_url)
        assert len(store.list_all()) == 2

    (holder,) = [row for row in store.list_all() if row.replaced_roots]
    assert holder.address != here
    pinned = registry_of(facility).pinned_root
    assert pinned is not None
    first, second = pinned.read_bytes(), (tmp_path / "replaced.json").read_bytes()
    assert holder.replaced_roots == sorted(map(store.digest_of, (first, second)))


def test_a_root_that_was_replaced_may_be_trusted_again(facility: Facility, replaced: SignedAnswers) -> None:
    pinned = registry_of(facility).pinned_root
    assert pinned is not None

    facility.services.registry_trust.reset(pinned)

    assert look(facility) is None
    assert registry_of(facility).expiring(facility.clock.now()) == []


def test_a_profile_is_read_by_what_the_database_knows(facility: Facility, signed: SignedAnswers) -> None:
    signed.publish({PROFILE: profile("1.0.0")})
    former = signed.file("timestamp.json")
    signed.publish({PROFILE: profile("9.9.9")})
    assert look(facility) is None
    lose_the_root(facility)
    profiles, url = facility.services.install_profiles, f"{signed.registry.base_url}/{PROFILE}"
    signed.registry.answers[f"/api/{PROFILE}"] = profile("6.6.6")

    assert profiles.read(url, None)["version"] == "9.9.9"
    signed.put("timestamp.json", former)
    with pytest.raises(OlderThanSeen):
        profiles.read(url, None)


def test_before_there_is_a_database_a_profile_is_read_by_the_pinned_root_alone(
    facility: Facility, signed: SignedAnswers
) -> None:
    signed.publish({PROFILE: profile("1.0.0")})
    profiles, url = facility.services.install_profiles, f"{signed.registry.base_url}/{PROFILE}"

    assert profiles.read(url, None, has_database=False)["version"] == "1.0.0"
    signed.put("timestamp.json", b"{}")
    with pytest.raises((SignatureNotValid, ProfileUnreadable)):
        profiles.read(url, None, has_database=False)
    assert store.list_all() == []


@contextmanager
def no_room_for_what_was_verified() -> Iterator[None]:
    """Let the database refuse each new row of the table."""
    begin = "CREATE TRIGGER no_room BEFORE INSERT ON registry_trust BEGIN SELECT RAISE(ABORT, 'no room'); END"
    end = "DROP TRIGGER no_room"
    if not isinstance(database.obj, SqliteDatabase):
        begin = "ALTER TABLE registry_trust ADD CONSTRAINT no_room CHECK (false) NOT VALID"
        end = "ALTER TABLE registry_trust DROP CONSTRAINT no_room"
    database.execute_sql(begin)
    try:
        yield
    finally:
        database.execute_sql(end)


def test_a_catalog_and_what_it_came_from_are_stored_together_or_not_at_all(
    facility: Facility, signed: SignedAnswers
) -> None:
    signed.publish({"registry/sequencing-tech": catalog(10_000)})
    before = facility.admin.get(CATALOG).json

    with no_room_for_what_was_verified(), pytest.raises(IntegrityError, match="room"):
        facility.services.catalogs.apply(None)

    assert facility.admin.get(CATALOG).json == before
    assert post(facility, "apply-updates", signed.registry).json["applied"] is True
    assert [row.timestamp_version for row in store.list_all()] == [3]


def test_a_lie_about_a_drawing_is_not_over_by_the_sync_that_met_it(
    facility: Facility, signed: SignedAnswers
) -> None:
    image = "images/catalog/t1.png"
    signed.publish(
        {"registry/sequencing-tech": catalog(10_000, image=f"/{image}"), image: b"\x89PNG of the registry"}
    )
    targets = json.loads(signed.file(f"targets.{signed.version}.json"))["signed"]["targets"]
    signed.put(f"documents/{targets[image]['hashes']['sha256']}", b"\x89PNG of the mirror.")

    assert post(facility, "apply-updates", signed.registry).status_code == 200

    (met,) = facility.admin.get("/api/admin/registry-trust").json["refusals"]
    facility.clock.advance(timedelta(minutes=1))
    assert look(facility) is None
    (later,) = facility.admin.get("/api/admin/registry-trust").json["refusals"]
    assert (met["isOver"], later["isOver"]) == (False, True)


def test_the_audit_trail_says_whether_a_package_was_verified(
    facility: Facility, signed: SignedAnswers
) -> None:
    installation = facility.services.runs.pipeline_installation
    facility.admin.post("/api/admin/pipelines/install", {"pipelineId": "new-qc"})

    installation.install_file(
        pipeline_documents("new-qc", "6.6.6")["registry/pipelines/new-qc/6.6.6/download"]
    )

    rows = AuditEvent.select().where(AuditEvent.action == "pipeline-installed").order_by(AuditEvent.id)
    assert {row.detail["version"]: row.detail["verified"] for row in rows} == {"2.0.0": True, "6.6.6": False}
    assert installation.file_warnings() != []
    facility.admin.patch("/api/admin/settings/registry", {"trust": "off"})
    assert installation.file_warnings() == []
