"""What who has stolen the online key may write into a timestamp: numbers and words that nothing can hold."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from seqfacility_instance.registry_trust.errors import RootNotUsable
from seqfacility_instance.tables.registry_trust import RegistryRefusal, RegistryTrust
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.lying_mirror import TRUST, SignedAnswers, signed_bytes
from tuf.api.metadata import Metadata, MetaFile, Timestamp

NOT_VALID = "Registry signature is not valid"
NOT_REACHABLE = "Registry is not reachable"
MANY = 2**70


def change_timestamp(signed: SignedAnswers, change: Callable[[Timestamp], None]) -> None:
    """Serve the timestamp with a change, signed by the online key."""
    timestamp = Metadata[Timestamp].from_bytes(signed.file("timestamp.json")).signed
    timestamp.version += 1
    change(timestamp)
    signed.put("timestamp.json", signed_bytes(timestamp, signed.online_key))


def issued(time: str) -> Callable[[Timestamp], None]:
    return lambda timestamp: timestamp.unrecognized_fields.update(issued=time)


def version(number: int) -> Callable[[Timestamp], None]:
    return lambda timestamp: setattr(timestamp, "version", number)


def snapshot(**said: Any) -> Callable[[Timestamp], None]:
    return lambda timestamp: setattr(timestamp, "snapshot_meta", MetaFile(**{"version": 2, **said}))


ODD = {
    "issued before all time": issued("0001-01-01T00:00:00+14:00"),
    "issued after all time": issued("9999-12-31T23:59:59-14:00"),
    "timestamp of a huge version": version(MANY),
    "timestamp of ten digits": version(1_000_000_000),
    "snapshot of a huge version": snapshot(version=MANY),
    "digest with a NUL": snapshot(hashes={"sha256": "a\0b"}),
    "algorithm with a NUL": snapshot(hashes={"sh\0a": "a"}),
}


def look(facility: Facility) -> Any:
    return facility.admin.get("/api/admin/pipelines/store").json


def install(facility: Facility) -> Any:
    return facility.admin.post("/api/admin/pipelines/install", {"pipelineId": "new-qc"})


@pytest.mark.parametrize("change", ODD.values(), ids=ODD)
def test_a_number_or_time_that_nothing_can_hold_is_refused_and_the_refusal_is_kept(
    facility: Facility, signed: SignedAnswers, change: Callable[[Timestamp], None]
) -> None:
    honest = signed.file("timestamp.json")
    change_timestamp(signed, change)

    answer = install(facility)

    assert (answer.status_code, answer.json) == (502, {"error": NOT_VALID})
    assert look(facility)["registry"]["error"] == NOT_VALID
    assert list(RegistryTrust.select()) == []
    (refusal,) = RegistryRefusal.select()
    assert refusal.message == NOT_VALID
    signed.put("timestamp.json", honest)
    assert install(facility).status_code == 201


@pytest.mark.parametrize("change", [ODD["issued after all time"], version(MANY)], ids=["time", "version"])
def test_under_warn_a_facility_goes_on(
    facility: Facility, signed: SignedAnswers, change: Callable[[Timestamp], None]
) -> None:
    facility.admin.patch("/api/admin/settings/registry", {"trust": "warn"})
    change_timestamp(signed, change)

    answer = install(facility)

    assert answer.status_code == 201
    assert answer.json["warnings"][0].startswith(NOT_VALID)


def test_readers_of_the_catalog_make_one_walk_for_a_lie(facility: Facility, signed: SignedAnswers) -> None:
    change_timestamp(signed, ODD["issued after all time"])

    answers = [facility.http.simulate_get("/api/sequencing-tech").status_code for _ in range(3)]

    assert answers == [200, 200, 200]
    assert signed.registry.asked.count(f"{TRUST}timestamp.json") == 1


def test_no_length_in_a_timestamp_makes_a_snapshot_longer_than_its_limit(
    facility: Facility, signed: SignedAnswers
) -> None:
    change_timestamp(signed, snapshot(length=10**12))
    signed.put("snapshot.2.json", signed.file("snapshot.2.json") + b" " * 2**21)

    answer = install(facility)

    assert (answer.status_code, answer.json) == (502, {"error": NOT_VALID})
    (refusal,) = RegistryRefusal.select()
    assert refusal.reason.endswith("longer than 1048576 bytes")


def test_a_full_temporary_folder_is_told_and_refuses_no_registry(
    facility: Facility, signed: SignedAnswers, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    full = tmp_path / "gone"
    with monkeypatch.context() as patched:
        patched.setattr(tempfile, "tempdir", str(full))
        answer = install(facility)
        facility.admin.patch("/api/admin/settings/registry", {"trust": "warn"})
        warned = look(facility)

    assert (answer.status_code, answer.json) == (502, {"error": NOT_REACHABLE})
    assert warned["registry"]["error"] is None
    (warning,) = warned["warnings"]
    assert warning.endswith(
        "its signatures cannot be checked in the temporary folder: No such file or directory"
    )
    assert list(RegistryRefusal.select()) == []


def test_a_root_of_a_huge_version_is_none(facility: Facility, signed: SignedAnswers, tmp_path: Path) -> None:
    signed.root.version = MANY
    root = tmp_path / "huge.json"
    root.write_bytes(signed_bytes(signed.root, *signed.root_keys))

    with pytest.raises(RootNotUsable):
        facility.services.registry_trust.reset(root)
