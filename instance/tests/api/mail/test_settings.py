"""The settings of mail, and what `check-setup` says of them."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from seqfacility_instance.facility_settings import store
from seqfacility_instance.site.checks import Verdict
from seqfacility_instance.site.mail_checks import mail_checks, try_mail
from seqfacility_instance.tables.people import AuditEvent
from seqfacility_testkit.facility import ADMIN, Facility
from seqfacility_testkit.mail_server import PASSWORD, USER, Ending, Protection, mail_server, make_certificate

from .conftest import FROM, URL, Posted, SetUp

PATH = "/api/admin/settings/mail"
SERVER = {"host": "mail.lab.test", "port": 587, "security": "starttls", "user": USER}
COMPLETE = {**SERVER, "from": FROM, "password": PASSWORD}


def save(facility: Facility, **changes: object) -> dict[str, Any]:
    answer = facility.admin.patch(PATH, changes)
    assert answer.status_code == 200, answer.text
    return dict(answer.json)


def checked(facility: Facility, public_url: str | None = URL) -> list[tuple[Verdict, str]]:
    section = facility.services.facility.mail()
    return [(check.verdict, check.text) for check in mail_checks(section, public_url)]


def test_a_password_is_stored_encrypted_and_never_shown(facility: Facility) -> None:
    saved = save(facility, **COMPLETE)

    assert saved == {
        "host": "mail.lab.test",
        "port": 587,
        "security": "starttls",
        "user": USER,
        "passwordIsSet": True,
        "from": FROM,
    }
    shown = facility.admin.get("/api/admin/settings")
    assert shown.json["sections"]["mail"] == saved
    assert PASSWORD not in shown.text
    row = store.find_row()
    assert row is not None
    assert PASSWORD not in f"{row.extra_settings} {store.find_secret('mail.password')}"
    assert facility.services.facility.mail().password == PASSWORD
    assert PASSWORD not in str([event.detail for event in AuditEvent.select()])


@pytest.mark.parametrize(
    "change", [{"host": "evil.test"}, {"port": 25}, {"security": "none"}, {"user": "somebody"}]
)
def test_a_password_is_never_sent_to_another_server_than_the_one_that_it_was_saved_for(
    facility: Facility, change: dict[str, object]
) -> None:
    save(facility, **COMPLETE)

    assert save(facility, **change)["passwordIsSet"] is False

    assert save(facility, **COMPLETE)["passwordIsSet"] is True
    assert save(facility, **SERVER)["passwordIsSet"] is True
    assert save(facility, **{"from": "other@lab.test"})["passwordIsSet"] is True


@pytest.mark.parametrize(
    "change",
    [
        {"host": "mail.lab.test\r\nRCPT TO:<x@y.z>"},
        {"host": "a b"},
        {"host": ""},
        {"host": 5},
        {"port": 0},
        {"port": 65_536},
        {"port": "25"},
        {"security": "ssl"},
        {"from": "nobody"},
        {"from": "a@b.c\r\nBcc: x@y.z"},
        {"from": "Name <a@b.c>"},
        {"from": "a@b.c\n"},
        {"user": "a\nb"},
        {"password": "a\0b"},
        {"password": "x" * 256},
        {"sender": "a@b.c"},
    ],
)
def test_what_no_mail_server_takes_is_refused(facility: Facility, change: dict[str, object]) -> None:
    answer = facility.admin.patch(PATH, change)

    assert answer.status_code == 400, answer.text


def test_without_settings_nothing_is_said(facility: Facility) -> None:
    assert checked(facility) == []


@pytest.mark.parametrize(
    ("settings", "public_url", "verdict", "words"),
    [
        ({"host": "mail.lab.test"}, URL, Verdict.FAIL, "no from"),
        ({"from": FROM}, URL, Verdict.FAIL, "no host"),
        (COMPLETE, None, Verdict.FAIL, "SEQFACILITY_PUBLIC_URL"),
        ({**COMPLETE, "security": "none"}, URL, Verdict.WARN, "without encryption"),
        ({**COMPLETE, "security": "none", "host": "127.0.0.1"}, URL, Verdict.OK, "127.0.0.1:587"),
        (COMPLETE, URL, Verdict.OK, "mail.lab.test:587"),
    ],
)
def test_the_check_says_what_is_missing(
    facility: Facility, settings: dict[str, object], public_url: str | None, verdict: Verdict, words: str
) -> None:
    save(facility, **settings)

    ((found, text),) = checked(facility, public_url)

    assert found is verdict
    assert words in text


def test_the_check_counts_what_could_not_be_sent(posted: Posted) -> None:
    posted.server.recipient_answer = "550 No"
    posted.facility.admin.post("/api/admin/invites", {"email": "new@lab.test"})
    posted.turn()

    assert (Verdict.WARN, "Mail: 1 mail could not be sent. GET /api/admin/mail says why.") in checked(
        posted.facility
    )


def test_a_test_mail_is_sent_and_the_answer_of_the_server_shown(posted: Posted) -> None:
    check = try_mail(posted.facility.services.mail_sender, "somebody@lab.test")

    assert check.verdict is Verdict.OK
    assert check.text == ("Mail: a test mail went to somebody@lab.test. The server answered: 250 Taken")
    assert posted.server.taken[0]["Subject"] == "Test mail of SeqFacility"


def test_a_test_mail_that_fails_says_why(facility: Facility, set_up: SetUp, tmp_path: Path) -> None:
    with mail_server(Protection.TLS, make_certificate(tmp_path)) as server:
        set_up(server, security="tls")
        check = try_mail(facility.services.mail_sender, "somebody@lab.test")

    assert check.verdict is Verdict.FAIL
    assert "its certificate is not trusted" in check.text


@pytest.mark.parametrize("address", ["a@b.c\r\nBcc: x@y.z", "nobody", "", "a@b.c> SIZE=1"])
def test_a_test_mail_goes_to_an_address_only(posted: Posted, address: str) -> None:
    check = try_mail(posted.facility.services.mail_sender, address)

    assert check.verdict is Verdict.FAIL
    assert posted.server.recipients == []


def test_an_admin_sends_oneself_a_test_mail(posted: Posted) -> None:
    answer = posted.facility.admin.post("/api/admin/mail/test")

    assert answer.status_code == 200, answer.text
    assert answer.json == {"to": ADMIN, "said": "250 Taken"}
    assert posted.server.recipients == [ADMIN]


def test_a_test_mail_that_is_not_taken_is_refused_with_the_reason(facility: Facility) -> None:
    answer = facility.admin.post("/api/admin/mail/test")

    assert answer.status_code == 502
    assert answer.json == {
        "error": "No test mail was sent: The section mail of the settings has no host or no from"
    }


def test_while_a_server_is_silent_one_test_mail_waits_and_the_next_is_refused_at_once(
    facility: Facility, set_up: SetUp
) -> None:
    with ThreadPoolExecutor() as pool:
        with mail_server(ending=Ending.NEVER_ANSWER) as server:
            set_up(server)
            first = pool.submit(facility.admin.post, "/api/admin/mail/test")
            assert server.arrived.wait(60)

            second = facility.admin.post("/api/admin/mail/test")
        assert first.result(timeout=60).status_code == 502

    assert second.status_code == 502
    assert second.json == {"error": "No test mail was sent: Another test mail is on its way"}


def test_the_check_counts_what_waits_because_the_server_refused(posted: Posted) -> None:
    posted.server.recipient_answer = "421 Closed"
    posted.facility.admin.post("/api/admin/invites", {"email": "new@lab.test"})
    posted.turn()

    words = "Mail: 1 mail was not taken by the server and will be sent again. Send a test mail to see why."
    assert (Verdict.WARN, words) in checked(posted.facility)

    posted.server.recipient_answer = "250 OK"
    posted.facility.clock.advance(timedelta(days=1))
    posted.turn()
    assert [verdict for verdict, _ in checked(posted.facility)] == [Verdict.OK]
