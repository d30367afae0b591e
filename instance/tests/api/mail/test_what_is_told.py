"""Which mail people get, in which words, and when they want it."""

import json
from datetime import timedelta
from email.message import EmailMessage

import pytest
from seqfacility_instance.core.vocabulary.mail import MailKind
from seqfacility_instance.core.vocabulary.outgoing import SendingStatus
from seqfacility_instance.core.vocabulary.site import ModuleId
from seqfacility_instance.mail import outbox
from seqfacility_instance.tables.mail import MailPreference, OutgoingMail
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.sequencing import DeliveryLink
from seqfacility_testkit.facility import ADMIN, RESEARCHER, Client, Facility
from seqfacility_testkit.pipeline_runs import completed, running, tick, use_scripted_executor
from seqfacility_testkit.sequencing import draft_order, submitted_order, upload

from .conftest import URL, Posted

PREFERENCES = "/api/user/mail-preferences"


def told(mails: list[EmailMessage]) -> list[tuple[str, str]]:
    return sorted((str(mail["To"]), str(mail["Subject"])) for mail in mails)


def text_of(mail: EmailMessage) -> str:
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def html_of(mail: EmailMessage) -> str:
    part = mail.get_body(("html",))
    assert part is not None
    return str(part.get_content())


def choose(client: Client, event: str, when: str) -> None:
    answer = client.put(PREFERENCES, {"preferences": [{"event": event, "when": when}]})
    assert answer.status_code == 200, answer.text


def released_order(posted: Posted) -> str:
    order = submitted_order(posted.facility)
    upload(posted.facility, order, metadata={"dataClass": "cleaned"})
    path = f"/api/orders/{order.id}/sequencing/delivery/publication"
    assert posted.facility.admin.put(path).status_code == 200
    return order.id


def test_without_mail_settings_nothing_is_queued(facility: Facility) -> None:
    order = submitted_order(facility)
    facility.researcher.post("/api/tickets", {"subject": "Tubes", "body": "Where?"})
    facility.admin.post(f"/api/orders/{order.id}/notes", {"noteType": "ORDER_ACCEPTED", "content": "ok"})
    facility.admin.post("/api/admin/invites", {"email": "new@lab.test"})
    facility.anonymous.post("/api/auth/password-reset-request", {"email": RESEARCHER})

    facility.services.worker.tick(facility.clock.now())

    assert OutgoingMail.select().count() == 0


def test_the_way_of_an_order_is_told_to_those_whom_it_concerns(posted: Posted) -> None:
    facility = posted.facility
    order = submitted_order(facility)
    number = facility.admin.get(f"/api/orders/{order.id}").json["order"]["orderNumber"]
    assert told(posted.delivered()) == [(ADMIN, f"Order {number} was submitted")]

    note = {"noteType": "ORDER_ACCEPTED", "content": "Welcome"}
    assert facility.admin.post(f"/api/orders/{order.id}/notes", note).status_code == 201
    (accepted,) = posted.delivered()
    assert (accepted["To"], accepted["Subject"]) == (RESEARCHER, f"Order {number} was accepted")
    assert f"{URL}/orders/{number}\n" in text_of(accepted)
    assert f'href="{URL}/orders/{number}"' in html_of(accepted)

    upload(facility, order, metadata={"dataClass": "cleaned"})
    assert posted.delivered() == [], "files that arrive are told in the daily mail"
    facility.admin.put(f"/api/orders/{order.id}/sequencing/delivery/publication")
    assert told(posted.delivered()) == [(RESEARCHER, f"Order {number}: your files are ready")]

    facility.admin.post(f"/api/orders/{order.id}/status", {"status": "COMPLETED", "note": "done"})
    assert told(posted.delivered()) == [(RESEARCHER, f"Order {number} is completed")]


def test_the_end_of_a_run_is_told_to_who_made_it(posted: Posted) -> None:
    scripted, order = use_scripted_executor(posted.facility), submitted_order(posted.facility)
    posted.turn()
    posted.server.taken.clear()
    completed(posted.facility, scripted, order)
    _bad, folder = running(posted.facility, order)
    scripted.finish(folder, 1)
    tick(posted.facility)

    mails = posted.delivered()

    assert {str(mail["To"]) for mail in mails} == {ADMIN}
    assert [str(mail["Subject"]).rpartition(" ")[2] for mail in mails] == ["completed", "failed"]


def test_a_message_is_told_to_the_other_side(posted: Posted) -> None:
    facility = posted.facility
    ticket = facility.researcher.post("/api/tickets", {"subject": "Tubes", "body": "Where?"}).json["ticket"]
    assert told(posted.delivered()) == [(ADMIN, "New message: Tubes")]

    facility.admin.post(f"/api/tickets/{ticket['id']}/messages", {"body": "Here."})

    assert told(posted.delivered()) == [(RESEARCHER, "New message: Tubes")]


@pytest.mark.parametrize(
    "subject",
    [
        "Tubes\r\nBcc: everybody@lab.test",
        "<script>alert(1)</script>{{ 7 * 7 }}",
        "\u202egpj.exe \u2028 \x1b[2J tubes",
        "x" * 255,
    ],
)
def test_a_hostile_subject_stays_text_on_one_short_line(posted: Posted, subject: str) -> None:
    posted.facility.researcher.post("/api/tickets", {"subject": subject, "body": "Where?"})

    (mail,) = posted.delivered()

    shown = str(mail["Subject"])
    assert posted.server.recipients == [ADMIN]
    assert mail["Bcc"] is None
    assert len(shown) <= 120
    assert shown.isprintable()
    assert "<script>" not in html_of(mail)
    assert "49" not in shown
    assert "\u202e" not in text_of(mail) + html_of(mail)


def test_people_see_and_change_what_they_are_told(posted: Posted) -> None:
    facility = posted.facility
    before = facility.researcher.get(PREFERENCES).json["preferences"]
    assert [(one["event"], one["when"]) for one in before] == [
        ("order.accepted", "at-once"),
        ("order.status", "at-once"),
        ("delivery.released", "at-once"),
        ("delivery.link-ending", "at-once"),
        ("message.created", "at-once"),
    ]

    choose(facility.researcher, "delivery.released", "never")
    choose(facility.researcher, "delivery.released", "daily")
    choose(facility.researcher, "delivery.released", "never")

    after = facility.researcher.get(PREFERENCES).json["preferences"]
    assert {one["event"]: one["when"] for one in after}["delivery.released"] == "never"
    assert MailPreference.select().count() == 1
    released_order(posted)
    assert RESEARCHER not in {to for to, _subject in told(posted.delivered())}


@pytest.mark.parametrize(
    ("body", "details"),
    [
        ({}, ["preferences: is required"]),
        ({"preferences": "all"}, ["preferences: must be an array"]),
        (
            {"preferences": [{"event": "message.created", "when": "weekly"}]},
            ["preferences[0].when: must be one of: at-once, daily, never"],
        ),
        ({"preferences": [{"event": "password-reset", "when": "never"}]}, None),
        ({"preferences": [{"event": "order.submitted", "when": "never"}]}, None),
        ({"preferences": [{"event": "message.created", "when": "never"}] * 51}, None),
    ],
)
def test_a_choice_that_there_is_not_is_refused(
    facility: Facility, body: object, details: list[str] | None
) -> None:
    answer = facility.researcher.put(PREFERENCES, body)

    assert answer.status_code == 400
    assert details is None or answer.json["details"] == details
    assert MailPreference.select().count() == 0


def test_the_daily_mail_comes_at_its_hour_with_all_that_happened(posted: Posted) -> None:
    facility = posted.facility
    choose(facility.admin, "order.submitted", "daily")
    choose(facility.admin, "message.created", "daily")
    submitted_order(facility)
    facility.researcher.post("/api/tickets", {"subject": "Tubes <b>", "body": "Where?"})
    assert posted.delivered() == []

    facility.clock.advance(timedelta(days=1))

    (mail,) = posted.delivered()
    assert (mail["To"], mail["Subject"]) == (ADMIN, "SeqFacility: 2 pieces of news")
    assert "was submitted\n  " + URL in text_of(mail)
    assert "New message: Tubes <b>" in text_of(mail)
    assert "New message: Tubes &lt;b&gt;" in html_of(mail)
    facility.clock.advance(timedelta(days=1))
    assert posted.delivered() == []


def test_a_failed_digest_leaves_its_news_to_the_next(posted: Posted) -> None:
    facility = posted.facility
    choose(facility.admin, "order.submitted", "daily")
    submitted_order(facility)
    posted.turn()
    posted.server.recipient_answer = "550 No such user"
    facility.clock.advance(timedelta(days=1))
    posted.turn()
    facility.admin = facility.sign_in(ADMIN)
    assert [one["subject"] for one in posted.failed()] == ["SeqFacility: 1 piece of news"]

    posted.server.recipient_answer = "250 OK"
    facility.clock.advance(timedelta(days=1))

    assert told(posted.delivered()) == [(ADMIN, "SeqFacility: 1 piece of news")]


def test_a_daily_mail_tells_nothing_that_waited_a_week_for_the_settings(posted: Posted) -> None:
    facility = posted.facility
    choose(facility.admin, "order.submitted", "daily")
    submitted_order(facility)
    posted.turn()

    facility.clock.advance(timedelta(days=9))

    assert posted.delivered() == []
    assert {mail.status for mail in OutgoingMail.select()} == {SendingStatus.DROPPED}


def test_the_daily_mail_holds_nothing_for_admins_once_its_reader_is_none(posted: Posted) -> None:
    facility = posted.facility
    choose(facility.admin, "order.submitted", "daily")
    choose(facility.admin, "message.created", "daily")
    submitted_order(facility)
    facility.researcher.post("/api/tickets", {"subject": "Tubes", "body": "Where?"})
    posted.turn()
    User.update(role="RESEARCHER").where(User.id == facility.admin_id).execute()

    facility.clock.advance(timedelta(days=1))

    (mail,) = posted.delivered()
    assert mail["Subject"] == "SeqFacility: 1 piece of news"
    assert "was submitted" not in text_of(mail)


def test_who_waits_for_approval_is_told_to_admins_and_the_outcome_to_them(posted: Posted) -> None:
    facility = posted.facility
    for name in ("good", "bad"):
        applicant = {"email": f"{name}@new.test", "password": "correct horse battery", "lastName": "New"}
        answer = facility.anonymous.post("/api/register", {**applicant, "firstName": "http://evil.test"})
        assert answer.status_code == 201, answer.text
    assert {to for to, _subject in told(posted.delivered())} == {ADMIN}
    good, bad = (User.get(User.email == f"{name}@new.test").id for name in ("good", "bad"))

    facility.admin.patch(f"/api/admin/users/{good}", {"isActive": True})
    facility.admin.delete(f"/api/admin/users/{bad}/registration")

    mails = posted.delivered()
    assert told(mails) == [
        ("bad@new.test", "Your account at SeqFacility was not approved"),
        ("good@new.test", "Your account at SeqFacility is ready"),
    ]
    assert not any("evil.test" in text_of(mail) + html_of(mail) for mail in mails)


def test_an_invite_goes_to_its_email_and_its_code_is_readable_nowhere_else(posted: Posted) -> None:
    facility = posted.facility
    made = facility.admin.post("/api/admin/invites", {"email": "new@lab.test"}).json
    assert made["mailed"] is True
    stored = json.dumps(list(OutgoingMail.select().dicts()), default=str)
    assert made["code"] not in stored

    (mail,) = posted.delivered()

    assert mail["To"] == "new@lab.test"
    assert f"{URL}/invite#code={made['code']}\n" in text_of(mail)
    assert OutgoingMail.get().sealed is None
    assert "mailed" not in facility.admin.post("/api/admin/invites", {}).json


def test_a_link_that_ends_soon_is_told_once_to_who_made_it(posted: Posted) -> None:
    facility = posted.facility
    choose(facility.admin, "reads.complete", "never")
    order_id = released_order(posted)
    links = f"/api/orders/{order_id}/delivery/links"
    for days in (30, 2):
        made = facility.researcher.post(links, {"days": days})
        assert made.status_code == 201, made.text
    posted.delivered()
    link = DeliveryLink.select().order_by(DeliveryLink.expires_at.desc()).get()
    facility.clock.advance(link.expires_at - timedelta(days=2) - facility.clock.now())

    (mail,) = posted.delivered()
    facility.clock.advance(timedelta(hours=1))

    assert mail["To"] == RESEARCHER
    assert "a download link ends soon" in mail["Subject"]
    assert posted.delivered() == []


def test_nobody_of_the_demo_gets_mail(posted: Posted) -> None:
    facility = posted.facility
    User.update(is_demo=True).where(User.id == facility.researcher_id).execute()
    now = facility.clock.now()
    outbox.tell(MailKind.ORDER_ACCEPTED, now, [facility.researcher_id], {"orderNumber": "ORD-1"}, "topic")
    facility.anonymous.post("/api/auth/password-reset-request", {"email": RESEARCHER})

    assert posted.delivered() == []


def test_mail_needs_no_module(posted: Posted) -> None:
    posted.facility.services.facility.change_modules(
        {ModuleId.NOTIFICATIONS: False}, None, posted.facility.clock.now()
    )
    draft_order(posted.facility)
    submitted_order(posted.facility)

    assert len(posted.delivered()) == 1
