"""The routes of single sign-on."""

from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qs

from falcon import HTTP_302, Request, Response
from seqfacility_wire.requests import query_verbatim, read_body

from seqfacility_instance.access import guard
from seqfacility_instance.accounts.service import Browser
from seqfacility_instance.core import limits
from seqfacility_instance.oidc.errors import LogoutTokenNotValid, Reason, SignInRefused
from seqfacility_instance.oidc.rules import local_path
from seqfacility_instance.oidc.service import Answer, SingleSignOn

COOKIE: Final = "service_sign_in"


@dataclass(frozen=True, slots=True)
class ProviderList:
    """`/api/auth/oidc`."""

    single_sign_on: SingleSignOn

    def on_get(self, _req: Request, resp: Response) -> None:
        """List the identity providers that one may sign in with. Decision: G820."""
        listed = self.single_sign_on.providers()
        resp.media = {"providers": [{"id": provider.id, "name": provider.name} for provider in listed]}


@dataclass(frozen=True, slots=True)
class Start:
    """`/api/auth/oidc/{provider}/start`."""

    single_sign_on: SingleSignOn
    public_url: str | None

    @property
    def cookie(self) -> str:
        """The name of the cookie; with https no other host and no path can set it. Decision: G821."""
        return f"__Host-{COOKIE}" if self.is_secure else COOKIE

    @property
    def is_secure(self) -> bool:
        """Whether browsers come here by https."""
        return (self.public_url or "").startswith("https:")

    def on_get(self, req: Request, resp: Response, provider: str) -> None:
        """Send the browser to the provider. Decision: G821, G822."""
        base = (self.public_url or req.prefix).rstrip("/")
        redirect_uri = f"{base}/api/auth/oidc/{provider}/callback"
        try:
            url, kept = self.single_sign_on.begin(
                provider, redirect_uri, local_path(query_verbatim(req, "next"))
            )
        except SignInRefused as refused:
            _refuse(resp, refused.reason)
            return
        self.keep(resp, kept, int(limits.OIDC_SIGN_IN_LIFE.total_seconds()))
        _redirect(resp, url)

    def keep(self, resp: Response, value: str, max_age: int) -> None:
        """Set the cookie; Lax, because the browser comes back from another site."""
        resp.set_cookie(
            self.cookie,
            value,
            max_age=max_age,
            path="/",
            http_only=True,
            secure=self.is_secure,
            same_site="Lax",
        )


@dataclass(frozen=True, slots=True)
class Callback:
    """`/api/auth/oidc/{provider}/callback`."""

    single_sign_on: SingleSignOn
    start: Start

    def on_get(self, req: Request, resp: Response, provider: str) -> None:
        """Sign in who comes back from the provider. Decision: G821, G822."""
        kept = req.get_cookie_values(self.start.cookie) or []
        answer = Answer(*(query_verbatim(req, name) for name in ("state", "code", "error", "iss")))
        browser = Browser(guard.address(req), guard.session_token(req), user_agent=req.user_agent or "")
        self.start.keep(resp, "", 0)
        try:
            token, page = self.single_sign_on.finish(
                provider, kept[0] if len(kept) == 1 else None, answer, browser
            )
        except SignInRefused as refused:
            _refuse(resp, refused.reason)
            return
        guard.set_session_cookie(resp, token, is_secure=self.start.is_secure)
        _redirect(resp, page)


@dataclass(frozen=True, slots=True)
class BackChannelLogout:
    """`/api/auth/oidc/{provider}/back-channel-logout`."""

    single_sign_on: SingleSignOn

    def on_post(self, req: Request, resp: Response, provider: str) -> None:
        """End the sessions that the provider says are over. Decision: G827."""
        raw = read_body(req, limits.SESSIONLESS_BODY_MAX_BYTES)
        try:
            tokens = parse_qs(raw.decode("ascii"), max_num_fields=10).get("logout_token", [])
        except ValueError as unreadable:
            raise LogoutTokenNotValid from unreadable
        if len(tokens) != 1:
            raise LogoutTokenNotValid
        self.single_sign_on.log_out(provider, tokens[0])
        resp.media = {"success": True}


@dataclass(frozen=True, slots=True)
class Identities:
    """`/api/admin/users/{id}/identities`."""

    single_sign_on: SingleSignOn

    def on_delete(self, req: Request, resp: Response, user_id: str) -> None:
        """Forget who an account is at providers, so that its owner can be linked anew. Decision: G829."""
        self.single_sign_on.unlink(guard.live_facility_admin(req), user_id)
        resp.media = {"success": True}


def _refuse(resp: Response, reason: Reason) -> None:
    _redirect(resp, f"/sign-in?error={reason.value}")


def _redirect(resp: Response, place: str) -> None:
    # WHY not `resp.location`: it writes what is encoded already once more.
    resp.set_header("Location", place)
    resp.status = HTTP_302
