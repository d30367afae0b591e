"""Use cases of single sign-on: begin at a provider, come back from it, be signed out by it."""

import hmac
import json
import logging
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple
from urllib.parse import quote_plus

from authlib.oauth2.rfc6749.parameters import prepare_grant_uri
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from seqfacility_wire.errors import ServiceError, TooManyRequests

from seqfacility_instance.access import audit, token_rows
from seqfacility_instance.access.callers import LiveFacilityAdmin
from seqfacility_instance.access.sessions import Sessions
from seqfacility_instance.accounts import store as accounts
from seqfacility_instance.accounts.errors import UserNotFound
from seqfacility_instance.accounts.service import Browser
from seqfacility_instance.accounts.throttle import Guesses
from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.facility_settings.identity_providers import OidcProvider
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.oidc import rules, store
from seqfacility_instance.oidc.errors import (
    LogoutTokenNotValid,
    ProviderNotFound,
    ProviderUnavailable,
    Reason,
    SignInRefused,
)
from seqfacility_instance.oidc.people import OvertakenByOther, ProvidersPeople
from seqfacility_instance.oidc.provider_documents import ProviderDocuments
from seqfacility_instance.oidc.tokens import id_token_claims, logout_claims
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.connections import connection_released

_LOGOUT: Final = "logout:"
_STATE: Final = "state:"
_LOGOUT_REFUSALS: Final[Mapping[Reason, type[ServiceError]]] = {
    Reason.UNKNOWN_PROVIDER: ProviderNotFound,
    Reason.PROVIDER_UNREACHABLE: ProviderUnavailable,
}

_log = logging.getLogger("seqfacility.oidc")


@dataclass(frozen=True, slots=True)
class Begun:
    """A sign-in that is on its way; sealed, it lies in a cookie of the browser that began it."""

    issuer: str
    state: str
    nonce: str
    verifier: str
    redirect_uri: str
    next: str
    ends_at: int


class Answer(NamedTuple):
    """What the provider sent the browser back with."""

    state: str | None
    code: str | None
    error: str | None
    issuer: str | None


@dataclass(frozen=True, slots=True)
class SingleSignOn:
    """Signs people in who have proved at a provider who they are."""

    settings: FacilitySettings
    sessions: Sessions
    documents: ProviderDocuments
    people: ProvidersPeople
    guesses: Guesses
    clock: Clock

    def providers(self) -> list[OidcProvider]:
        """List the providers, in the order of the settings."""
        return list(self.settings.sign_in().oidc_providers)

    def begin(self, provider_id: str, redirect_uri: str, next_path: str) -> tuple[str, str]:
        """Return where to send the browser, and what it keeps meanwhile; raises `SignInRefused`.

        Decision: G821.
        """
        provider = self._provider(provider_id)
        self.client_secret(provider)
        with connection_released():
            endpoint = self.documents.metadata(provider.issuer)["authorization_endpoint"]
        begun = Begun(
            issuer=provider.issuer,
            state=secrets.token_urlsafe(32),
            nonce=secrets.token_urlsafe(32),
            verifier=secrets.token_urlsafe(48),
            redirect_uri=redirect_uri,
            next=next_path,
            ends_at=int((self.clock.now() + limits.OIDC_SIGN_IN_LIFE).timestamp()),
        )
        url = prepare_grant_uri(
            endpoint,
            provider.client_id,
            "code",
            redirect_uri,
            rules.scopes_of(provider),
            begun.state,
            nonce=begun.nonce,
            code_challenge=create_s256_code_challenge(begun.verifier),
            code_challenge_method="S256",
        )
        return url, self.settings.secrets.seal(json.dumps(asdict(begun)))

    def finish(self, provider_id: str, kept: str | None, answer: Answer, browser: Browser) -> tuple[str, str]:
        """Return the token of a new session and the page to go to; raises `SignInRefused`.

        The network is asked before the transaction, never within it, and without a connection.

        Decision: G97, G821, G822, G824, G830.
        """
        provider = self._provider(provider_id)
        begun = self._claimed(provider, kept, answer.state)
        try:
            self.guesses.check(browser.address)
            with connection_released():
                person = self._person(provider, begun, answer)
            return self._session(person, browser), begun.next
        except TooManyRequests as too_many:
            raise SignInRefused(Reason.TOO_MANY) from too_many
        except SignInRefused as refused:
            self._note_refusal(provider, refused, browser.address)
            raise

    def log_out(self, provider_id: str, token: str) -> None:
        """End the sessions that a provider says are over.

        Raises `ProviderNotFound`, `LogoutTokenNotValid` or `ProviderUnavailable`.

        Decision: G827.
        """
        now = self.clock.now()
        try:
            provider = self._provider(provider_id)
            with connection_released():
                claims = logout_claims(token, provider, self.documents, now)
        except SignInRefused as refused:
            _log.info("logout by %s: %s", provider_id, refused)
            raise _LOGOUT_REFUSALS.get(refused.reason, LogoutTokenNotValid) from refused
        kept_until = now + limits.OIDC_LOGOUT_TOKEN_LIFE + 2 * limits.OIDC_CLOCK_SKEW
        with database.atomic():
            if not store.claim_use(provider.issuer, _LOGOUT + claims["jti"], kept_until):
                raise LogoutTokenNotValid
            ended: set[str] = set()
            for _ in range(2):  # one that is renewed while the first waits for it is another row afterwards
                found = store.sessions_of(provider.issuer, claims.get("sub"), claims.get("sid"))
                self.sessions.end_these([session.id for session in found])
                ended |= {session.user_id for session in found}
            for user_id in sorted(ended):
                detail: dict[str, object] = {"issuer": provider.issuer}
                audit.write(None, None, AuditAction.PROVIDER_SIGNED_OUT, "user", user_id, now, detail)

    def unlink(self, caller: LiveFacilityAdmin, user_id: str) -> None:
        """Forget who an account is at providers, and end what came from there, tokens too.

        Raises `UserNotFound`.

        Decision: G829, G899.
        """
        user, now = accounts.find_user_in_reach(caller, user_id), self.clock.now()
        if user is None:
            raise UserNotFound
        with database.atomic():
            accounts.lock_signing_in(user.id)
            store.delete_identities(user.id)
            for token in token_rows.end_tokens(user.id):
                audit.record(caller, AuditAction.TOKEN_REVOKED, "token", token.id, now, owner=user.id)
            audit.record(caller, AuditAction.IDENTITY_UNLINKED, "user", user.id, now)

    def _provider(self, provider_id: str) -> OidcProvider:
        for provider in self.providers():
            if provider.id == provider_id:
                return provider
        raise SignInRefused(Reason.UNKNOWN_PROVIDER)

    def _claimed(self, provider: OidcProvider, kept: str | None, state: str | None) -> Begun:
        """Return the sign-in that this browser began, and use it up."""
        opened = None if kept is None else self.settings.secrets.open(kept)
        try:
            begun = None if opened is None else Begun(**json.loads(opened))
        except (ValueError, TypeError):  # another release sealed it
            begun = None
        if begun is None or state is None or not hmac.compare_digest(_bytes(begun.state), _bytes(state)):
            raise SignInRefused(Reason.EXPIRED)
        ends_at = datetime.fromtimestamp(begun.ends_at, UTC)
        is_current = begun.issuer == provider.issuer and self.clock.now() < ends_at
        if not is_current or not store.claim_use(provider.issuer, _STATE + state, ends_at):
            raise SignInRefused(Reason.EXPIRED)
        return begun

    def _person(self, provider: OidcProvider, begun: Begun, answer: Answer) -> rules.Person:
        """Ask the provider who came back, and check all that it says; asks nothing of the database."""
        metadata = self.documents.metadata(provider.issuer)
        if not rules.is_issuer_answered(metadata, provider.issuer, answer.issuer):
            raise SignInRefused(Reason.INVALID_ANSWER, f"{provider.issuer}: the answer is of another issuer")
        if answer.error is not None or not answer.code:
            was_cancelled = answer.error == "access_denied"
            note = f"{answer.error!r:.100}"
            raise SignInRefused(Reason.CANCELLED if was_cancelled else Reason.PROVIDER_REFUSED, note)
        tokens = self._tokens(provider, metadata, begun, answer.code)
        claims = id_token_claims(
            tokens.get("id_token"),
            provider,
            self.documents,
            self.clock.now(),
            nonce=begun.nonce,
            access_token=tokens.get("access_token"),
        )
        userinfo = self._userinfo(provider, metadata, claims, tokens.get("access_token"))
        return rules.person_of(provider, claims, userinfo)

    def _tokens(
        self, provider: OidcProvider, metadata: Mapping[str, Any], begun: Begun, code: str
    ) -> Mapping[str, object]:
        """Exchange a code; a client with a secret names itself in the way that the provider offers."""
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "code_verifier": begun.verifier,
            "redirect_uri": begun.redirect_uri,
        }
        secret, basic = self.client_secret(provider), None
        offered = metadata.get("token_endpoint_auth_methods_supported")
        if secret is None:
            form["client_id"] = provider.client_id
        elif isinstance(offered, list) and "client_secret_basic" not in offered:
            form |= {"client_id": provider.client_id, "client_secret": secret}
        else:
            # WHY encoded: RFC 6749 says so in 2.3.1, and providers take a `+` for a blank.
            basic = (quote_plus(provider.client_id), quote_plus(secret))
        return self.documents.ask(provider.issuer, metadata["token_endpoint"], form=form, basic=basic)

    def _userinfo(
        self, provider: OidcProvider, metadata: Mapping[str, Any], claims: Mapping[str, Any], token: object
    ) -> Mapping[str, object]:
        """Ask for what the ID token leaves out; only what is about the same subject counts."""
        address = metadata.get("userinfo_endpoint")
        is_asked = rules.needs_userinfo(provider, claims) and rules.is_endpoint(address, provider.issuer)
        if not is_asked or not isinstance(token, str) or not token.isascii():
            return {}
        found = self.documents.ask(provider.issuer, str(address), bearer=token)
        if found.get("sub") != claims["sub"]:
            raise SignInRefused(Reason.INVALID_ANSWER, f"{provider.issuer}: userinfo is about somebody else")
        return found

    def _session(self, person: rules.Person, browser: Browser) -> str:
        """Begin a session, ending the one that the browser had."""
        for _ in range(2):
            now = self.clock.now()
            try:
                with database.atomic():
                    identity = self.people.identity(person, browser.address, now)
                    user = identity.user
                    accounts.note_sign_in(user.id, now, None)
                    if browser.session_token is not None:
                        self.sessions.end(browser.session_token)
                    detail: dict[str, object] = {"issuer": person.issuer}
                    audit.write(user.id, browser.address, AuditAction.SIGN_IN, "user", user.id, now, detail)
                    return self.sessions.start(
                        user,
                        browser.address,
                        browser.user_agent,
                        by_provider=True,
                        identity=identity,
                        sid=person.sid,
                    )
            except OvertakenByOther:
                continue
        raise SignInRefused(Reason.EXPIRED)

    def _note_refusal(self, provider: OidcProvider, refused: SignInRefused, address: str) -> None:
        """Audit a refusal and count it: a network that is refused too often adds no more rows.

        Decision: G830.
        """
        _log.info("sign-in by %s: %s", provider.id, refused)
        if refused.reason in {Reason.CANCELLED, Reason.PROVIDER_UNREACHABLE}:
            return
        self.guesses.count_wrong(address)
        detail: dict[str, object] = {"provider": provider.id, "reason": refused.reason.value}
        now = self.clock.now()
        audit.write(None, address, AuditAction.SIGN_IN_FAILED, "user", None, now, detail)

    def client_secret(self, provider: OidcProvider) -> str | None:
        """Return the client's secret; raises `SignInRefused` when it was sealed with another key."""
        secret = provider.opened_secret(self.settings.secrets.open)
        if secret is None and provider.client_secret is not None:
            raise SignInRefused(
                Reason.PROVIDER_UNREACHABLE, "secret.key does not open clientSecret, send it again"
            )
        return secret


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
