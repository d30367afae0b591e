"""Which sessions a person has, and how they are ended."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from peewee import SqliteDatabase
from seqfacility_instance.access.sessions import token_hash
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.people import AuditEvent, Session, User
from seqfacility_testkit.facility import PASSWORD, RESEARCHER, Client, Facility, open_facility
from seqfacility_testkit.waiting import wait_until

SESSIONS = "/api/auth/sessions"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


def is_open(client: Client) -> bool:
    return client.get("/api/modules").status_code == 200


def sign_in_with(facility: Facility, user_agent: str) -> Client:
    answer = facility.anonymous.post(
        "/api/auth/sign-in",
        {"email": RESEARCHER, "password": PASSWORD},
        headers={"User-Agent": user_agent},
    )
    return Client(facility, answer.cookies["service_session"].value)


def begun(facility: Facility) -> Client:
    user = User.get_by_id(facility.researcher_id)
    return Client(facility, facility.services.sessions.start(user, "198.51.100.9"))


def test_the_list_has_the_own_sessions_last_used_first(facility: Facility) -> None:
    facility.clock.advance(timedelta(minutes=5))
    elsewhere = sign_in_with(facility, FIREFOX)

    listed = elsewhere.get(SESSIONS).json["sessions"]

    assert [set(session) for session in listed] == [
        {"id", "createdAt", "lastSeenAt", "address", "userAgent", "current"}
    ] * 2
    assert [(session["userAgent"], session["current"]) for session in listed] == [
        (FIREFOX, True),
        ("", False),
    ]
    assert [session["address"] for session in listed] == ["127.0.0.1"] * 2
    assert listed[0]["createdAt"] > listed[1]["createdAt"]


def test_the_list_leaves_out_what_has_ended_by_time(facility: Facility) -> None:
    facility.clock.advance(timedelta(hours=13))
    elsewhere = begun(facility)

    assert len(elsewhere.get(SESSIONS).json["sessions"]) == 1


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("x" * 9_000, "x" * 255),
        ("a\tb  c", "a b c"),
        ("\x1b[31mred\x7f", "[31mred"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("\x85\xa0 caf\xe9", "caf\xe9"),
    ],
)
def test_what_a_browser_says_of_itself_is_cut_to_a_printable_line(
    facility: Facility, sent: str, kept: str
) -> None:
    token = facility.services.sessions.start(User.get_by_id(facility.researcher_id), "127.0.0.1", sent)

    assert Client(facility, token).get(SESSIONS).json["sessions"][0]["userAgent"] == kept


@pytest.mark.parametrize("sent", ["\0", "a\0b", "\ud800", "\u202e"])
def test_no_word_of_a_browser_keeps_its_person_out(facility: Facility, sent: str) -> None:
    token = facility.services.sessions.start(User.get_by_id(facility.researcher_id), "127.0.0.1", sent)

    assert is_open(Client(facility, token))


def test_one_session_is_ended_at_once(facility: Facility) -> None:
    elsewhere = begun(facility)
    (other,) = [one for one in facility.researcher.get(SESSIONS).json["sessions"] if not one["current"]]

    answer = facility.researcher.delete(f"{SESSIONS}/{other['id']}")

    assert (answer.status_code, answer.json) == (200, {"success": True})
    assert (is_open(elsewhere), is_open(facility.researcher)) == (False, True)
    assert facility.researcher.delete(f"{SESSIONS}/{other['id']}").json == {"error": "Session not found"}
    assert AuditEvent.get(AuditEvent.action == "session-ended").object_id == other["id"]


def test_nobody_ends_the_session_of_somebody_else(facility: Facility) -> None:
    theirs = Session.get(Session.user == facility.researcher_id)

    for client in (facility.other_researcher, facility.admin):
        answer = client.delete(f"{SESSIONS}/{theirs.id}")
        assert (answer.status_code, answer.json) == (404, {"error": "Session not found"})
    assert is_open(facility.researcher)


def test_all_others_are_ended_and_the_one_that_asks_goes_on(facility: Facility) -> None:
    others = [begun(facility) for _ in range(3)]

    answer = facility.researcher.delete(SESSIONS)

    assert (answer.status_code, answer.json) == (200, {"success": True})
    assert [is_open(client) for client in others] == [False] * 3
    assert is_open(facility.researcher)
    assert is_open(facility.other_researcher)
    assert AuditEvent.get(AuditEvent.action == "sessions-ended").detail == {"count": 3}


def test_an_admin_ends_every_session_of_an_account(facility: Facility) -> None:
    elsewhere = begun(facility)

    answer = facility.admin.delete(f"/api/admin/users/{facility.researcher_id}/sessions")
    unknown = facility.admin.delete("/api/admin/users/nobody/sessions")

    assert (answer.status_code, answer.json) == (200, {"success": True})
    assert (unknown.status_code, unknown.json) == (404, {"error": "User not found"})
    assert (is_open(elsewhere), is_open(facility.researcher), is_open(facility.admin)) == (False, False, True)


def test_the_newest_twenty_sessions_of_a_person_stay(facility: Facility) -> None:
    first = facility.researcher
    for _ in range(19):
        facility.clock.advance(timedelta(seconds=1))
        newest = begun(facility)
    assert is_open(first)
    second = Session.select().where(Session.user == facility.researcher_id).order_by(Session.created_at)[1]

    facility.clock.advance(timedelta(seconds=1))
    begun(facility)

    assert (is_open(first), is_open(newest), is_open(facility.other_researcher)) == (False, True, True)
    assert Session.select().where(Session.user == facility.researcher_id).count() == 20
    assert Session.get_or_none(Session.id == second.id) is not None


def test_a_session_in_use_outlasts_a_script_that_signs_in_again_and_again(facility: Facility) -> None:
    for _ in range(25):
        facility.clock.advance(timedelta(seconds=61))
        assert is_open(facility.researcher)
        begun(facility)

    assert Session.select().where(Session.user == facility.researcher_id).count() == 20


def test_sign_ins_at_once_leave_the_newest_twenty_too(facility: Facility) -> None:
    for _ in range(18):
        begun(facility)
    barrier = threading.Barrier(4)

    def one(_number: int) -> Client:
        barrier.wait()
        return sign_in_with(facility, FIREFOX)

    with ThreadPoolExecutor(4) as browsers:
        clients = list(browsers.map(one, range(4)))

    assert [is_open(client) for client in clients] == [True] * 4
    assert Session.select().where(Session.user == facility.researcher_id).count() == 20


def test_a_new_session_stays_though_the_clock_was_set_back(facility: Facility) -> None:
    for _ in range(20):
        begun(facility)
    facility.clock.advance(timedelta(hours=-1))

    assert is_open(begun(facility))


def test_a_check_of_the_installation_ends_nobody_s_session(facility: Facility) -> None:
    for _ in range(20):
        begun(facility)
    sessions, user = facility.services.sessions, User.get_by_id(facility.researcher_id)

    token = sessions.start_check(user, "check-setup")

    assert is_open(Client(facility, token))
    assert Session.select().where(Session.user == facility.researcher_id).count() == 21


def test_a_changed_password_gives_its_session_another_token(facility: Facility) -> None:
    before = Session.get(Session.user == facility.researcher_id)
    facility.clock.advance(timedelta(minutes=11))
    elsewhere = begun(facility)

    answer = facility.researcher.post(
        "/api/auth/password", {"currentPassword": PASSWORD, "newPassword": "another long password"}
    )

    renewed = Client(facility, answer.cookies["service_session"].value)
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert [is_open(client) for client in (facility.researcher, elsewhere, renewed)] == [False, False, True]
    (after,) = Session.select().where(Session.user == facility.researcher_id)
    assert after.id != before.id
    assert after.token_hash == token_hash(renewed.cookie or "")
    assert (after.created_at, after.expires_at, after.confirmed_at) == (
        before.created_at,
        before.expires_at,
        before.confirmed_at,
    )


def test_a_demo_session_sees_its_own_and_ends_none(
    facility_template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEQFACILITY_DEMO", "1")
    facility = open_facility(facility_template, tmp_path)
    answer = facility.anonymous.post("/api/demo/session", {"as": "admin"}, headers={"User-Agent": FIREFOX})
    visitor = Client(facility, answer.cookies["service_session"].value)

    (own,) = visitor.get(SESSIONS).json["sessions"]
    refused = [visitor.delete(f"{SESSIONS}/{own['id']}"), visitor.delete(SESSIONS)]
    facility.close()

    assert (own["userAgent"], own["current"]) == (FIREFOX, True)
    assert [(one.status_code, one.json) for one in refused] == [
        (403, {"error": "Account changes are disabled in the public demo."})
    ] * 2


def test_a_session_that_is_renewed_while_all_are_ended_is_ended_too(facility: Facility) -> None:
    """On SQLite a transaction is alone."""
    sessions, user_id = facility.services.sessions, facility.researcher_id

    def end_all() -> None:
        with database.connection_context(), database.atomic():
            sessions.end_all(user_id)

    thread = threading.Thread(target=end_all)
    with database.atomic():
        renewed = sessions.renew(Session.get(Session.user == user_id).id)
        thread.start()
        if not isinstance(database.obj, SqliteDatabase):
            waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
            wait_until(lambda: database.execute_sql(waiting).fetchone()[0] > 0, "it waits for the session")
    thread.join()

    assert renewed is not None
    assert not Session.select().where(Session.user == user_id).exists()
