"""Sign-in at a certified provider, `oidc-provider` of npm: a process of its own, its own pages and keys."""

from collections.abc import Iterator

import pytest
import requests
from seqfacility_testkit.facility import ADMIN
from seqfacility_testkit.identity_provider import Visitor, running_provider, why_not
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.waiting import wait_for

CLIENT_SECRET = "a secret + of 100% the client"  # of a provider of tests
START = "/api/auth/oidc/institute/start"
PEOPLE = {
    "marie": {
        "email": "marie@institute.test",
        "email_verified": True,
        "given_name": "Marie",
        "family_name": "Curie",
        "groups": ["sequencing-core"],
        "department": "Genomics",
    },
    "mallory": {"email": ADMIN, "email_verified": False, "given_name": "M", "family_name": "M"},
}


@pytest.fixture(scope="module")
def issuer(instance: LiveFacility) -> Iterator[str]:
    """Return the issuer of a provider that knows the instance as its client, and the other way round."""
    if (missing := why_not()) is not None:
        pytest.skip(missing)
    client = {
        "client_id": "seqfacility",
        "client_secret": CLIENT_SECRET,
        "redirect_uris": [f"{instance.base}/api/auth/oidc/institute/callback"],
        "backchannel_logout_uri": f"{instance.base}/api/auth/oidc/institute/back-channel-logout",
        "backchannel_logout_session_required": True,
    }
    with running_provider([client], PEOPLE) as issuer:
        admin = instance.sign_in(ADMIN)
        admin.post("/api/admin/departments", json={"name": "Genomics"}).raise_for_status()
        one = {
            "id": "institute",
            "name": "Institute",
            "issuer": issuer,
            "clientId": "seqfacility",
            "clientSecret": CLIENT_SECRET,
            "groupsClaim": "groups",
            "adminGroups": ["sequencing-core"],
            "departmentClaim": "department",
        }
        saved = admin.patch("/api/admin/settings/signIn", json={"oidcProviders": [one]})
        assert saved.status_code == 200, saved.text
        yield issuer


def visitor(login: str) -> Visitor:
    session = requests.Session()
    session.trust_env = False
    return Visitor(session, login)


def test_a_person_signs_in_at_the_provider_and_comes_to_the_page_with_role_and_department(
    instance: LiveFacility, issuer: str
) -> None:
    marie = visitor("marie")

    page = marie.sign_in(f"{instance.base}{START}?next=/orders", instance.base)

    profile = marie.session.get(f"{instance.base}/api/user/profile", timeout=30).json()["profile"]
    assert page == "/orders"
    assert (profile["email"], profile["role"]) == ("marie@institute.test", "FACILITY_ADMIN")
    assert profile["department"]["name"] == "Genomics"


def test_who_signs_out_at_the_provider_is_signed_out_here(instance: LiveFacility, issuer: str) -> None:
    marie = visitor("marie")
    marie.sign_in(f"{instance.base}{START}", instance.base)
    assert _user(marie, instance) is not None

    marie.sign_out(issuer)

    wait_for(lambda: _user(marie, instance) is None, "the provider tells of the logout", 30)


def test_an_email_that_the_provider_has_not_verified_opens_no_account(
    instance: LiveFacility, issuer: str
) -> None:
    mallory = visitor("mallory")

    page = mallory.sign_in(f"{instance.base}{START}", instance.base)

    assert page == "/sign-in?error=not-verified"
    assert _user(mallory, instance) is None


def _user(person: Visitor, instance: LiveFacility) -> object:
    return person.session.get(f"{instance.base}/api/auth/session", timeout=30).json()["user"]
