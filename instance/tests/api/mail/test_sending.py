"""Mail and real mail servers: protected connections, refusals, silence, and what is sent again."""

import ssl
from datetime import timedelta
from pathlib import Path

import pytest
from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.mail import MailKind
from seqfacility_instance.core.vocabulary.outgoing import SendingStatus
from seqfacility_instance.mail import outbox
from seqfacility_instance.mail.rules import PAUSES
from seqfacility_instance.mail.sender import MailSender
from seqfacility_instance.tables.mail import OutgoingMail
from seqfacility_instance.tables.people import AuditEvent, User
from seqfacility_testkit.facility import RESEARCHER, Facility
from seqfacility_testkit.mail_server import PASSWORD, USER, Ending, Protection, mail_server, make_certificate

from .conftest import FROM, URL, Posted, SetUp

MAX_ATTEMPTS = len(PAUSES) + 1
SIGN_IN = {"user": USER, "password": PASSWORD}


def queue_one(facility: Facility) -> None:
    """Queue a mail to the researcher."""
    outbox.tell(
        MailKind.ORDER_ACCEPTED,
        facility.clock.now(),
        [facility.researcher_id],
        {"orderNumber": "ORD-1"},
        "a topic",
    )


def error_of_the_mail() -> str:
    return OutgoingMail.get().last_error or ""


@pytest.mark.parametrize("protection", [Protection.STARTTLS, Protection.TLS])
def test_mail_goes_out_protected_and_signed_in(
    facility: Facility, set_up: SetUp, certificate: Path, protection: Protection
) -> None:
    with mail_server(protection, certificate) as server:
        set_up(server, security=protection.value, **SIGN_IN)
        queue_one(facility)

        (mail,) = Posted(facility, server).delivered()

    assert server.secured == [True]
    assert server.signed_in == [USER]
    assert server.recipients == [RESEARCHER]
    assert (mail["To"], mail["Subject"]) == (RESEARCHER, "Order ORD-1 was accepted")
    assert mail["From"] == f"SeqFacility <{FROM}>"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert OutgoingMail.get().status is SendingStatus.DELIVERED


@pytest.mark.parametrize("protection", [Protection.STARTTLS, Protection.TLS])
def test_a_certificate_that_is_not_trusted_gets_neither_password_nor_mail(
    facility: Facility, set_up: SetUp, tmp_path: Path, protection: Protection
) -> None:
    with mail_server(protection, make_certificate(tmp_path)) as server:
        set_up(server, security=protection.value, **SIGN_IN)
        queue_one(facility)

        assert Posted(facility, server).delivered() == []

    assert server.signed_in == []
    assert "its certificate is not trusted" in error_of_the_mail()


def test_a_certificate_of_another_host_is_not_trusted(
    facility: Facility, set_up: SetUp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_certificate(tmp_path, "127.0.0.2")
    monkeypatch.setenv("SSL_CERT_FILE", str(other))
    assert ssl.create_default_context().get_ca_certs()
    with mail_server(Protection.TLS, other) as server:
        set_up(server, security="tls", **SIGN_IN)
        queue_one(facility)

        assert Posted(facility, server).delivered() == []

    assert "certificate" in error_of_the_mail()


def test_a_server_without_starttls_gets_neither_password_nor_mail(facility: Facility, set_up: SetUp) -> None:
    with mail_server() as server:
        set_up(server, security="starttls", **SIGN_IN)
        queue_one(facility)

        assert Posted(facility, server).delivered() == []

    assert server.signed_in == []
    assert "STARTTLS" in error_of_the_mail()


def test_a_wrong_password_is_told_and_never_shown(facility: Facility, set_up: SetUp) -> None:
    with mail_server() as server:
        set_up(server, user=USER, password="not this one")  # it is wrong
        queue_one(facility)

        assert Posted(facility, server).delivered() == []

    assert "535" in error_of_the_mail()
    assert "not this one" not in error_of_the_mail()


def test_a_mail_that_is_refused_for_now_is_sent_later(posted: Posted) -> None:
    posted.server.recipient_answer = "451 Try again later"
    queue_one(posted.facility)
    assert posted.delivered() == []
    assert (posted.failed(), posted.waiting()) == ([], 1)
    posted.server.recipient_answer = "250 OK"
    assert posted.delivered() == [], "it waits"

    posted.facility.clock.advance(timedelta(minutes=1))

    assert len(posted.delivered()) == 1
    assert posted.waiting() == 0


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        ({"recipient_answer": "550 No such user"}, "The server refused the recipient: 550 No such user"),
        ({"data_answer": "554 Looks like spam"}, "The server refused the mail: 554 Looks like spam"),
    ],
)
def test_what_is_refused_for_good_is_in_the_list_at_once(
    posted: Posted, answers: dict[str, str], told: str
) -> None:
    vars(posted.server).update(answers)
    queue_one(posted.facility)

    assert posted.delivered() == []

    (failed,) = posted.failed()
    assert failed == {
        "id": OutgoingMail.get().id,
        "to": RESEARCHER,
        "subject": "Order ORD-1 was accepted",
        "event": "order.accepted",
        "attempts": 1,
        "lastError": told,
        "createdAt": failed["createdAt"],
    }


def test_an_admin_sends_again_what_has_failed(posted: Posted) -> None:
    posted.server.recipient_answer = "550 No such user"
    queue_one(posted.facility)
    posted.turn()
    (failed,) = posted.failed()
    posted.server.recipient_answer = "250 OK"
    path = f"/api/admin/mail/{failed['id']}/retry"

    retried = posted.facility.admin.post(path)
    again = posted.facility.admin.post(path)

    assert retried.json == {"success": True}
    assert (again.status_code, again.json) == (404, {"error": "No mail with this id has failed"})
    assert len(posted.delivered()) == 1
    assert posted.failed() == []
    row = AuditEvent.get(AuditEvent.action == "mail-resent")
    assert (row.actor_id, row.object_id) == (posted.facility.admin_id, failed["id"])


def test_a_server_that_is_away_for_days_costs_ten_attempts_and_then_the_mail(posted: Posted) -> None:
    posted.server.recipient_answer = "421 Closing"
    queue_one(posted.facility)

    for _attempt in range(MAX_ATTEMPTS):
        assert OutgoingMail.get().status is SendingStatus.WAITING
        posted.turn()
        posted.facility.clock.advance(timedelta(days=1))

    mail = OutgoingMail.get()
    assert (mail.status, mail.attempts) == (SendingStatus.FAILED, MAX_ATTEMPTS)


def test_a_silent_server_holds_the_worker_up_once_and_not_with_each_mail(
    posted: Posted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAIL_STEP_SECONDS", 0.3)
    posted.server.ending = Ending.NEVER_ANSWER
    for topic in ("one", "two", "three"):
        outbox.tell(
            MailKind.ORDER_ACCEPTED,
            posted.facility.clock.now(),
            [posted.facility.researcher_id],
            {"orderNumber": topic},
            topic,
        )

    posted.turn()

    assert sorted(mail.attempts for mail in OutgoingMail.select()) == [0, 0, 1]
    assert "timed out" in " ".join(mail.last_error or "" for mail in OutgoingMail.select())


def test_a_server_that_answers_byte_by_byte_is_left_after_a_while(
    facility: Facility, set_up: SetUp, monkeypatch: pytest.MonkeyPatch
) -> None:
    from seqfacility_testkit.mail_server import dripping_server

    monkeypatch.setattr(limits, "MAIL_WHOLE_SECONDS", 0.5)
    with dripping_server() as server:
        set_up(server)
        queue_one(facility)

        Posted(facility, server).turn()

    mail = OutgoingMail.get()
    assert (mail.status, mail.attempts) == (SendingStatus.WAITING, 1)


def test_a_mail_that_the_server_took_without_saying_so_comes_again_with_the_same_message_id(
    posted: Posted,
) -> None:
    posted.server.ending = Ending.CLOSE_AFTER_TAKING
    queue_one(posted.facility)
    (first,) = posted.delivered()
    posted.server.ending = Ending.TAKE
    posted.facility.clock.advance(timedelta(minutes=2))

    (second,) = posted.delivered()

    assert first["Message-ID"] == second["Message-ID"] == f"<{OutgoingMail.get().id}@seq.lab.test>"
    assert first["Date"] == second["Date"]


def test_two_workers_send_a_mail_once(posted: Posted) -> None:
    facility = posted.facility
    queue_one(facility)
    senders = [MailSender(facility.services.facility, URL, facility.clock) for _worker in range(2)]

    assert [sender.sweep(facility.clock.now()) for sender in senders] == [True, False]

    assert len(posted.server.taken) == 1


def test_mail_to_somebody_who_was_deactivated_meanwhile_is_dropped(posted: Posted) -> None:
    queue_one(posted.facility)
    User.update(is_active=False).where(User.id == posted.facility.researcher_id).execute()

    assert posted.delivered() == []

    assert OutgoingMail.get().status is SendingStatus.DROPPED
    assert OutgoingMail.get().facts == {}


def test_mail_for_admins_is_dropped_when_somebody_is_none_any_more(posted: Posted) -> None:
    outbox.tell_admins(
        MailKind.ORDER_SUBMITTED, posted.facility.clock.now(), {"orderNumber": "ORD-1"}, "topic"
    )
    User.update(role="RESEARCHER").where(User.id == posted.facility.admin_id).execute()

    assert posted.delivered() == []


def test_mail_that_waited_a_week_for_its_settings_is_dropped(posted: Posted) -> None:
    queue_one(posted.facility)
    posted.facility.clock.advance(timedelta(days=7, minutes=1))

    assert posted.delivered() == []


def test_without_a_public_address_mail_fails_and_says_what_is_missing(posted: Posted) -> None:
    posted.facility.services.mail_sender.public_url = None
    queue_one(posted.facility)

    assert posted.delivered() == []

    (failed,) = posted.failed()
    assert failed["lastError"] == "SEQFACILITY_PUBLIC_URL is not set, so links would lead nowhere"


def test_sent_mail_is_forgotten_after_a_week(posted: Posted) -> None:
    queue_one(posted.facility)
    posted.turn()
    posted.facility.clock.advance(timedelta(days=8))

    posted.turn()

    assert OutgoingMail.select().count() == 0


@pytest.mark.parametrize(
    "email", ["a,b@lab.test", "a<b@lab.test", "a..b@lab.test", "a@lab..test", "ü@lab.test"]
)
def test_an_account_whose_address_is_none_holds_nobody_up(posted: Posted, email: str) -> None:
    queue_one(posted.facility)
    User.update(email=email).where(User.id == posted.facility.researcher_id).execute()
    outbox.tell_admins(
        MailKind.ORDER_SUBMITTED, posted.facility.clock.now(), {"orderNumber": "ORD-1"}, "another topic"
    )

    assert [mail["Subject"] for mail in posted.delivered()] == ["Order ORD-1 was submitted"]

    assert [one["lastError"] for one in posted.failed()] == ["It is no address that mail servers take"]
