"""API tokens of people, made by their owner alone, and machine accounts of sequencing computers."""

from dataclasses import dataclass

from seqfacility_wire.errors import ValidationFailed

from seqfacility_instance.access import audit, token_rows
from seqfacility_instance.access.callers import FacilityAdmin, LiveFacilityAdmin, SignedIn
from seqfacility_instance.access.errors import Unauthorized
from seqfacility_instance.access.token_text import TokenKind
from seqfacility_instance.accounts import store as accounts_store
from seqfacility_instance.accounts.errors import UserNotFound
from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.ids import new_id
from seqfacility_instance.core.vocabulary.people import AuditAction, Role, Scope
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.tokens import ApiToken, Machine
from seqfacility_instance.tokens.bodies import NewMachine, NewToken
from seqfacility_instance.tokens.errors import MachineNotFound, TokenNotFound, TooManyMachines, TooManyTokens

_NO_HASH = "!no-password"
"""The hash of no password."""


@dataclass(frozen=True, slots=True)
class ApiTokens:
    """Makes, lists and revokes the tokens of people. Decision: G802."""

    clock: Clock

    def make(self, caller: SignedIn, wanted: NewToken) -> tuple[ApiToken, str]:
        """Make a token of the caller's own; its text is given here and never again.

        Raises `ValidationFailed` for the scope `admin` of somebody who is none, or `TooManyTokens`.

        Decision: G802.
        """
        now = self.clock.now()
        with database.atomic():
            owner = token_rows.lock_owner(caller.user_id)
            if owner is None:
                raise Unauthorized
            if Scope.ADMIN in wanted.scopes and owner.role is not Role.FACILITY_ADMIN:
                raise ValidationFailed(["scopes: admin is for facility admins only"])
            if token_rows.count_open(owner.id, now) >= limits.TOKENS_PER_PERSON:
                raise TooManyTokens
            days = wanted.expires_in_days
            token, text = token_rows.insert_token(
                owner.id, TokenKind.PERSON, wanted.name, wanted.scopes, days, now
            )
            detail = {"name": token.name, "scopes": token.scopes, "days": days}
            audit.record(caller, AuditAction.TOKEN_MADE, "token", token.id, now, **detail)
        return token, text

    def list_own(self, caller: SignedIn) -> list[ApiToken]:
        """List the caller's tokens, newest first. Decision: G802."""
        return token_rows.list_tokens(caller.user_id)

    def list_of(self, caller: FacilityAdmin, user_id: str) -> list[ApiToken]:
        """List the tokens of an account, newest first; raises `UserNotFound`. Decision: G803."""
        if accounts_store.find_user_in_reach(caller, user_id) is None:
            raise UserNotFound
        return token_rows.list_tokens(user_id)

    def revoke_own(self, caller: SignedIn, token_id: str) -> None:
        """Revoke a token of the caller's own; raises `TokenNotFound`. Decision: G803."""
        self._revoke(caller, caller.user_id, token_id)

    def revoke_of(self, caller: LiveFacilityAdmin, user_id: str, token_id: str) -> None:
        """Revoke a token of an account; raises `UserNotFound` or `TokenNotFound`. Decision: G803."""
        if accounts_store.find_user_in_reach(caller, user_id) is None:
            raise UserNotFound
        self._revoke(caller, user_id, token_id)

    def _revoke(self, caller: SignedIn, user_id: str, token_id: str) -> None:
        with database.atomic():
            if not token_rows.claim_revoked(user_id, token_id):
                raise TokenNotFound
            action = AuditAction.TOKEN_REVOKED
            audit.record(caller, action, "token", token_id, self.clock.now(), owner=user_id)


@dataclass(frozen=True, slots=True)
class Machines:
    """Makes, lists and deletes machines. Decision: G804."""

    clock: Clock

    def list_all(self, caller: FacilityAdmin) -> list[tuple[Machine, ApiToken]]:
        """List the machines that exist for the caller, newest first. Decision: G804."""
        return token_rows.list_machines(caller)

    def make(self, caller: LiveFacilityAdmin, wanted: NewMachine) -> tuple[Machine, ApiToken, str]:
        """Make a machine with its token, whose text is given here and never again.

        Its account has the role of a facility admin, as the routes of uploads ask for it, and is never
        active: nobody signs in with it, and the scopes bound what its token does. Raises `TooManyMachines`.

        Decision: G804.
        """
        now, number = self.clock.now(), new_id()
        account = {
            "email": f"{number}@machine.invalid",
            "password_hash": _NO_HASH,
            "first_name": "Machine",
            "last_name": wanted.name,
            "role": Role.FACILITY_ADMIN,
            "is_active": False,
        }
        with database.atomic():
            accounts_store.lock_active_admins()
            if token_rows.count_machines() >= limits.MACHINES:
                raise TooManyMachines
            user = accounts_store.insert_user(account, now)
            assert user is not None, "an id is new"
            machine = token_rows.insert_machine(user.id, wanted.name, wanted.addresses, caller.user_id, now)
            days = wanted.expires_in_days
            token, text = token_rows.insert_token(
                user.id, TokenKind.MACHINE, wanted.name, wanted.scopes, days, now
            )
            detail = {"addresses": machine.addresses, "scopes": token.scopes, "days": days}
            audit.record(
                caller, AuditAction.MACHINE_MADE, "machine", machine.id, now, name=machine.name, **detail
            )
        return machine, token, text

    def delete(self, caller: LiveFacilityAdmin, machine_id: str) -> None:
        """Delete a machine: its token ends, its name stays in what it has done. Raises `MachineNotFound`.

        Decision: G804.
        """
        now = self.clock.now()
        with database.atomic():
            machine = token_rows.claim_deleted(machine_id, now)
            if machine is None:
                raise MachineNotFound
            audit.record(caller, AuditAction.MACHINE_DELETED, "machine", machine.id, now, name=machine.name)
