"""What a page learns before its first paint, and what somebody without a session does not."""

from pathlib import Path

import pytest
from seqfacility_instance.core.vocabulary.people import Role
from seqfacility_instance.tables.people import User
from seqfacility_instance.version import RELEASE
from seqfacility_testkit.facility import Client, Facility, open_facility
from seqfacility_testkit.queries import counted_queries


def test_who_is_not_signed_in_learns_what_everybody_may_know(facility: Facility) -> None:
    answer = facility.anonymous.get("/api/boot")

    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
    assert answer.json == {
        "site": facility.anonymous.get("/api/site").json,
        "user": None,
        "modules": None,
        "unread": None,
        "release": RELEASE,
    }


@pytest.mark.parametrize("public_url", ["https://seq.facility.test", ""])
def test_who_is_not_signed_in_learns_whether_a_link_for_a_new_password_can_be_mailed(
    facility_template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, public_url: str
) -> None:
    monkeypatch.setenv("SEQFACILITY_PUBLIC_URL", public_url)
    facility = open_facility(facility_template, tmp_path)
    server = {"host": "mail.lab.test", "from": "sequencing@lab.test"}
    before = facility.anonymous.get("/api/boot").json

    saved = facility.admin.patch("/api/admin/settings/mail", server)
    after = facility.anonymous.get("/api/boot").json
    of_somebody = facility.researcher.get("/api/boot").json
    facility.close()

    assert saved.status_code == 200
    assert after == {**before, **({"sendsMail": True} if public_url else {})}
    assert "sendsMail" not in of_somebody


@pytest.mark.parametrize("cookie", ["", "x", "\xe9"])
def test_a_cookie_that_opens_nothing_is_as_good_as_none(facility: Facility, cookie: str) -> None:
    answer = Client(facility, cookie).get("/api/boot")

    assert (answer.status_code, answer.json["user"], answer.json["modules"]) == (200, None, None)


def test_the_answer_is_what_four_others_say(facility: Facility) -> None:
    ticket = facility.researcher.post("/api/tickets", {"subject": "Tubes", "body": "Where?"}).json["ticket"]
    facility.admin.put("/api/admin/modules", {"modules": {"notifications": True}})
    facility.admin.post(f"/api/tickets/{ticket['id']}/messages", {"body": "Here."})

    for client in (facility.researcher, facility.admin, facility.other_researcher):
        answer = client.get("/api/boot").json
        user = client.get("/api/auth/session").json["user"]
        assert answer["user"] == {**user, "mustChangePassword": False}
        assert answer["modules"] == client.get("/api/modules").json["modules"]
        assert answer["unread"] == {
            "messages": client.get("/api/tickets/unread").json["unread"],
            "notifications": client.get("/api/notifications").json["unread"],
        }
    assert facility.researcher.get("/api/boot").json["unread"] == {"messages": 1, "notifications": 1}


def test_a_generated_password_is_to_be_changed(facility: Facility) -> None:
    User.update(must_change_password=True).where(User.role == Role.FACILITY_ADMIN).execute()

    assert facility.admin.get("/api/boot").json["user"]["mustChangePassword"] is True


def test_a_module_works_only_while_the_switch_for_all_lets_it(facility: Facility) -> None:
    facility.admin.put("/api/admin/modules", {"globalDisabled": True})

    assert set(facility.researcher.get("/api/boot").json["modules"].values()) == {False}


def test_an_ended_session_is_nobody(facility: Facility) -> None:
    facility.researcher.post("/api/auth/sign-out")

    assert facility.researcher.get("/api/boot").json["user"] is None


def test_the_questions_to_the_database_are_few(facility: Facility) -> None:
    facility.researcher.get("/api/boot")

    with counted_queries() as statements:
        facility.researcher.get("/api/boot")

    assert len(statements) <= 8, statements
