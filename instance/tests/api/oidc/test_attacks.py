"""Attacks on a sign-in, one test each; none ends in a session."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from falcon.testing import Result
from joserfc.jwk import RSAKey
from joserfc.jws import serialize_compact
from seqfacility_instance.core import limits
from seqfacility_instance.registry_client import connections
from seqfacility_instance.tables.people import AuditEvent, Session
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.lying_provider import LyingProvider, lying_provider

from .conftest import SETTINGS, Browser, configure, place  # isort: skip

NOT_SOUND = "/sign-in?error=invalid-answer"
EXPIRED = "/sign-in?error=expired"
UNREACHABLE = "/sign-in?error=provider-unreachable"


def refused(browser: Browser, answer: Result, where: str = NOT_SOUND) -> bool:
    return place(answer) == where and "service_session" not in browser.kept and Session.select().count() == 3


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://elsewhere.test"},
        {"iss": None},
        {"aud": "another client"},
        {"aud": None},
        {"aud": ["seqfacility", "another client"]},
        {"aud": ["seqfacility"], "azp": "another client"},
        {"nonce": "another nonce"},
        {"nonce": None},
        {"exp": 1_600_000_000},
        {"exp": None},
        {"exp": float("nan")},
        {"iat": 4_000_000_000},
        {"nbf": 4_000_000_000},
        {"sub": None},
        {"sub": ""},
        {"sub": "a" * 300},
        {"sub": "person\0"},
        {"sub": {"a": 1}},
        {"at_hash": "of another token"},
    ],
    ids=str,
)
def test_a_claim_that_is_not_of_this_sign_in(
    browser: Browser, provider: LyingProvider, claims: dict[str, Any]
) -> None:
    provider.claims |= claims

    assert refused(browser, browser.sign_in())


@pytest.mark.parametrize("how", ["sign_with_nothing", "sign_with_public_key", "sign_with_client_secret"])
def test_a_signature_that_anybody_or_the_client_could_make(
    browser: Browser, provider: LyingProvider, how: str
) -> None:
    provider.sign = getattr(provider, how)
    provider.metadata["id_token_signing_alg_values_supported"] = ["RS256", "HS256", "none"]

    assert refused(browser, browser.sign_in())


def test_an_algorithm_that_the_provider_does_not_offer(browser: Browser, provider: LyingProvider) -> None:
    provider.header = {"alg": "RS512"}

    assert refused(browser, browser.sign_in())


def test_a_key_of_somebody_else_under_a_known_name(browser: Browser, provider: LyingProvider) -> None:
    browser.start()
    provider.key = RSAKey.generate_key(2048, {"kid": "first"})

    assert refused(browser, browser.sign_in())


def test_a_key_within_the_token_itself_counts_for_nothing(browser: Browser, provider: LyingProvider) -> None:
    provider.key = RSAKey.generate_key(2048, {"kid": "own"})
    provider.header = {"jwk": provider.key.as_dict(private=False), "jku": f"{provider.issuer}/jwks"}

    assert refused(browser, browser.sign_in())


def test_a_new_key_is_found_at_once_and_unknown_ones_are_looked_for_once_in_a_while(
    facility: Facility, browser: Browser, provider: LyingProvider
) -> None:
    browser.sign_in()
    facility.clock.advance(limits.OIDC_REFETCH_AFTER)
    old, provider.key = provider.key, RSAKey.generate_key(2048, {"kid": "second", "use": "sig"})
    provider.published = [provider.key]
    assert place(browser.sign_in()) == "/"
    asked = provider.asked.count("/jwks")
    provider.key = RSAKey.generate_key(2048, {"kid": "of nobody"})

    for _ in range(3):
        assert place(browser.sign_in()) == NOT_SOUND
    provider.key = old
    assert place(browser.sign_in()) == NOT_SOUND  # a stale key is as good as none

    assert provider.asked.count("/jwks") == asked


def test_a_key_that_was_withdrawn_is_forgotten_within_an_hour(
    facility: Facility, browser: Browser, provider: LyingProvider
) -> None:
    browser.sign_in()
    provider.published = [RSAKey.generate_key(2048, {"kid": "second"})]
    facility.clock.advance(limits.OIDC_DOCUMENT_LIFE)
    provider.claims |= {"exp": 4_000_000_000}

    assert place(browser.sign_in()) == NOT_SOUND


def test_clocks_may_differ_by_half_a_minute(
    facility: Facility, browser: Browser, provider: LyingProvider
) -> None:
    facility.clock.advance(timedelta(seconds=-30))

    assert place(browser.sign_in()) == "/"


@pytest.mark.parametrize("answered", ["https://elsewhere.test", None])
def test_an_answer_that_another_provider_gave_is_refused_before_its_code_goes_anywhere(
    browser: Browser, provider: LyingProvider, answered: str | None
) -> None:
    provider.metadata["authorization_response_iss_parameter_supported"] = True
    answer = provider.authorize(browser.start()) | ({} if answered is None else {"iss": answered})

    assert refused(browser, browser.callback(**answer))
    assert "/token" not in provider.asked


def test_an_answer_that_names_its_provider_is_taken(browser: Browser, provider: LyingProvider) -> None:
    provider.metadata["authorization_response_iss_parameter_supported"] = True

    assert place(browser.callback(**provider.authorize(browser.start()), iss=provider.issuer)) == "/"


def test_an_answer_at_the_address_of_another_provider(
    facility: Facility, browser: Browser, provider: LyingProvider
) -> None:
    with lying_provider() as other:
        listed = [
            {"id": name, "name": name, "issuer": one.issuer, "clientId": "seqfacility"}
            for name, one in (("institute", provider), ("other", other))
        ]
        saved = facility.admin.patch(
            SETTINGS, {"oidcProviders": [{**one, "clientSecret": "s"} for one in listed]}
        )
        assert saved.status_code == 200
        answer = provider.authorize(browser.start())
        browser.provider_id = "other"

        assert refused(browser, browser.callback(**answer), EXPIRED)
        assert other.asked == []


@pytest.mark.parametrize("checks_pkce", [True, False])
def test_the_code_of_another_browser_is_of_no_use(
    facility: Facility, browser: Browser, provider: LyingProvider, checks_pkce: bool
) -> None:
    provider.checks_pkce = checks_pkce
    stolen = provider.authorize(Browser(facility, provider).start())["code"]
    own = provider.authorize(browser.start())

    assert refused(browser, browser.callback(state=own["state"], code=stolen))


def test_an_answer_counts_once(facility: Facility, browser: Browser, provider: LyingProvider) -> None:
    answer = provider.authorize(browser.start())
    kept = dict(browser.kept)
    assert place(browser.callback(**answer)) == "/"
    again = Browser(facility, provider, kept=kept)
    asked = provider.asked.count("/token")

    assert place(again.callback(**answer)) == EXPIRED
    assert provider.asked.count("/token") == asked


@pytest.mark.parametrize("kept", ["", "garbage", "of the other browser"])
def test_an_answer_in_a_browser_that_did_not_ask_for_it(
    facility: Facility, browser: Browser, provider: LyingProvider, kept: str
) -> None:
    victim = Browser(facility, provider)
    if kept == "of the other browser":
        victim.start()
    elif kept:
        victim.kept["service_sign_in"] = kept

    assert refused(victim, victim.callback(**provider.authorize(browser.start())), EXPIRED)


@pytest.mark.parametrize(
    ("error", "word"),
    [("access_denied", "cancelled"), ("server_error", "provider-refused"), ("\0\ud800", "provider-refused")],
)
def test_a_refusal_of_the_provider_ends_at_its_word(
    browser: Browser, provider: LyingProvider, error: str, word: str
) -> None:
    state = provider.authorize(browser.start())["state"]

    answer = browser.callback(state=state, error=error.encode("utf-8", "surrogatepass").decode("latin-1"))

    assert refused(browser, answer, f"/sign-in?error={word}")


@pytest.mark.parametrize("value", ["", "\0", "a" * 5000, "\u00e9"])
def test_rubbish_in_the_answer(browser: Browser, value: str) -> None:
    browser.start()

    assert refused(browser, browser.callback(state=value, code=value, iss=value), EXPIRED)


def huge() -> tuple[int, dict[str, str], bytes]:
    return 200, {}, b"{" + b" " * limits.OIDC_ANSWER_MAX_BYTES + b"}"


@pytest.mark.parametrize(
    "reply",
    [
        lambda: (302, {"Location": "http://127.0.0.1:9/.well-known/openid-configuration"}, b""),
        lambda: (500, {}, b"{}"),
        lambda: (200, {}, b"no JSON"),
        lambda: (200, {}, b"[]"),
        lambda: (200, {}, b"[" * 100_000),
        lambda: (200, {"Content-Encoding": "gzip"}, b"\x1f\x8b"),
        lambda: (200, {"Content-Length": "9"}, b"{}"),
        huge,
    ],
    ids=["redirect", "500", "text", "list", "deep", "gzip", "cut", "huge"],
)
@pytest.mark.parametrize("document", ["/.well-known/openid-configuration", "/token", "/jwks"])
def test_an_answer_of_the_provider_that_is_none(
    browser: Browser, provider: LyingProvider, document: str, reply: Callable[[], Any]
) -> None:
    if document.startswith("/."):
        provider.replies[document] = reply
        assert browser.start() == UNREACHABLE
        return
    answer = provider.authorize(browser.start())
    provider.replies[document] = reply

    assert place(browser.callback(**answer)) in {UNREACHABLE, NOT_SOUND}
    assert "service_session" not in browser.kept


@pytest.mark.parametrize(
    "metadata",
    [
        {"issuer": "https://elsewhere.test"},
        {"token_endpoint": "http://elsewhere.test/token"},
        {"token_endpoint": None},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"jwks_uri": "file:///etc/passwd"},
        {"id_token_signing_alg_values_supported": ["HS256", "none"]},
        {"id_token_signing_alg_values_supported": "RS256"},
    ],
    ids=str,
)
def test_metadata_that_lead_astray(
    browser: Browser, provider: LyingProvider, metadata: dict[str, Any]
) -> None:
    provider.metadata = metadata

    assert browser.start() == UNREACHABLE


def test_a_provider_that_is_gone_is_asked_again_after_a_while_and_keeps_nobody_else_waiting(
    facility: Facility, browser: Browser, provider: LyingProvider
) -> None:
    discovery = "/.well-known/openid-configuration"
    provider.replies[discovery] = lambda: (503, {}, b"")
    with lying_provider() as other:
        one = {"id": "other", "name": "Other", "issuer": other.issuer, "clientId": "seqfacility"}
        both = [*facility.admin.get("/api/admin/settings").json["sections"]["signIn"]["oidcProviders"], one]
        assert facility.admin.patch(SETTINGS, {"oidcProviders": both}).status_code == 200

        assert [browser.start() for _ in range(3)] == [UNREACHABLE] * 3
        assert provider.asked.count(discovery) == 1
        assert place(Browser(facility, other, "other").sign_in()) == "/"
    del provider.replies[discovery]
    facility.clock.advance(limits.OIDC_REFETCH_AFTER)

    assert place(browser.sign_in()) == "/"


def test_a_provider_that_does_not_answer_in_time(
    browser: Browser, provider: LyingProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    import threading

    monkeypatch.setattr(limits, "OIDC_SECONDS", 0.3)
    never = threading.Event()
    answer = provider.authorize(browser.start())
    provider.replies["/token"] = lambda: (never.wait(30), (200, {}, b"{}"))[1]

    try:
        assert refused(browser, browser.callback(**answer), UNREACHABLE)
    finally:
        never.set()


def test_an_issuer_in_the_clouds_metadata_network_is_never_dialled(
    facility: Facility, provider: LyingProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialled: list[object] = []
    monkeypatch.setattr(connections.socket, "create_connection", lambda *words, **_: dialled.append(words))
    assert configure(facility, provider, issuer="https://169.254.169.254").status_code == 200

    assert Browser(facility, provider).start() == UNREACHABLE
    assert dialled == []


def test_a_network_that_tries_codes_is_stopped(
    facility: Facility, browser: Browser, provider: LyingProvider
) -> None:
    facility.services.facility.change("access", {"signInMaxFailures": 1}, facility.clock.now())
    for _ in range(10):
        state = provider.authorize(browser.start())["state"]
        assert place(browser.callback(state=state, code="guess")) == NOT_SOUND
    asked = provider.asked.count("/token")

    assert place(browser.sign_in()) == "/sign-in?error=too-many"
    assert provider.asked.count("/token") == asked


def test_answers_that_anybody_can_make_up_do_not_fill_the_audit(
    facility: Facility, browser: Browser, provider: LyingProvider
) -> None:
    facility.services.facility.change("access", {"signInMaxFailures": 1}, facility.clock.now())
    for _ in range(10):
        state = provider.authorize(browser.start())["state"]
        assert place(browser.callback(state=state, error="server_error")) == "/sign-in?error=provider-refused"
    state = provider.authorize(browser.start())["state"]

    assert place(browser.callback(state=state, error="server_error")) == "/sign-in?error=too-many"
    assert AuditEvent.select().where(AuditEvent.action == "sign-in-failed").count() == 10


@pytest.mark.parametrize("methods", [None, 5, {}, "client_secret_basic"])
def test_metadata_without_a_list_of_ways_for_a_client_to_name_itself(
    browser: Browser, provider: LyingProvider, methods: object
) -> None:
    provider.metadata["token_endpoint_auth_methods_supported"] = methods

    assert place(browser.sign_in()) == "/"


@pytest.mark.parametrize("department", ["\0", "\ud800"])
def test_a_department_that_no_database_holds_is_none(
    facility: Facility, provider: LyingProvider, department: str
) -> None:
    assert configure(facility, provider, departmentClaim="department").status_code == 200
    provider.claims["department"] = department
    provider.sign = lambda claims: serialize_compact(
        {"alg": "RS256", "kid": provider.key.kid}, json.dumps(claims).encode(), provider.key
    )

    assert place(Browser(facility, provider).sign_in()) == "/"
