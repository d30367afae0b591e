"""Signing in at a provider: what it makes of a person, and what it never does."""

import threading
from datetime import timedelta
from typing import Any

import pytest
from playhouse.pool import PooledDatabase
from seqfacility_instance.tables.people import AuditEvent, OidcIdentity, User
from seqfacility_instance.tables.second_factors import SecondFactor
from seqfacility_testkit.facility import ADMIN, PASSWORD, RESEARCHER, Client, Facility
from seqfacility_testkit.lying_provider import LyingProvider

from .conftest import Browser, configure, place  # isort: skip

MARIE = "marie@institute.test"


def role_of(facility: Facility, email: str) -> str:
    return str(User.get(User.email == email).role.value)


def local_sign_in(facility: Facility, email: str, password: str) -> int:
    return int(
        facility.anonymous.post("/api/auth/sign-in", {"email": email, "password": password}).status_code
    )


def test_the_first_sign_in_makes_an_account_and_ends_in_a_session_on_the_page_that_was_asked_for(
    facility: Facility, browser: Browser
) -> None:
    listed = facility.anonymous.get("/api/auth/oidc")
    answer = browser.sign_in("/orders?view=mine")

    assert listed.json == {"providers": [{"id": "institute", "name": "Institute of Limnology"}]}
    assert place(answer) == "/orders?view=mine"
    user = browser.client.get("/api/auth/session").json["user"]
    assert (user["email"], user["firstName"], user["role"]) == (MARIE, "Marie", "RESEARCHER")
    cookie = answer.cookies["service_session"]
    assert cookie.http_only
    assert cookie.same_site == "Lax"


def test_later_a_person_is_found_by_the_subject_whatever_the_email(
    facility: Facility, browser: Browser, provider: LyingProvider
) -> None:
    browser.sign_in()
    provider.claims |= {"email": ADMIN, "email_verified": False}

    assert place(browser.sign_in()) == "/"

    assert browser.client.get("/api/auth/session").json["user"]["email"] == MARIE
    assert OidcIdentity.select().count() == 1


def test_an_account_is_linked_by_a_verified_email_and_opens_no_more_by_its_password(
    facility: Facility, browser: Browser, provider: LyingProvider
) -> None:
    provider.claims["email"] = RESEARCHER.upper()
    wanted = {"name": "Night script", "scopes": ["orders:read"], "expiresInDays": 1}
    token = facility.researcher.post("/api/user/tokens", wanted).json["token"]

    assert place(browser.sign_in()) == "/"

    by_token = facility.anonymous.get("/api/orders", headers={"Authorization": f"Bearer {token}"})
    assert by_token.status_code == 401

    assert browser.client.get("/api/auth/session").json["user"]["id"] == facility.researcher_id
    assert facility.researcher.get("/api/user/profile").status_code == 401
    assert local_sign_in(facility, RESEARCHER, PASSWORD) == 401


def test_the_second_factor_of_who_had_the_account_before_goes_with_the_password(
    facility: Facility, browser: Browser, provider: LyingProvider
) -> None:
    provider.claims["email"] = RESEARCHER
    now = facility.clock.now()
    SecondFactor.insert(user=facility.researcher_id, sealed_secret="", enabled_at=now).execute()

    assert place(browser.sign_in()) == "/"

    assert browser.client.get("/api/auth/totp").json["enabled"] is False
    assert AuditEvent.get(AuditEvent.action == "second-factor-reset").object_id == facility.researcher_id


def test_an_admin_who_is_linked_keeps_the_password_as_a_way_in(
    facility: Facility, browser: Browser, provider: LyingProvider
) -> None:
    provider.claims["email"] = ADMIN

    assert place(browser.sign_in()) == "/"

    assert browser.client.get("/api/auth/session").json["user"]["id"] == facility.admin_id
    assert local_sign_in(facility, ADMIN, PASSWORD) == 200


@pytest.mark.parametrize("verified", [False, None, "true", 1])
def test_an_email_that_is_not_verified_links_and_makes_nothing(
    browser: Browser, provider: LyingProvider, verified: object
) -> None:
    provider.claims |= {"email": ADMIN, "email_verified": verified}

    assert place(browser.sign_in()) == "/sign-in?error=not-verified"

    assert "service_session" not in browser.kept
    assert OidcIdentity.select().count() == 0


def test_an_account_that_belongs_to_one_person_of_a_provider_is_given_to_no_other(
    facility: Facility, browser: Browser, provider: LyingProvider
) -> None:
    browser.sign_in()
    provider.claims["sub"] = "person-2"

    assert place(Browser(facility, provider).sign_in()) == "/sign-in?error=linked-elsewhere"


def test_an_admin_lets_the_owner_of_an_account_be_linked_anew(
    facility: Facility, browser: Browser, provider: LyingProvider
) -> None:
    browser.sign_in()
    user = User.get(User.email == MARIE)
    wanted = {"name": "Night script", "scopes": ["orders:read"], "expiresInDays": 1}
    script = Client(facility, token=browser.client.post("/api/user/tokens", wanted).json["token"])
    before = script.get("/api/orders").status_code
    provider.claims["sub"] = "person-1 again"

    answer = facility.admin.delete(f"/api/admin/users/{user.id}/identities")

    assert answer.json == {"success": True}
    assert browser.client.get("/api/user/profile").status_code == 401
    assert (before, script.get("/api/orders").status_code) == (200, 401)
    assert AuditEvent.get(AuditEvent.action == "token-revoked").detail == {"owner": user.id}
    assert place(browser.sign_in()) == "/"
    assert browser.client.get("/api/auth/session").json["user"]["id"] == user.id
    assert facility.admin.delete("/api/admin/users/nobody/identities").status_code == 404


def test_new_accounts_are_of_the_domains_that_are_allowed(
    facility: Facility, browser: Browser, provider: LyingProvider
) -> None:
    browser.sign_in()
    facility.services.facility.change("access", {"allowedEmailDomains": ["other.test"]}, facility.clock.now())

    assert place(browser.sign_in()) == "/"
    provider.claims |= {"sub": "person-2", "email": "pierre@institute.test"}
    assert place(browser.sign_in()) == "/sign-in?error=not-allowed"


def test_a_deactivated_account_stays_outside_and_the_audit_says_why(
    facility: Facility, browser: Browser
) -> None:
    browser.sign_in()
    user = User.get(User.email == MARIE)
    facility.admin.patch(f"/api/admin/users/{user.id}", {"isActive": False})

    assert place(browser.sign_in()) == "/sign-in?error=deactivated"

    newest = AuditEvent.select().order_by(AuditEvent.at.desc(), AuditEvent.id.desc()).first()
    assert newest is not None
    assert newest.action == "sign-in-failed"
    assert newest.detail == {"provider": "institute", "reason": "deactivated"}


def test_who_registered_with_the_email_of_another_is_out_once_its_owner_comes(
    facility: Facility, browser: Browser
) -> None:
    form = {"email": MARIE, "password": PASSWORD, "firstName": "M", "lastName": "M", "role": "RESEARCHER"}
    assert facility.anonymous.post("/api/register", form).json["pendingApproval"] is True

    assert place(browser.sign_in()) == "/"

    assert local_sign_in(facility, MARIE, PASSWORD) == 401
    assert browser.client.get("/api/user/profile").status_code == 200


def test_a_group_gives_the_role_of_an_admin_and_its_loss_takes_it(
    facility: Facility, browser: Browser, provider: LyingProvider
) -> None:
    configure(facility, provider, groupsClaim="realm_access.roles", adminGroups=["core"])
    provider.claims["realm_access"] = {"roles": ["staff", "core"]}
    browser.sign_in()
    session = browser.client
    assert role_of(facility, MARIE) == "FACILITY_ADMIN"
    provider.claims["realm_access"] = {"roles": ["staff"]}

    Browser(facility, provider).sign_in()

    assert role_of(facility, MARIE) == "RESEARCHER"
    assert session.get("/api/admin/users").status_code == 403


def test_an_admin_of_the_institute_is_confirmed_and_asked_for_no_second_factor_of_ours(
    facility: Facility, browser: Browser, provider: LyingProvider
) -> None:
    configure(facility, provider, groupsClaim="groups", adminGroups=["core"])
    facility.admin.patch("/api/admin/settings/access", {"adminsNeedSecondFactor": True})
    provider.claims |= {"groups": ["core"], "exp": 4_000_000_000}
    browser.sign_in()

    assert browser.client.patch("/api/admin/settings/access", {"siteName": "Lakes"}).status_code == 200
    facility.clock.advance(timedelta(minutes=11))
    refused = browser.client.patch("/api/admin/settings/access", {"siteName": "Seas"})
    assert (refused.status_code, refused.json["confirm"]) == (403, True)
    browser.sign_in()
    assert browser.client.patch("/api/admin/settings/access", {"siteName": "Seas"}).status_code == 200


def test_no_provider_takes_a_role_that_it_did_not_give(
    facility: Facility, browser: Browser, provider: LyingProvider
) -> None:
    configure(facility, provider, groupsClaim="groups", adminGroups=["core"])
    provider.claims |= {"email": ADMIN, "groups": []}

    browser.sign_in()

    assert role_of(facility, ADMIN) == "FACILITY_ADMIN"


def test_the_department_follows_the_claim_where_there_is_one_of_that_name(
    facility: Facility, browser: Browser, provider: LyingProvider
) -> None:
    facility.admin.post("/api/admin/departments", {"name": "Genomics"})
    configure(facility, provider, departmentClaim="ou")
    provider.claims["ou"] = ["Genomics", "Ecology"]
    browser.sign_in()
    provider.claims["ou"] = "Nowhere"
    browser.sign_in()

    assert browser.client.get("/api/user/profile").json["profile"]["department"]["name"] == "Genomics"


@pytest.mark.parametrize("password", ["", "x", PASSWORD, "\0"])
def test_an_account_without_password_opens_by_none(
    facility: Facility, browser: Browser, password: str
) -> None:
    browser.sign_in()

    assert local_sign_in(facility, MARIE, password) in {400, 401}
    change = {"currentPassword": password, "newPassword": "another horse battery"}
    assert browser.client.post("/api/auth/password", change).status_code == 400


def test_what_the_id_token_leaves_out_comes_from_userinfo_about_the_same_subject_only(
    browser: Browser, provider: LyingProvider
) -> None:
    for name in ("email", "email_verified"):
        provider.userinfo[name] = provider.claims.pop(name)
    provider.userinfo["sub"] = "person-2"
    assert place(browser.sign_in()) == "/sign-in?error=invalid-answer"
    provider.userinfo["sub"] = "person-1"

    assert place(browser.sign_in()) == "/"

    assert browser.client.get("/api/auth/session").json["user"]["email"] == MARIE


def test_the_word_that_an_email_is_verified_counts_only_beside_that_email(
    facility: Facility, browser: Browser, provider: LyingProvider
) -> None:
    configure(facility, provider, departmentClaim="ou")
    provider.claims |= {"email": ADMIN, "email_verified": None}
    provider.userinfo = {"sub": "person-1", "email": "own@institute.test", "email_verified": True}

    assert place(browser.sign_in()) == "/sign-in?error=not-verified"


def test_the_session_that_the_browser_had_ends_and_none_is_taken_over(
    facility: Facility, browser: Browser
) -> None:
    before = facility.researcher.cookie
    assert before is not None
    browser.kept["service_session"] = before

    browser.sign_in()

    assert browser.kept["service_session"] != before
    assert Client(facility, before).get("/api/user/profile").status_code == 401


@pytest.mark.parametrize(
    "page",
    [
        "https://evil.test/",
        "//evil.test",
        "/\\evil.test",
        "\\\\evil.test",
        "/%2f%2fevil.test",
        "/%252f%252fevil.test",
        "/%5cevil.test",
        "/\t/evil.test",
        "/..//evil.test",
        "/orders/../api/auth/oidc/institute/start",
        "/./api",
        "/orders/%2e%2e/sign-in",
        "/..",
        "javascript:alert(1)",
        "orders",
        "/orders\r\nSet-Cookie: a=b",
        "/\u2028",
        "/api/auth/oidc/institute/start",
        "/sign-in?error=deactivated",
        "/" + "a" * 2000,
    ],
)
def test_the_way_back_leads_to_a_page_of_this_site_only(browser: Browser, page: str) -> None:
    assert place(browser.sign_in(page)) == "/"


def test_two_first_sign_ins_at_a_time_make_one_account(facility: Facility, provider: LyingProvider) -> None:
    assert configure(facility, provider).status_code == 200
    both_are_there = threading.Barrier(2)
    usual = provider.sign_with_key

    def meet(claims: dict[str, Any]) -> str:
        both_are_there.wait(30)
        return usual(claims)

    provider.sign = meet
    browsers = [Browser(facility, provider), Browser(facility, provider)]
    returns = [provider.authorize(browser.start()) for browser in browsers]
    places: list[str] = []

    def come_back(number: int) -> None:
        try:
            places.append(place(browsers[number].callback(**returns[number])))
        finally:
            facility.services.database.close()

    threads = [threading.Thread(target=come_back, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert places == ["/", "/"]
    assert User.select().where(User.email == MARIE).count() == 1


def test_others_can_save_while_a_provider_is_asked(
    facility: Facility, browser: Browser, provider: LyingProvider
) -> None:
    saved: list[int] = []
    usual = provider.sign_with_key

    def meanwhile(claims: dict[str, Any]) -> str:
        saved.append(facility.admin.post("/api/admin/departments", {"name": "Ecology"}).status_code)
        facility.services.database.close()
        return usual(claims)

    provider.sign = meanwhile

    assert place(browser.sign_in()) == "/"
    assert saved == [201]


def test_no_connection_of_the_pool_is_held_while_a_provider_is_asked(
    facility: Facility, browser: Browser, provider: LyingProvider
) -> None:
    database = facility.services.database
    # The pool tells nobody; SQLite has none, and holds none.
    in_use = database._in_use if isinstance(database, PooledDatabase) else {}
    held: list[int] = []
    documents, tokens = provider.documents, provider.tokens

    def counting(answer: Any) -> Any:
        def counted(*words: Any) -> Any:
            held.append(len(in_use))
            return answer(*words)

        return counted

    provider.documents, provider.tokens = counting(documents), counting(tokens)  # type: ignore[method-assign]

    assert place(browser.sign_in()) == "/"
    assert provider.asked == ["/.well-known/openid-configuration", "/token", "/jwks"]
    assert held == [0, 0, 0]


def test_a_sign_in_that_takes_longer_than_ten_minutes_begins_anew(
    facility: Facility, browser: Browser, provider: LyingProvider
) -> None:
    answer = provider.authorize(browser.start())
    facility.clock.advance(timedelta(minutes=11))

    assert place(browser.callback(**answer)) == "/sign-in?error=expired"
