"""The audit trail: newest first, by action, by object, in pages."""

from datetime import timedelta
from pathlib import Path

import pytest
from seqfacility_instance.access.audit_chain import find_head
from seqfacility_instance.access.audit_heads import read_heads
from seqfacility_instance.access.audit_verification import (
    Verdict,
    check_kept,
    find_check,
    save_check,
    verify,
)
from seqfacility_instance.site import audit_care
from seqfacility_instance.site.audit_care import AuditCare
from seqfacility_instance.tables.people import AuditEvent
from seqfacility_testkit.facility import ADMIN, Facility

AUDIT = "/api/admin/audit"


def test_acts_are_listed_newest_first_with_their_actor(facility: Facility) -> None:
    facility.admin.patch("/api/admin/settings/access", {"siteName": "Core Lab"})
    facility.admin.put("/api/admin/modules", {"globalDisabled": True})

    newest, older = facility.admin.get(AUDIT).json["events"][:2]

    assert (newest["action"], older["action"]) == ("modules-saved", "settings-saved")
    assert newest["actor"] == {
        "id": facility.admin_id, "firstName": "Rosalind", "lastName": "Franklin", "email": ADMIN,
    }  # fmt: skip
    assert newest["address"] == "127.0.0.1"


def test_a_page_says_what_it_is_a_page_of(facility: Facility) -> None:
    everything = facility.admin.get(AUDIT).json

    page = facility.admin.get(AUDIT, params={"limit": "1", "offset": "1"}).json

    assert (page["total"], page["limit"], page["offset"]) == (everything["total"], 1, 1)
    assert page["events"] == everything["events"][1:2]


def test_filters_choose_by_action_and_by_object(facility: Facility) -> None:
    facility.anonymous.post("/api/auth/sign-in", {"email": ADMIN, "password": "not this one"})

    failed = facility.admin.get(AUDIT, params={"action": "sign-in-failed"}).json
    made = facility.admin.get(AUDIT, params={"objectId": facility.researcher_id}).json
    nothing = facility.admin.get(AUDIT, params={"action": "never-happened"}).json
    nonsense = facility.admin.get(AUDIT, params={"objectId": "a\0b"}).json

    assert [(event["actor"], event["detail"]) for event in failed["events"]] == [(None, {"email": ADMIN})]
    assert [event["action"] for event in made["events"]] == ["registered"]
    assert (nothing["events"], nothing["total"]) == ([], 0)
    assert nonsense == nothing


def test_filters_choose_by_actor_and_by_day(facility: Facility) -> None:
    facility.researcher.post("/api/auth/sign-out")
    today = f"{facility.clock.now():%Y-%m-%d}"
    later = f"{facility.clock.now() + timedelta(days=1):%Y-%m-%d}"

    def actions(**query: str) -> list[str]:
        return [event["action"] for event in facility.admin.get(AUDIT, params=query).json["events"]]

    assert actions(actor=facility.researcher_id)[0] == "sign-out"
    assert actions(actor=facility.researcher_id, **{"from": today, "to": today})[0] == "sign-out"
    assert actions(actor=facility.researcher_id, **{"from": later}) == []
    for wrong in ("yesterday", "9999-12-31T00", "10000-01-01", "2031-02-30"):
        refused = facility.admin.get(AUDIT, params={"from": wrong})
        assert (refused.status_code, refused.json["error"]) == (400, "Validation failed")
    assert facility.admin.get(AUDIT, params={"to": "9999-12-31"}).status_code == 200


def test_a_password_that_was_tried_is_never_in_the_trail(facility: Facility) -> None:
    facility.anonymous.post("/api/auth/sign-in", {"email": ADMIN, "password": "a very secret guess"})

    assert "a very secret guess" not in facility.admin.get(AUDIT).text


def test_the_trail_is_for_admins(facility: Facility) -> None:
    refused = facility.researcher.get(AUDIT)

    assert (refused.status_code, refused.json) == (403, {"error": "Unauthorized"})


def test_the_chain_is_told_with_its_head(facility: Facility) -> None:
    told = facility.admin.get(f"{AUDIT}/chain").json

    head = find_head()
    assert head is not None
    assert told == {
        "intact": True,
        "rows": AuditEvent.select().count(),
        "firstBroken": None,
        "head": head.hash,
        "verifiedAt": None,
    }


def test_what_the_worker_found_broken_stays_told(facility: Facility) -> None:
    care = AuditCare(facility.services.facility)
    now = facility.clock.now()
    care.verify_some(now)
    before = facility.admin.get(f"{AUDIT}/chain").json

    save_check(Verdict(3, None, "0123456789abcdefghjkmnpqrs", "its content was changed"), now)

    told = facility.admin.get(f"{AUDIT}/chain").json
    assert before["intact"]
    assert before["verifiedAt"] is not None
    assert (told["intact"], told["firstBroken"]) == (False, "0123456789abcdefghjkmnpqrs")
    assert told["verifiedAt"] == before["verifiedAt"]


def test_heads_are_noted_in_a_file_that_holds_nothing_else(facility: Facility, tmp_path: Path) -> None:
    care, file, other = AuditCare(facility.services.facility), tmp_path / "heads", tmp_path / "other"
    other.write_text("Host secret\n")
    facility.admin.patch("/api/admin/settings/audit", {"headFile": str(file)})
    care.note_head(facility.clock.now())
    facility.admin.patch("/api/admin/settings/audit", {"headFile": str(other)})
    care.note_head(facility.clock.now() + timedelta(minutes=2))

    assert [head.sequence for head in read_heads(file)] == [AuditEvent.select().count() - 1]
    assert check_kept(read_heads(file)).is_intact
    assert other.read_text() == "Host secret\n"


def test_the_worker_verifies_a_long_trail_in_steps(
    facility: Facility, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_care, "VERIFIED_AT_ONCE", 2)
    care, now, steps = AuditCare(facility.services.facility), facility.clock.now(), 1
    while care.verify_some(now):
        steps += 1

    check, rows = find_check(), AuditEvent.select().count()
    assert check is not None
    assert (check.first_broken, check.completed_at) == (None, now)
    assert steps == rows // 2 + 1
    assert not care.verify_some(now)


def test_the_worker_removes_what_the_settings_no_longer_keep(facility: Facility) -> None:
    refused = facility.admin.patch("/api/admin/settings/audit", {"keepDays": 29})
    facility.admin.patch("/api/admin/settings/audit", {"keepDays": 30})
    before, care = AuditEvent.select().count(), AuditCare(facility.services.facility)
    now = facility.clock.now() + timedelta(days=40)

    assert refused.status_code == 400
    assert not care.prune(facility.clock.now())
    assert care.prune(now)

    (left,) = AuditEvent.select()
    assert (left.action, left.object_id, left.sequence) == ("audit-pruned", str(before), before + 1)
    assert verify().is_intact
