"""Refused requests that matter in an incident are in the audit trail, and nobody fills it with them."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from seqfacility_instance.access import refusals
from seqfacility_instance.access.refusals import Refusal, RefusalTrail
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.tables.people import AuditEvent
from seqfacility_instance.tables.tokens import ApiToken
from seqfacility_testkit.facility import ADMIN, Client, Facility
from seqfacility_testkit.log_lines import logged

CROSS_SITE = {"Sec-Fetch-Site": "cross-site"}


def rows(action: str) -> list[AuditEvent]:
    return list(AuditEvent.select().where(AuditEvent.action == action).order_by(AuditEvent.sequence))


def test_an_admin_route_that_a_researcher_called_is_noted_once_a_minute(facility: Facility) -> None:
    for _ in range(3):
        facility.researcher.get("/api/admin/audit")
    facility.clock.advance(timedelta(seconds=61))
    facility.researcher.get("/api/admin/audit")

    noted = rows("access-denied")

    assert [(row.actor_id, row.object_id, row.address) for row in noted] == [
        (facility.researcher_id, "GET /api/admin/audit", "127.0.0.1")
    ] * 2
    assert noted[0].detail == {"error": "Unauthorized"}


def test_somebody_elses_order_is_noted_as_denied(facility: Facility) -> None:
    order_id = facility.admin.post("/api/orders", {"name": "Mine"}).json["order"]["id"]

    refused = facility.researcher.get(f"/api/orders/{order_id}")

    assert refused.status_code == 403
    assert [row.object_id for row in rows("access-denied")] == [f"GET /api/orders/{order_id}"]


@pytest.mark.parametrize("address", ["127.0.0.1", "192.0.2.7"])
def test_a_refused_token_is_named_in_trail_and_log(facility: Facility, address: str) -> None:
    wanted = {"name": "NovaSeq X", "addresses": [address], "scopes": ["uploads:write"], "expiresInDays": 1}
    machine = Client(facility, token=facility.admin.post("/api/admin/machines", wanted).json["token"])

    with logged() as lines:
        assert machine.get("/api/orders").status_code == 403

    token, (row,) = ApiToken.get(), rows("access-denied")
    assert (row.actor_id, row.detail["token"]) == (token.user_id, token.id)
    assert lines()[-1].endswith(f" user={token.user_id}")


def test_a_request_of_another_site_is_noted(facility: Facility) -> None:
    refused = facility.anonymous.post(
        "/api/auth/sign-in", {"email": ADMIN, "password": "x"}, headers=CROSS_SITE
    )

    assert refused.status_code == 403
    (row,) = rows("cross-site-refused")
    assert (row.actor_id, row.object_id, row.address) == (None, "POST /api/auth/sign-in", "127.0.0.1")


def test_throttled_sign_ins_are_noted_with_what_was_typed(facility: Facility) -> None:
    for _ in range(13):
        answer = facility.anonymous.post("/api/auth/sign-in", {"email": ADMIN, "password": "wrong"})

    assert answer.status_code == 429
    assert [row.personal for row in rows("sign-in-throttled")] == [{"email": ADMIN}]


@pytest.mark.parametrize("email", [r"\ud800@b.test", r"a\u0000@b.test", "x" * 3000 + "@b.test"])
def test_rubbish_for_an_email_is_refused_as_long_as_it_is_tried(facility: Facility, email: str) -> None:
    body = f'{{"email": "{email}", "password": "wrong"}}'

    answers = {
        facility.anonymous.request(
            "POST", "/api/auth/sign-in", body=body, headers={"Content-Type": "application/json"}
        ).status_code
        for _ in range(13)
    }

    assert answers <= {400, 401, 429}


def test_wrong_current_passwords_are_noted(facility: Facility) -> None:
    body = {"currentPassword": "wrong", "newPassword": "a quite new password"}

    refused = facility.researcher.post("/api/auth/password", body)

    assert refused.status_code == 400
    assert [row.actor_id for row in rows("password-change-failed")] == [facility.researcher_id]


def test_throttled_guesses_are_noted_with_their_limit(facility: Facility) -> None:
    body = {"password": "wrong"}
    for _ in range(13):
        confirmed = facility.researcher.post("/api/auth/confirm", body)
        guessed = facility.anonymous.get("/d/no-such-link/checksums.md5")
    while guessed.status_code == 404:
        guessed = facility.anonymous.get("/d/no-such-link/checksums.md5")

    assert (confirmed.status_code, guessed.status_code) == (429, 429)
    assert {(row.actor_id, row.object_type, row.object_id) for row in rows("throttled")} == {
        (facility.researcher_id, "limit", "password:user"),
        (None, "limit", "delivery-link:address"),
    }


def test_strangers_make_only_so_many_rows(facility: Facility, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refusals, "ROWS_OF_STRANGERS", 5)
    trail = RefusalTrail(facility.clock)

    for number in range(9):
        act = AuditAction.CROSS_SITE_REFUSED
        trail.note(Refusal(act, None, f"192.0.2.{number}", "request", f"GET /{number}", {}))

    assert len(rows("cross-site-refused")) == 5


def test_one_network_and_one_user_make_only_so_many_rows(
    facility: Facility, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refusals, "ROWS_OF_A_NETWORK", 2)
    monkeypatch.setattr(refusals, "ROWS_OF_A_USER", 3)
    for path in ("sign-in", "sign-out", "password-reset", "password"):
        facility.anonymous.post(f"/api/auth/{path}", {}, headers=CROSS_SITE)
    for path in ("audit", "users", "health", "settings", "departments"):
        assert facility.researcher.get(f"/api/admin/{path}").status_code == 403

    assert len(rows("cross-site-refused")) == 2
    assert len(rows("access-denied")) == 3


def test_a_path_of_rubbish_is_refused_and_noted_like_any_other(facility: Facility) -> None:
    refused = facility.researcher.patch("/api/admin/settings/a%00%ED%A0%80%0Ab" + "c" * 400, {})

    assert refused.status_code in {403, 404}
    assert all(len(row.object_id or "") <= 255 for row in rows("access-denied"))


def test_request_log_lines_name_address_and_user(facility: Facility) -> None:
    with logged() as lines:
        facility.researcher.get("/api/admin/audit")
        facility.anonymous.get("/api/orders")
        facility.anonymous.get("/api/nowhere")

    denied, unknown, nowhere = (line for line in lines() if " seqfacility.http " in line)
    assert denied.endswith(f" address=127.0.0.1 user={facility.researcher_id}")
    assert unknown.endswith(" address=127.0.0.1")
    assert nowhere.endswith(" address=127.0.0.1")


@contextmanager
def held(address: str | Path) -> Iterator[None]:
    """Hold what every writer of the trail needs: SQLite's write lock, PostgreSQL's lock of the chain."""
    if isinstance(address, Path):
        writer = sqlite3.connect(address, isolation_level=None)
        writer.execute("BEGIN IMMEDIATE")
    else:
        writer = psycopg.connect(address)
        writer.execute(f"SELECT pg_advisory_lock({0x5EFAC2})")
    try:
        yield
    finally:
        writer.rollback()
        writer.close()


def test_on_a_busy_database_a_refusal_stays_what_it_is(
    facility: Facility, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refusals, "WAIT_SECONDS", 0.05)
    with held(facility.services.settings.database_address):
        refused = facility.researcher.get("/api/admin/audit")

    assert (refused.status_code, refused.json) == (403, {"error": "Unauthorized"})
    assert rows("access-denied") == []
