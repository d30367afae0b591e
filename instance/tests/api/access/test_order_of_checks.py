"""Which refusal comes first: route, method, cross-site, session, role, demo, object, content."""

import json
import re
from datetime import timedelta

import pytest
from seqfacility_instance.access.classes import ANYONE, SESSION_ROUTE
from seqfacility_instance.access.errors import RefusedInDemo
from seqfacility_instance.access.sessions import token_hash
from seqfacility_instance.core.vocabulary.people import Role
from seqfacility_instance.routes import routes
from seqfacility_instance.tables.people import DemoWorkspace, User
from seqfacility_testkit.facility import ADMIN, PASSWORD, Client, Facility

FOREIGN = {"Origin": "http://evil.test"}
FORM_TYPE = "application/x-www-form-urlencoded"
SECTION = "/api/admin/settings/access"


@pytest.fixture
def demo(facility: Facility) -> dict[Role, Client]:
    """Return a browser for each person of a demo workspace."""
    now = facility.clock.now()
    people = {
        role: User.create(
            email=f"{role.value.lower()}@demo.test", password_hash="-", first_name="D", last_name="E",
            role=role, is_demo=True,
        )
        for role in Role
    }  # fmt: skip
    workspace = DemoWorkspace.create(
        token_hash=token_hash("w"), user=people[Role.RESEARCHER], admin_user=people[Role.FACILITY_ADMIN],
        seed_version=1, last_seen_at=now, expires_at=now + timedelta(hours=1),
    )  # fmt: skip
    start = facility.services.sessions.start
    return {
        role: Client(facility, start(user, "127.0.0.1", workspace=workspace)) for role, user in people.items()
    }


def test_an_unknown_route_comes_before_everything(facility: Facility) -> None:
    answer = facility.anonymous.post("/api/nothing", {}, headers=FOREIGN)

    assert (answer.status_code, answer.json) == (404, {"error": "Not found"})


def test_a_trailing_slash_makes_another_path(facility: Facility) -> None:
    assert facility.anonymous.get("/api/version/").status_code == 404


def test_the_method_comes_before_the_session(facility: Facility) -> None:
    answer = facility.anonymous.delete(SECTION, headers=FOREIGN)

    assert (answer.status_code, answer.json) == (405, {"error": "Method not allowed"})
    assert answer.headers["allow"] == "OPTIONS, PATCH"


def test_options_tells_the_methods_to_everybody(facility: Facility) -> None:
    answer = facility.anonymous.request("OPTIONS", "/api/admin/modules")

    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.headers["allow"] == "GET, HEAD, OPTIONS, PUT"
    assert "access-control-allow-origin" not in answer.headers


def test_head_is_guarded_like_get(facility: Facility) -> None:
    assert facility.anonymous.request("HEAD", "/api/modules").status_code == 401
    answer = facility.admin.request("HEAD", "/api/modules")
    assert (answer.status_code, answer.content) == (200, b"")


def test_another_site_is_refused_before_the_session_is_looked_at(facility: Facility) -> None:
    forged = Client(facility, "neither-valid-nor-known")

    answer = forged.patch(SECTION, {}, headers=FOREIGN)

    assert (answer.status_code, answer.json) == (403, {"error": "Cross-site request refused"})


def test_without_our_cookie_another_site_is_nobody(facility: Facility) -> None:
    assert facility.anonymous.patch(SECTION, {}, headers=FOREIGN).status_code == 401


@pytest.mark.parametrize("headers", [FOREIGN, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}])
def test_another_site_can_begin_no_session_and_make_no_account(
    facility: Facility, headers: dict[str, str]
) -> None:
    credentials = {"email": ADMIN, "password": PASSWORD}

    for access in (ANYONE, SESSION_ROUTE):
        for route in routes(facility.services):
            if route.access.get("POST") == access:
                path = re.sub(r"\{[^}]*\}", "somebody", route.path)
                answer = facility.anonymous.post(path, credentials, headers=headers)
                assert answer.json == {"error": "Cross-site request refused"}, route.path
                assert answer.status_code == 403


@pytest.mark.parametrize("media_type", ["text/plain", "multipart/form-data; boundary=x", FORM_TYPE])
def test_the_form_of_a_page_is_no_json(facility: Facility, media_type: str) -> None:
    body = json.dumps({"email": ADMIN, "password": PASSWORD})
    headers = {"Content-Type": media_type, "Sec-Fetch-Site": "same-origin"}

    answer = facility.anonymous.post("/api/auth/sign-in", body=body, headers=headers)

    assert (answer.status_code, answer.json) == (415, {"error": "Content-Type must be application/json"})


@pytest.mark.parametrize("media_type", ["text/plain", FORM_TYPE, "application/json", "application/ld+json"])
def test_command_lines_call_a_body_what_they_like(facility: Facility, media_type: str) -> None:
    body = json.dumps({"email": ADMIN, "password": PASSWORD})

    answer = facility.anonymous.post("/api/auth/sign-in", body=body, headers={"Content-Type": media_type})

    assert answer.status_code == 200


@pytest.mark.parametrize("headers", [FOREIGN, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}])
def test_no_unsafe_request_of_another_site_is_accepted(facility: Facility, headers: dict[str, str]) -> None:
    for method, path in (
        ("PATCH", SECTION),
        ("PUT", "/api/admin/modules"),
        ("POST", "/api/auth/sign-out"),
        ("POST", "/api/auth/sign-in"),
        ("POST", "/api/auth/password"),
        ("POST", "/api/orders"),
    ):
        answer = facility.admin.request(method, path, json={}, headers=headers)
        assert answer.json == {"error": "Cross-site request refused"}, (method, path)
    assert facility.admin.get("/api/auth/session").json["user"] is not None


def test_reading_is_no_matter_of_the_cross_site_check(facility: Facility) -> None:
    assert facility.admin.get("/api/modules", headers=FOREIGN).status_code == 200


def test_our_own_pages_pass(facility: Facility) -> None:
    headers = {"Origin": "http://falconframework.org", "Sec-Fetch-Site": "same-origin"}

    assert facility.admin.patch(SECTION, {}, headers=headers).status_code == 200


def test_the_session_comes_before_the_role_and_the_role_before_the_object(facility: Facility) -> None:
    unknown = "/api/admin/settings/nowhere"

    anonymous = facility.anonymous.patch(unknown, body="{")
    researcher = facility.researcher.patch(unknown, body="{")

    assert (anonymous.status_code, anonymous.json) == (401, {"error": "Unauthorized"})
    assert (researcher.status_code, researcher.json) == (403, {"error": "Unauthorized"})


def test_the_demo_text_comes_after_the_role(demo: dict[Role, Client]) -> None:
    as_researcher = demo[Role.RESEARCHER].patch("/api/admin/settings/nowhere", body="{")
    as_admin = demo[Role.FACILITY_ADMIN].patch("/api/admin/settings/nowhere", body="{")

    assert (as_researcher.status_code, as_researcher.json) == (403, {"error": "Unauthorized"})
    assert as_admin.json == {"error": "Administration is disabled in the public demo."}
    assert as_admin.status_code == RefusedInDemo.status == 403


def test_the_demo_is_refused_before_the_body_is_read(demo: dict[Role, Client]) -> None:
    answer = demo[Role.RESEARCHER].post("/api/orders", body="{")

    assert answer.json == {"error": "Order editing is disabled in the public demo."}


def test_a_demo_session_reads_and_signs_out(demo: dict[Role, Client]) -> None:
    admin = demo[Role.FACILITY_ADMIN]

    assert admin.get("/api/admin/settings").status_code == 200
    assert admin.get("/api/auth/session").json["user"]["isDemo"] is True
    assert admin.post("/api/auth/sign-out").json == {"success": True}
    assert admin.get("/api/admin/settings").status_code == 401


def test_a_demo_admin_sees_no_audit_row_of_real_people(demo: dict[Role, Client], facility: Facility) -> None:
    facility.admin.patch(SECTION, {"siteName": "Core Lab"})

    assert demo[Role.FACILITY_ADMIN].get("/api/admin/audit").json["events"] == []
