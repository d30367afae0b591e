"""A person's data: all of it in one document, and taken out of the facility."""

import json
from typing import Any

import pytest
from seqfacility_instance.access import audit
from seqfacility_instance.access.audit_verification import verify
from seqfacility_instance.accounts.errors import LastAdmin
from seqfacility_instance.accounts.store import find_user, find_user_by_email
from seqfacility_instance.accounts.throttle import count_attempt
from seqfacility_instance.core.vocabulary.mail import MailKind
from seqfacility_instance.core.vocabulary.messages import NotificationType
from seqfacility_instance.core.vocabulary.outgoing import SendingStatus
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.core.vocabulary.site import ModuleId
from seqfacility_instance.personal_data import erasure
from seqfacility_instance.personal_data.erasure import Erased
from seqfacility_instance.personal_data.export import export
from seqfacility_instance.tables.all_tables import ALL_TABLES
from seqfacility_instance.tables.mail import OutgoingMail
from seqfacility_instance.tables.messages import Notification
from seqfacility_instance.tables.orders import Order, Sample, StatusNote
from seqfacility_instance.tables.people import AdminInvite, Session, User
from seqfacility_instance.tables.sequencing import SequencingRun, SequencingRunSample
from seqfacility_instance.tables.studies import Study
from seqfacility_testkit.facility import ADMIN, PASSWORD, RESEARCHER, Facility
from seqfacility_testkit.one_of_each import LINK_TOKEN, make_one_of_each


@pytest.fixture
def ids(facility: Facility) -> dict[str, str]:
    """Let the researcher leave traces wherever somebody can."""
    now = facility.clock.now()
    facility.services.facility.change_modules({ModuleId.NOTIFICATIONS: True}, None, now)
    made = make_one_of_each(facility.researcher_id, facility.admin_id, now)
    facility.admin.post(f"/api/admin/users/{facility.researcher_id}/reset-link")
    facility.researcher.post(
        "/api/user/tokens", {"name": "Night script", "scopes": ["orders:read"], "expiresInDays": 1}
    )
    for email in (RESEARCHER, "grace@elsewhere.test"):
        facility.admin.post("/api/admin/invites", {"email": email})
    facility.anonymous.post("/api/auth/sign-in", {"email": RESEARCHER, "password": "wrong password"})
    Notification.create(
        user=facility.admin_id, type=NotificationType.ACCOUNT_PENDING, title="Account waits: Ada Lovelace"
    )
    StatusNote.create(
        order=made["order_id"], note_type="INTERNAL", content=f"Ask {RESEARCHER}", user=facility.admin_id
    )
    return made


def researcher(facility: Facility) -> User:
    user = find_user(facility.researcher_id)
    assert user is not None
    return user


def erase(facility: Facility, *, is_rehearsal: bool = False) -> Erased:
    return erasure.erase(researcher(facility), facility.clock.now(), is_rehearsal=is_rehearsal)


def all_rows() -> dict[str, list[Any]]:
    return {table.__name__: sorted(map(repr, table.select().tuples())) for table in ALL_TABLES}


def test_the_export_has_every_kind_of_row_and_no_secret(facility: Facility, ids: dict[str, str]) -> None:
    document = export(researcher(facility), facility.clock.now())

    text = json.dumps(document)
    account = document["account"]
    assert isinstance(account, dict)
    assert (account["email"], account["firstName"], account["role"]) == (RESEARCHER, "Ada", "RESEARCHER")
    filled = {key for key, rows in document.items() if isinstance(rows, list) and rows}
    assert filled >= {
        "orders", "studies", "tickets", "ticketMessages", "statusNotes", "sessions", "auditEvents",
        "deliveryLinks", "passwordResetLinks", "adminInvites", "throttleAttempts", "pipelineRuns",
        "apiTokens",
    }  # fmt: skip
    (order,) = document["orders"]  # type: ignore[misc]
    assert (order["orderNumber"], order["sampleCodes"]) == ("ORD-20310504-9999", ["S-1-AAAAAA"])
    assert document["sessions"][0]["address"] == "127.0.0.1"  # type: ignore[index]
    secrets = {row.token_hash for row in Session.select()} | {researcher(facility).password_hash, LINK_TOKEN}
    secrets |= {row.code_hash for row in AdminInvite.select()} | {"the-token-of-a-launch"}
    assert not [secret for secret in secrets if secret in text]
    assert "grace@" not in text
    assert facility.admin.get("/api/admin/audit?action=user-exported").json["total"] == 1


def test_an_erased_person_is_a_former_user_everywhere(facility: Facility, ids: dict[str, str]) -> None:
    assert RESEARCHER in json.dumps(all_rows()["AuditEvent"])

    erased = erase(facility)

    name, email = f"Former user {facility.researcher_id[-6:]}", f"erased-{facility.researcher_id}@invalid"
    assert (erased.pseudonym, erased.email) == (name, email)
    assert {what for what, count in erased.removed.items() if not count} == {
        "secondFactor",
        "providerAccounts",
        "mail",
    }
    order = facility.admin.get(f"/api/orders/{ids['order_id']}").json["order"]
    assert order["userId"] == facility.researcher_id
    shown = facility.admin.get(f"/api/admin/users?q={email}").json["users"]
    assert [(user["firstName"], user["isActive"]) for user in shown] == [("Former user", False)]
    left = {table: rows for table, rows in all_rows().items() if table != "StatusNote"}
    assert RESEARCHER not in json.dumps(left)
    assert "Lovelace" not in json.dumps(left)
    assert [row.email for row in AdminInvite.select() if row.email] == ["grace@elsewhere.test"]
    assert verify().is_intact


def test_nobody_comes_in_as_an_erased_person(facility: Facility, ids: dict[str, str]) -> None:
    link = facility.admin.post(f"/api/admin/users/{facility.researcher_id}/reset-link").json["path"]

    erase(facility)

    user = f"/api/admin/users/{facility.researcher_id}"
    assert facility.researcher.get("/api/orders").status_code == 401
    assert facility.anonymous.get(f"/d/{ids['token']}/checksums.md5").status_code == 404
    token = link.rpartition("=")[2].rpartition("/")[2]
    reset = facility.anonymous.post(
        "/api/auth/password-reset", {"token": token, "newPassword": "a long one too"}
    )
    assert reset.status_code == 400
    for email in (RESEARCHER, f"erased-{facility.researcher_id}@invalid"):
        for password in (PASSWORD, "x"):
            answer = facility.anonymous.post("/api/auth/sign-in", {"email": email, "password": password})
            assert answer.status_code == 401
    refused = facility.admin.patch(user, {"isActive": True})
    assert (refused.status_code, refused.json["error"]) == (409, "Account is erased. Make a new one")
    taken = {"email": "erased-x@invalid", "password": PASSWORD, "firstName": "E", "lastName": "X"}
    assert facility.anonymous.post("/api/register", taken).json["details"] == [
        "email: must be an e-mail address"
    ]


def test_the_objects_with_free_text_are_named(facility: Facility, ids: dict[str, str]) -> None:
    mentioned = StatusNote.get(StatusNote.user == facility.admin_id)

    erased = erase(facility)

    assert set(erased.free_text["notes"]) == {ids["note_id"], mentioned.id}
    assert erased.free_text["orders"] == [Order.get_by_id(ids["order_id"]).order_number]
    assert erased.free_text["tickets"] == [ids["ticket_id"]]
    assert erased.free_text["studies"] == ["A study"]


def test_a_rehearsal_tells_the_same_and_changes_nothing(facility: Facility, ids: dict[str, str]) -> None:
    before = all_rows()

    told = erase(facility, is_rehearsal=True)

    assert all_rows() == before
    assert erase(facility) == told


def test_erasing_twice_changes_nothing_more(facility: Facility, ids: dict[str, str]) -> None:
    erase(facility)
    before = all_rows()
    count_attempt("sign-in:email", "somebody@else.test", facility.clock.now())

    again = erase(facility)

    assert again.removed == {}
    assert {**all_rows(), "ThrottleAttempt": before["ThrottleAttempt"]} == before


def test_the_last_active_admin_is_not_erased(facility: Facility, ids: dict[str, str]) -> None:
    admin = find_user_by_email(ADMIN)
    assert admin is not None
    before = all_rows()

    with pytest.raises(LastAdmin):
        erasure.erase(admin, facility.clock.now(), is_rehearsal=False)

    assert all_rows() == before


def a_mail(facility: Facility, mail_id: str, facts: dict[str, object], **values: object) -> None:
    kind = values.pop("kind", MailKind.REGISTRATION_WAITING)
    OutgoingMail.create(id=mail_id, user=facility.admin_id, kind=kind, facts=facts, **values)


def test_the_export_has_audit_rows_that_name_the_email_as_a_whole(
    facility: Facility, ids: dict[str, str]
) -> None:
    now = facility.clock.now()
    for about, email in (("theirs", RESEARCHER), ("another's", f"x{RESEARCHER}")):
        audit.record(None, AuditAction.SIGN_IN_FAILED, "user", about, now, email=email)

    rows: Any = export(researcher(facility), now)["auditEvents"]

    named = {row["objectId"] for row in rows}
    assert "theirs" in named
    assert "another's" not in named


def test_an_erased_person_is_in_no_mail_to_others(facility: Facility, ids: dict[str, str]) -> None:
    now = facility.clock.now()
    OutgoingMail.delete().execute()
    by_email: dict[str, object] = {"email": RESEARCHER}
    by_name: dict[str, object] = {"name": "Ada Lovelace"}
    other: dict[str, object] = {"email": f"x{RESEARCHER}", "name": "Hilda Lovelaces"}
    a_mail(facility, "ended", by_email, status=SendingStatus.FAILED, finished_at=now)
    a_mail(facility, "waits", by_name)
    a_mail(facility, "for-digest", by_email, status=SendingStatus.FOR_DIGEST)
    a_mail(facility, "another's", other)
    a_mail(facility, "digest", {}, kind=MailKind.DIGEST)

    assert erase(facility).removed["mail"] == 3

    left = {mail.id: mail.facts for mail in OutgoingMail.select()}
    assert left == {"another's": other, "digest": {}}


def test_fields_and_notes_that_name_the_person_are_listed(facility: Facility, ids: dict[str, str]) -> None:
    names: dict[str, object] = {"contact": f'"{RESEARCHER}"'}
    order = Order.create(order_number="ORD-1", form_version=1, user=facility.admin_id, custom_fields=names)
    Study.create(id="study", title="Theirs", mixs_version=1, user=facility.admin_id, metadata=names)
    for code, columns in (("S-1", {"custom_fields": names}), ("S-2", {"checklist_data": names}), ("S-3", {})):
        Sample.create(id=code, sample_code=code, order=order, **columns)
    SequencingRun.create(id="run", run_id="R1", order=order, notes="Ask Ada Lovelace")
    for sample, text in (("S-1", {"notes": RESEARCHER}), ("S-2", {"custom_fields": names}), ("S-3", {})):
        SequencingRunSample.create(id=f"in-{sample}", sequencing_run="run", sample=sample, **text)

    listed = erase(facility).free_text

    assert "ORD-1" in listed["orders"]
    assert "Theirs" in listed["studies"]
    assert listed["samples"] == ["S-1", "S-2"]
    assert "run" in listed["sequencingRuns"]
    assert listed["sequencingRunSamples"] == ["in-S-1", "in-S-2"]


def test_the_export_tells_nothing_of_others_and_of_the_server(
    facility: Facility, ids: dict[str, str]
) -> None:
    now, admin = facility.clock.now(), find_user_by_email(ADMIN)
    assert admin is not None
    facts: dict[str, object] = {"name": "Grace Hopper", "email": "grace@elsewhere.test"}
    a_mail(facility, "registration", facts)
    a_mail(facility, "for-digest", facts, status=SendingStatus.FOR_DIGEST)
    for actor, address, email in (
        (facility.admin_id, "192.0.2.1", "old@lab.test"),
        (facility.admin_id, "192.0.2.2", RESEARCHER),
        (None, "192.0.2.3", RESEARCHER),
    ):
        act, person = AuditAction.SIGN_IN_FAILED, facility.researcher_id
        audit.write(actor, address, act, "user", person, now, {"email": email})
    SequencingRun.update(folder_path="/mnt/runs/R1", saved_by=facility.researcher_id).execute()

    theirs = json.dumps(export(researcher(facility), now))
    admins = json.dumps(export(admin, now))

    for text in ("192.0.2.1", "192.0.2.2", "old@lab.test", "/mnt/runs", "leaseHolder", "pidNamespace"):
        assert text not in theirs
    assert "192.0.2.3" in theirs
    assert {"192.0.2.1", "old@lab.test"} <= set(admins.replace('"', " ").split())
    assert not [row for row in json.loads(admins)["adminInvites"] if row["email"]]
    assert "grace@" not in json.dumps(json.loads(admins)["outgoingMails"])
    assert "Hopper" not in admins
