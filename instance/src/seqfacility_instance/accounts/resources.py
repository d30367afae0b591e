"""The routes of sign-in and passwords."""

from dataclasses import dataclass
from typing import Final

from falcon import Request, Response
from seqfacility_wire.requests import read_json_object
from seqfacility_wire.timestamps import format_time

from seqfacility_instance.access import guard
from seqfacility_instance.access.sessions import Sessions
from seqfacility_instance.accounts import bodies
from seqfacility_instance.accounts.errors import CredentialsMissing
from seqfacility_instance.accounts.service import Accounts, Browser
from seqfacility_instance.core import limits

DEVICE_COOKIE: Final = "service_known_device"
DEVICE_COOKIE_PATH: Final = "/api/auth/sign-in"
"""It opens nothing; no other request has to carry it. Decision: G29."""


@dataclass(frozen=True, slots=True)
class SignIn:
    """`/api/auth/sign-in`."""

    accounts: Accounts
    is_secure: bool

    def on_post(self, req: Request, resp: Response) -> None:
        """Sign in. Decision: G24, G25, G814."""
        email, password, code = _read_credentials(req)
        browser = Browser(
            guard.address(req), guard.session_token(req), req.cookies.get(DEVICE_COOKIE), req.user_agent or ""
        )
        found = self.accounts.sign_in(email, password, browser, code)
        resp.set_cookie(
            DEVICE_COOKIE,
            found.device_token,
            max_age=int(limits.KNOWN_DEVICE_LIFE.total_seconds()),
            path=DEVICE_COOKIE_PATH,
            http_only=True,
            secure=self.is_secure,
            same_site="Strict",
        )
        guard.set_session_cookie(resp, found.session_token, is_secure=self.is_secure)
        resp.media = {"user": bodies.session_user(found.user)}


def _read_credentials(req: Request) -> tuple[str, str, str | None]:
    """Take the texts out of the body, so that the rest is gone while the request waits for its turn."""
    body = read_json_object(req, limits.SESSIONLESS_BODY_MAX_BYTES)
    email, password, code = body.get("email"), body.get("password"), body.get("code")
    if not (isinstance(email, str) and email.strip() and isinstance(password, str) and password):
        raise CredentialsMissing
    return email, password, code if isinstance(code, str) else None


@dataclass(frozen=True, slots=True)
class SignOut:
    """`/api/auth/sign-out`."""

    accounts: Accounts

    def on_post(self, req: Request, resp: Response) -> None:
        """Sign out; without a session the same answer. Decision: G27."""
        self.accounts.sign_out(guard.session_token(req), guard.address(req))
        resp.unset_cookie(guard.COOKIE, path="/", same_site="Lax")
        # WHY not "cookies": that takes those of every other site of the institute along.
        resp.set_header("Clear-Site-Data", '"storage"')
        resp.media = {"success": True}


@dataclass(frozen=True, slots=True)
class CurrentSession:
    """`/api/auth/session`."""

    sessions: Sessions

    def on_get(self, req: Request, resp: Response) -> None:
        """Tell who is signed in; never a 401. Decision: G26."""
        token = guard.session_token(req)
        found = None if token is None else self.sessions.find(token, guard.address(req))
        resp.media = {
            "user": None if found is None else bodies.caller_user(found.caller),
            "expiresAt": None if found is None else format_time(found.ends_at),
        }
        if found is not None and found.caller.must_change_password:
            resp.media["mustChangePassword"] = True
        if found is not None and found.caller.lacks_second_factor:
            resp.media["secondFactorSetup"] = True


@dataclass(frozen=True, slots=True)
class OwnPassword:
    """`/api/auth/password`."""

    accounts: Accounts
    is_secure: bool

    def on_post(self, req: Request, resp: Response) -> None:
        """Change one's own password; the session goes on with another cookie. Decision: G28, G813."""
        caller = guard.signed_in(req)
        change = bodies.PasswordChange.read(read_json_object(req))
        token = self.accounts.change_password(caller, change.current_password, change.new_password)
        guard.set_session_cookie(resp, token, is_secure=self.is_secure)
        resp.media = {"success": True}
