"""What admins are told of a registry that was not believed."""

from datetime import timedelta
from pathlib import Path
from typing import Any

from seqfacility_testkit.facility import Facility
from seqfacility_testkit.lying_mirror import SignedAnswers, new_key

NOT_VALID = "Registry signature is not valid"


def look(facility: Facility) -> Any:
    return facility.admin.get("/api/admin/pipelines/store").json


def trust(facility: Facility) -> Any:
    return facility.admin.get("/api/admin/registry-trust").json


def test_the_last_refusal_is_kept_until_something_was_verified(
    facility: Facility, signed: SignedAnswers
) -> None:
    valid = signed.file("timestamp.json")
    signed.put_timestamp(key=new_key(), version=9)
    look(facility)

    (refused,) = trust(facility)["refusals"]
    signed.put("timestamp.json", valid)
    facility.clock.advance(timedelta(minutes=1))
    assert look(facility)["registry"]["error"] is None
    (over,) = trust(facility)["refusals"]

    assert (refused["address"], refused["kind"], refused["message"]) == (
        signed.registry.base_url, "signature", NOT_VALID
    )  # fmt: skip
    assert refused["reason"].startswith(f"{signed.registry.base_url}/trust/timestamp.json: ")
    assert refused["isOver"] is False
    assert over == {**refused, "isOver": True}


def test_what_was_read_unverified_under_warn_is_a_refusal_to_admins(
    facility: Facility, signed: SignedAnswers
) -> None:
    assert facility.admin.patch("/api/admin/settings/registry", {"trust": "warn"}).status_code == 200
    signed.put_timestamp(version=3, days=-1)

    assert look(facility)["registry"]["error"] is None

    shown = trust(facility)
    assert (shown["policy"], shown["setting"], shown["registries"]) == ("warn", "warn", [])
    (refused,) = shown["refusals"]
    assert (refused["kind"], refused["isOver"]) == ("expired", False)


def test_a_registry_that_is_away_is_not_refused(facility: Facility, signed: SignedAnswers) -> None:
    signed.registry.stop()

    look(facility)

    assert trust(facility)["refusals"] == []


def test_a_reset_forgets_the_refusal(facility: Facility, signed: SignedAnswers, tmp_path: Path) -> None:
    signed.put_timestamp(key=new_key(), version=9)
    look(facility)
    root = tmp_path / "new-root.json"
    root.write_bytes(signed.file("root.1.json"))

    facility.services.registry_trust.reset(root)

    assert trust(facility)["refusals"] == []
