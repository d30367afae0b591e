"""How a session is found, renewed, changed and ended."""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from falcon.testing import StartResponseMock, create_environ
from seqfacility_instance.access.sessions import token_hash
from seqfacility_instance.core.vocabulary.people import Role
from seqfacility_instance.tables.people import Session, ThrottleAttempt, User
from seqfacility_testkit.facility import ADMIN, PASSWORD, Client, Facility, open_facility


def seen_at(client: Client) -> object:
    assert client.cookie is not None
    return Session.get(Session.token_hash == token_hash(client.cookie)).last_seen_at


def test_the_cookie_is_kept_as_a_hash_only(facility: Facility) -> None:
    assert facility.admin.cookie is not None

    assert len(facility.admin.cookie) == 43
    assert facility.admin.cookie not in {session.token_hash for session in Session.select()}


@pytest.mark.parametrize("cookie", ["", "x", "nobody's", "a" * 5000, "\u00e9", "';--"])
def test_a_cookie_that_means_nothing_is_none(facility: Facility, cookie: str) -> None:
    answer = facility.anonymous.get("/api/modules", headers={"Cookie": f"service_session={cookie}"})

    assert (answer.status_code, answer.json) == (401, {"error": "Unauthorized"})


def test_two_different_cookies_are_as_good_as_none(facility: Facility) -> None:
    both = f"service_session={facility.admin.cookie}; service_session={facility.researcher.cookie}"

    assert facility.anonymous.get("/api/modules", headers={"Cookie": both}).status_code == 401


def test_a_session_in_use_is_noted_at_most_once_a_minute(facility: Facility) -> None:
    began = seen_at(facility.researcher)
    facility.clock.advance(timedelta(seconds=59))
    facility.researcher.get("/api/modules")
    assert seen_at(facility.researcher) == began

    facility.clock.advance(timedelta(seconds=2))
    facility.researcher.get("/api/modules")

    assert seen_at(facility.researcher) != began


@pytest.fixture
def long_download(facility: Facility) -> Iterator[Iterable[bytes]]:
    """Begin an admin's download; whoever closes the body ends it."""
    (facility.data / "long.txt").write_bytes(bytes(100_000))
    environ = create_environ(
        "/api/files/download",
        query_string="path=long.txt",
        headers={"Cookie": f"service_session={facility.admin.cookie}"},
    )
    body = facility.http.app(environ, StartResponseMock())
    yield body
    body.close()


def test_a_session_is_in_use_until_its_download_has_ended(
    facility: Facility, long_download: Iterable[bytes]
) -> None:
    facility.clock.advance(timedelta(hours=13))
    meanwhile = facility.admin.get("/api/modules")
    read = sum(map(len, long_download))
    long_download.close()  # type: ignore[attr-defined]  # as servers do

    assert (meanwhile.status_code, read) == (401, 100_000)
    assert facility.admin.get("/api/modules").status_code == 200


def test_a_session_that_was_ended_during_its_download_stays_so(
    facility: Facility, long_download: Iterable[bytes]
) -> None:
    facility.admin.post("/api/auth/sign-out")
    facility.clock.advance(timedelta(hours=1))
    long_download.close()  # type: ignore[attr-defined]  # as servers do

    assert facility.admin.get("/api/modules").status_code == 401


def test_the_end_of_a_short_download_is_not_noted(facility: Facility, long_download: Iterable[bytes]) -> None:
    began = seen_at(facility.admin)
    facility.clock.advance(timedelta(seconds=59))
    long_download.close()  # type: ignore[attr-defined]  # as servers do

    assert seen_at(facility.admin) == began


def test_an_end_is_the_earlier_of_the_two(facility: Facility) -> None:
    facility.admin.patch("/api/admin/settings/access", {"sessionIdleHours": 300, "sessionMaxHours": 168})
    ends = facility.researcher.get("/api/auth/session").json["expiresAt"]
    facility.admin.patch("/api/admin/settings/access", {"sessionIdleHours": 1})
    sooner = facility.researcher.get("/api/auth/session").json["expiresAt"]

    assert sooner < ends


def test_a_new_role_holds_from_the_next_request_on(facility: Facility) -> None:
    assert facility.researcher.get("/api/admin/settings").status_code == 403
    User.update(role=Role.FACILITY_ADMIN).where(User.id == facility.researcher_id).execute()

    assert facility.researcher.get("/api/admin/settings").status_code == 200


def test_a_deactivated_account_has_no_session(facility: Facility) -> None:
    User.update(is_active=False).where(User.id == facility.researcher_id).execute()

    assert facility.researcher.get("/api/modules").status_code == 401
    assert facility.researcher.get("/api/auth/session").json == {"user": None, "expiresAt": None}


def test_signing_in_again_ends_the_session_before(facility: Facility) -> None:
    before = facility.admin.cookie
    answer = facility.admin.post("/api/auth/sign-in", {"email": ADMIN, "password": "correct horse battery"})

    assert answer.status_code == 200
    assert answer.cookies["service_session"].value != before
    assert facility.admin.get("/api/modules").status_code == 401


def test_the_token_of_a_session_is_no_api_token(facility: Facility) -> None:
    headers = {"Authorization": f"Bearer {facility.admin.cookie}"}

    assert facility.anonymous.get("/api/modules", headers=headers).status_code == 401


def test_the_worker_forgets_what_nobody_can_use_any_more(facility: Facility) -> None:
    facility.anonymous.post("/api/auth/sign-in", {"email": ADMIN, "password": "wrong"})
    facility.clock.advance(timedelta(hours=169))
    now = facility.clock.now()

    assert facility.services.worker.tick(now)
    assert (Session.select().count(), ThrottleAttempt.select().count()) == (0, 0)
    assert not facility.services.worker.tick(now)


def test_behind_https_the_cookie_is_secure_and_the_public_address_is_ours(
    facility_template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEQFACILITY_PUBLIC_URL", "https://seq.facility.test")
    monkeypatch.setenv("SEQFACILITY_TRUSTED_PROXIES", "127.0.0.1")
    facility = open_facility(facility_template, tmp_path)

    signed_in = facility.anonymous.post(
        "/api/auth/sign-in",
        {"email": ADMIN, "password": PASSWORD},
        headers={"X-Forwarded-For": "198.51.100.9"},
    )
    own = facility.admin.put("/api/admin/modules", {}, headers={"Origin": "https://seq.facility.test"})
    foreign = facility.admin.put("/api/admin/modules", {}, headers={"Origin": "https://facility.test"})
    newest = facility.admin.get("/api/admin/audit", params={"action": "sign-in"}).json["events"][0]
    facility.close()

    assert "Secure" in signed_in.headers["set-cookie"]
    assert (own.status_code, foreign.status_code) == (200, 403)
    assert newest["address"] == "198.51.100.9"
