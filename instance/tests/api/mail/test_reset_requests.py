"""A forgotten password: the same answer for everybody, a mail for those who have an account."""

from datetime import timedelta

import pytest
from seqfacility_instance.core import limits
from seqfacility_instance.tables.mail import OutgoingMail
from seqfacility_instance.tables.people import AuditEvent, PasswordResetLink, User
from seqfacility_testkit.facility import OTHER_RESEARCHER, RESEARCHER, Client, Facility
from seqfacility_testkit.queries import counted_queries

from .conftest import URL, Posted
from .test_what_is_told import text_of

PATH = "/api/auth/password-reset-request"
NEW = "battery staple correct"


def ask(client: Client, email: object) -> None:
    answer = client.post(PATH, {"email": email})
    assert (answer.status_code, answer.json) == (200, {"success": True}), answer.text


def token_in(text: str) -> str:
    return text.partition(f"{URL}/reset-password#token=")[2].split()[0]


def test_a_reset_link_is_mailed_and_sets_a_password_once(posted: Posted) -> None:
    facility = posted.facility
    ask(facility.anonymous, f"  {RESEARCHER.upper()} ")

    (mail,) = posted.delivered()

    assert mail["To"] == RESEARCHER
    body = {"token": token_in(text_of(mail)), "newPassword": NEW}
    assert facility.anonymous.post("/api/auth/password-reset", body).json == {"success": True}
    assert facility.anonymous.post("/api/auth/password-reset", body).status_code == 400
    assert facility.sign_in(RESEARCHER, NEW)


@pytest.mark.parametrize("email", ["nobody@lab.test", "not an address", "x" * 300, "ü@lab.test", "", " "])
def test_for_an_unknown_email_nothing_is_sent_and_nothing_kept(posted: Posted, email: str) -> None:
    ask(posted.facility.anonymous, email)

    assert posted.delivered() == []
    assert OutgoingMail.select().count() == 0
    assert PasswordResetLink.select().count() == 0


@pytest.mark.parametrize(
    "columns",
    [{"is_active": False}, {"is_demo": True}, {"password_hash": ""}],
    ids=["deactivated", "of the demo", "of a provider"],
)
def test_an_account_that_cannot_sign_in_gets_no_link(posted: Posted, columns: dict[str, object]) -> None:
    User.update(**columns).where(User.email == RESEARCHER).execute()
    ask(posted.facility.anonymous, RESEARCHER)

    assert posted.delivered() == []


def test_known_and_unknown_emails_cost_the_same_statements(posted: Posted) -> None:
    asked = {}
    for email in (RESEARCHER, "nobody@lab.test"):
        with counted_queries() as statements:
            ask(posted.facility.anonymous, email)
        asked[email] = [statement.partition('POINT "')[0] for statement in statements]

    assert asked[RESEARCHER] == asked["nobody@lab.test"]


def test_requests_for_one_email_are_bounded_and_the_answer_does_not_say_so(posted: Posted) -> None:
    for _request in range(limits.RESET_REQUESTS_PER_HOUR + 2):
        ask(posted.facility.anonymous, RESEARCHER)
    assert len(posted.delivered()) == limits.RESET_REQUESTS_PER_HOUR

    posted.facility.clock.advance(timedelta(hours=1, minutes=1))
    ask(posted.facility.anonymous, RESEARCHER)

    assert len(posted.delivered()) == 1


def test_requests_of_one_network_are_bounded(posted: Posted) -> None:
    for number in range(limits.RESET_REQUESTS_PER_NETWORK):
        ask(posted.facility.anonymous, f"somebody-{number}@lab.test")
    ask(posted.facility.anonymous, RESEARCHER)

    assert posted.delivered() == []


@pytest.mark.parametrize("body", [{}, {"email": None}, {"email": 5}, {"email": ["a@b.c"]}])
def test_a_body_without_an_email_is_refused(posted: Posted, body: object) -> None:
    answer = posted.facility.anonymous.post(PATH, body)

    assert answer.status_code == 400


def test_a_request_is_in_the_audit_with_its_address(posted: Posted) -> None:
    ask(posted.facility.anonymous, RESEARCHER)
    posted.turn()

    requested = AuditEvent.get(AuditEvent.action == "reset-requested")
    made = AuditEvent.get(AuditEvent.action == "reset-link-made")
    assert (requested.address, requested.personal) == ("127.0.0.1", {"email": RESEARCHER})
    assert (made.actor_id, made.object_id) == (None, posted.facility.researcher_id)


def test_an_admin_has_a_reset_link_mailed(posted: Posted) -> None:
    facility = posted.facility
    path = f"/api/admin/users/{facility.other_researcher_id}/reset-link"

    made = facility.admin.post(path, {"mail": True})

    assert (made.status_code, made.json["mailed"]) == (201, True)
    (mail,) = posted.delivered()
    assert mail["To"] == OTHER_RESEARCHER
    assert token_in(text_of(mail)) == made.json["token"]
    assert "mailed" not in facility.admin.post(path).json


def test_without_mail_an_admin_is_told_that_the_link_was_not_mailed(facility: Facility) -> None:
    path = f"/api/admin/users/{facility.researcher_id}/reset-link"

    assert facility.admin.post(path, {"mail": True}).json["mailed"] is False


def test_a_reset_link_that_has_ended_is_not_sent(posted: Posted) -> None:
    posted.server.recipient_answer = "451 Later"
    ask(posted.facility.anonymous, RESEARCHER)
    posted.turn()
    posted.server.recipient_answer = "250 OK"
    posted.facility.clock.advance(limits.RESET_LINK_LIFE + timedelta(minutes=1))

    assert posted.delivered() == []


@pytest.mark.parametrize("typed", ["\\u0000ada@lab.test", "\\ud800@lab.test", "ada@lab.test\\r\\nBcc: x@y.z"])
def test_what_no_address_holds_is_neither_stored_nor_mailed(posted: Posted, typed: str) -> None:
    answer = posted.facility.anonymous.request("POST", PATH, body=f'{{"email": "{typed}"}}')

    assert answer.status_code in {200, 400}, answer.text
    assert posted.delivered() == []
    assert OutgoingMail.select().count() == 0


def test_links_that_strangers_ask_for_end_one_another_and_none_of_an_admin(posted: Posted) -> None:
    facility = posted.facility
    by_admin = facility.admin.post(f"/api/admin/users/{facility.researcher_id}/reset-link").json["token"]
    for _request in range(3):
        ask(facility.anonymous, RESEARCHER)
    first, _second, last = [token_in(text_of(mail)) for mail in posted.delivered()]

    statuses = [
        facility.anonymous.post("/api/auth/password-reset", {"token": token, "newPassword": "x"}).json[
            "error"
        ]
        for token in (first, by_admin, last)
    ]

    assert statuses[0] != statuses[1] == statuses[2]
    assert PasswordResetLink.select().where(PasswordResetLink.used_at.is_null()).count() == 2


def test_links_go_a_week_after_their_end(posted: Posted) -> None:
    ask(posted.facility.anonymous, RESEARCHER)
    posted.turn()
    posted.facility.clock.advance(limits.RESET_LINK_LIFE + limits.RESET_LINK_KEPT - timedelta(minutes=1))
    posted.turn()
    assert PasswordResetLink.select().count() == 1

    posted.facility.clock.advance(timedelta(minutes=2))
    posted.turn()

    assert PasswordResetLink.select().count() == 0


def test_a_request_whose_link_cannot_be_sealed_is_dropped_and_logged(
    posted: Posted, caplog: pytest.LogCaptureFixture
) -> None:
    ask(posted.facility.anonymous, RESEARCHER)
    posted.facility.services.settings.secret_key_file.write_text("no key", "utf-8")

    assert posted.delivered() == []

    assert OutgoingMail.select().count() == 0
    assert PasswordResetLink.select().count() == 0
    assert "is not mailed" in caplog.text
