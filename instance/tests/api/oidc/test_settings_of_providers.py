"""The settings of identity providers: checked, and their secrets kept to themselves."""

from typing import Any

import pytest
from cryptography.fernet import Fernet
from seqfacility_instance.tables.people import AuditEvent
from seqfacility_instance.tables.site import SiteSettings
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.lying_provider import CLIENT_ID, LyingProvider

from .conftest import SETTINGS, Browser, configure, place  # isort: skip

ONE: dict[str, Any] = {
    "id": "institute",
    "name": "Institute",
    "issuer": "https://login.institute.test",
    "clientId": CLIENT_ID,
    "clientSecret": "open sesame",
}


def stored() -> str:
    row = SiteSettings.get()
    return repr(row.extra_settings)


def test_a_secret_is_stored_sealed_and_shown_to_nobody(facility: Facility) -> None:
    saved = facility.admin.patch(SETTINGS, {"oidcProviders": [ONE]})
    read = facility.admin.get("/api/admin/settings").json["sections"]["signIn"]

    shown = {name: value for name, value in ONE.items() if name != "clientSecret"}
    assert saved.json == read == {"oidcProviders": [{**shown, "clientSecretIsSet": True}]}
    assert "open sesame" not in stored()
    assert not [row for row in AuditEvent.select() if "sesame" in repr(row.detail)]


def test_what_was_read_can_be_sent_back_and_keeps_the_secret(
    facility: Facility, browser: Browser, provider: LyingProvider
) -> None:
    read = facility.admin.get("/api/admin/settings").json["sections"]["signIn"]["oidcProviders"]
    read[0]["name"] = "Another name"

    saved = facility.admin.patch(SETTINGS, {"oidcProviders": read})

    assert saved.json["oidcProviders"][0]["clientSecretIsSet"] is True
    assert place(browser.sign_in()) == "/"
    assert provider.clients[-1][0].startswith("Basic ")


@pytest.mark.parametrize("nothing", [None, ""])
def test_a_client_without_a_secret_names_itself_only(
    facility: Facility, browser: Browser, provider: LyingProvider, nothing: str | None
) -> None:
    assert configure(facility, provider, clientSecret=nothing).status_code == 200

    assert place(browser.sign_in()) == "/"
    assert provider.clients[-1][0] == ""
    assert f"client_id={CLIENT_ID}" in provider.clients[-1][1]


def test_a_secret_goes_to_no_other_issuer_than_it_was_given_for(facility: Facility) -> None:
    facility.admin.patch(SETTINGS, {"oidcProviders": [ONE]})
    moved = {**ONE, "issuer": "https://elsewhere.test"}
    del moved["clientSecret"]

    answer = facility.admin.patch(SETTINGS, {"oidcProviders": [moved]})

    assert answer.status_code == 400
    assert answer.json["details"] == ["oidcProviders[0].clientSecret: must be sent again with another issuer"]


def test_a_text_that_looks_sealed_is_a_secret_as_any_other(facility: Facility) -> None:
    read = facility.admin.patch(SETTINGS, {"oidcProviders": [{**ONE, "clientSecret": "sealed:abc"}]})

    (provider,) = facility.services.facility.sign_in().oidc_providers
    assert read.status_code == 200
    assert provider.opened_secret(facility.services.facility.secrets.open) == "sealed:abc"


@pytest.mark.parametrize(
    "change",
    [
        {"id": "Institute"},
        {"id": "../x"},
        {"id": None},
        {"name": ""},
        {"name": "\0"},
        {"issuer": "http://login.institute.test"},
        {"issuer": "http://127.0.0.1.evil.test"},
        {"issuer": "http://localhost@evil.test"},
        {"issuer": "https://user:word@login.institute.test"},
        {"issuer": "https://login.institute.test/?a=b"},
        {"issuer": "https://login.institute.test#a"},
        {"issuer": "https://[::1"},
        {"issuer": "ftp://login.institute.test"},
        {"issuer": "https://" + "a" * 300},
        {"clientId": ""},
        {"clientId": "\ud7ff"},
        {"clientSecret": 5},
        {"clientSecret": "a" * 513},
        {"clientSecret": "a\nb"},
        {"scopes": "openid email"},
        {"scopes": ["a b"]},
        {"adminGroups": ["core"]},
        {"unknown": 1},
    ],
    ids=str,
)
def test_what_cannot_be_a_provider_is_refused(facility: Facility, change: dict[str, Any]) -> None:
    before = stored()

    answer = facility.admin.patch(SETTINGS, {"oidcProviders": [{**ONE, **change}]})

    assert answer.status_code == 400
    assert answer.json["details"]
    assert stored() == before


@pytest.mark.parametrize("listed", [[ONE, ONE], [ONE, {**ONE, "id": "b"}], ["a"], [[]], {}, "a", [ONE] * 21])
def test_a_list_of_providers_that_is_none_is_refused(facility: Facility, listed: object) -> None:
    assert facility.admin.patch(SETTINGS, {"oidcProviders": listed}).status_code == 400


@pytest.mark.parametrize(
    "issuer", ["http://localhost:8080/realms/lakes", "http://127.0.0.1", "http://[::1]:1"]
)
def test_a_provider_on_this_machine_may_do_without_tls(facility: Facility, issuer: str) -> None:
    saved = facility.admin.patch(SETTINGS, {"oidcProviders": [{**ONE, "issuer": issuer}]})

    assert saved.status_code == 200


def test_a_secret_of_another_key_is_none_and_no_public_client(
    facility: Facility, browser: Browser, provider: LyingProvider
) -> None:
    facility.services.settings.secret_key_file.write_bytes(Fernet.generate_key())

    assert browser.start() == "/sign-in?error=provider-unreachable"


def test_check_setup_says_of_each_provider_whether_it_answers(
    facility: Facility, browser: Browser, provider: LyingProvider
) -> None:
    read = facility.admin.get("/api/admin/settings").json["sections"]["signIn"]["oidcProviders"]
    gone = {"id": "gone", "name": "Gone", "issuer": "http://127.0.0.1:9", "clientId": "a"}
    facility.admin.patch(SETTINGS, {"oidcProviders": [*read, gone]})

    checks = [check for check in facility.services.setup_checks.run() if "Sign-in by" in check.text]

    assert [(check.verdict.value, check.text.partition(": ")[0]) for check in checks] == [
        ("ok", "Sign-in by institute"),
        ("warn", "Sign-in by gone"),
    ]
