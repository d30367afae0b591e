"""The routes of API tokens and machines."""

from dataclasses import dataclass

from falcon import HTTP_201, Request, Response
from seqfacility_wire.requests import read_json_object

from seqfacility_instance.access import guard
from seqfacility_instance.tokens import bodies
from seqfacility_instance.tokens.service import ApiTokens, Machines


@dataclass(frozen=True, slots=True)
class OwnTokens:
    """`/api/user/tokens`."""

    tokens: ApiTokens

    def on_get(self, req: Request, resp: Response) -> None:
        """List one's own API tokens, newest first. Decision: G802."""
        listed = self.tokens.list_own(guard.signed_in(req))
        resp.media = {"tokens": [bodies.token_info(token) for token in listed]}

    def on_post(self, req: Request, resp: Response) -> None:
        """Make an API token; its text is shown here and never again. Decision: G800, G802."""
        caller = guard.signed_in(req)
        token, text = self.tokens.make(caller, bodies.NewToken.read(read_json_object(req)))
        resp.status = HTTP_201
        resp.media = {"token": text, "tokenInfo": bodies.token_info(token)}


@dataclass(frozen=True, slots=True)
class OwnToken:
    """`/api/user/tokens/{token_id}`."""

    tokens: ApiTokens

    def on_delete(self, req: Request, resp: Response, token_id: str) -> None:
        """Revoke an API token of one's own. Decision: G803."""
        self.tokens.revoke_own(guard.signed_in(req), token_id)
        resp.media = {"success": True}


@dataclass(frozen=True, slots=True)
class UserTokens:
    """`/api/admin/users/{user_id}/tokens`."""

    tokens: ApiTokens

    def on_get(self, req: Request, resp: Response, user_id: str) -> None:
        """List the API tokens of an account, newest first. Decision: G803."""
        listed = self.tokens.list_of(guard.facility_admin(req), user_id)
        resp.media = {"tokens": [bodies.token_info(token) for token in listed]}


@dataclass(frozen=True, slots=True)
class UserToken:
    """`/api/admin/users/{user_id}/tokens/{token_id}`."""

    tokens: ApiTokens

    def on_delete(self, req: Request, resp: Response, user_id: str, token_id: str) -> None:
        """Revoke an API token of an account. Decision: G803."""
        self.tokens.revoke_of(guard.live_facility_admin(req), user_id, token_id)
        resp.media = {"success": True}


@dataclass(frozen=True, slots=True)
class MachineList:
    """`/api/admin/machines`."""

    machines: Machines

    def on_get(self, req: Request, resp: Response) -> None:
        """List the machines, newest first. Decision: G804."""
        listed = self.machines.list_all(guard.facility_admin(req))
        resp.media = {"machines": [bodies.machine(*one) for one in listed]}

    def on_post(self, req: Request, resp: Response) -> None:
        """Make a machine; the text of its token is shown here and never again. Decision: G804."""
        caller = guard.live_facility_admin(req)
        machine, token, text = self.machines.make(caller, bodies.NewMachine.read(read_json_object(req)))
        resp.status = HTTP_201
        resp.media = {"machine": bodies.machine(machine, token), "token": text}


@dataclass(frozen=True, slots=True)
class OneMachine:
    """`/api/admin/machines/{machine_id}`."""

    machines: Machines

    def on_delete(self, req: Request, resp: Response, machine_id: str) -> None:
        """Delete a machine; its token ends. Decision: G804."""
        self.machines.delete(guard.live_facility_admin(req), machine_id)
        resp.media = {"success": True}
