"""The routes of confirmations, second factors and the list of sessions."""

from dataclasses import dataclass

from falcon import Request, Response
from seqfacility_wire.requests import read_json_object

from seqfacility_instance.access import guard
from seqfacility_instance.accounts import bodies
from seqfacility_instance.accounts.open_sessions import OpenSessions
from seqfacility_instance.accounts.people import People
from seqfacility_instance.accounts.second_factors import SecondFactors
from seqfacility_instance.accounts.service import Accounts


@dataclass(frozen=True, slots=True)
class SessionConfirmation:
    """`/api/auth/confirm`."""

    accounts: Accounts

    def on_post(self, req: Request, resp: Response) -> None:
        """Prove again who one is, for the privileged acts of ten minutes. Decision: G810."""
        caller = guard.signed_in(req)
        body = bodies.ConfirmationBody.read(read_json_object(req))
        self.accounts.confirm(caller, body.password, body.code)
        resp.media = {"success": True}


@dataclass(frozen=True, slots=True)
class SessionList:
    """`/api/auth/sessions`."""

    sessions: OpenSessions

    def on_get(self, req: Request, resp: Response) -> None:
        """List one's own open sessions, last used first. Decision: G812."""
        caller = guard.signed_in(req)
        shown = [
            bodies.session_shape(session, is_current=session.id == caller.session_id)
            for session in self.sessions.list_own(caller)
        ]
        resp.media = {"sessions": shown}

    def on_delete(self, req: Request, resp: Response) -> None:
        """End all others. Decision: G812."""
        self.sessions.end_others(guard.signed_in(req))
        resp.media = {"success": True}


@dataclass(frozen=True, slots=True)
class OneSession:
    """`/api/auth/sessions/{session_id}`."""

    sessions: OpenSessions

    def on_delete(self, req: Request, resp: Response, session_id: str) -> None:
        """End one of one's own. Decision: G812."""
        self.sessions.end_own(guard.signed_in(req), session_id)
        resp.media = {"success": True}


@dataclass(frozen=True, slots=True)
class UserSessions:
    """`/api/admin/users/{user_id}/sessions`."""

    sessions: OpenSessions

    def on_delete(self, req: Request, resp: Response, user_id: str) -> None:
        """End every session of an account. Decision: G812."""
        self.sessions.end_all_of(guard.live_facility_admin(req), user_id)
        resp.media = {"success": True}


@dataclass(frozen=True, slots=True)
class OwnSecondFactor:
    """`/api/auth/totp`."""

    second_factors: SecondFactors

    def on_get(self, req: Request, resp: Response) -> None:
        """Tell how one's own account stands. Decision: G814."""
        factor, is_required = self.second_factors.find_own(guard.signed_in(req))
        resp.media = bodies.second_factor(factor, is_required=is_required)

    def on_post(self, req: Request, resp: Response) -> None:
        """Begin to set one up. Decision: G814."""
        secret, uri = self.second_factors.begin(guard.signed_in(req))
        resp.media = {"secret": secret, "uri": uri}

    def on_delete(self, req: Request, resp: Response) -> None:
        """Remove it. Decision: G814."""
        caller = guard.signed_in(req)
        self.second_factors.remove(caller, caller.user_id)
        resp.media = {"success": True}


@dataclass(frozen=True, slots=True)
class SecondFactorConfirmation:
    """`/api/auth/totp/confirm`."""

    second_factors: SecondFactors

    def on_post(self, req: Request, resp: Response) -> None:
        """Put it to use by its first code. Decision: G814, G816."""
        caller = guard.signed_in(req)
        body = bodies.CodeBody.read(read_json_object(req))
        resp.media = {"recoveryCodes": self.second_factors.enable(caller, body.code)}


@dataclass(frozen=True, slots=True)
class UserSecondFactor:
    """`/api/admin/users/{user_id}/totp`."""

    people: People
    second_factors: SecondFactors

    def on_delete(self, req: Request, resp: Response, user_id: str) -> None:
        """Remove that of somebody who lost it. Decision: G814."""
        caller = guard.live_facility_admin(req)
        self.second_factors.remove(caller, self.people.get(caller, user_id).id)
        resp.media = {"success": True}
