"""Machine accounts: what a sequencing computer sends with, bound to where it stands."""

from dataclasses import dataclass

from seqfacility_instance.access import audit, token_rows
from seqfacility_instance.access.callers import FacilityAdmin, LiveFacilityAdmin
from seqfacility_instance.access.token_text import TokenKind
from seqfacility_instance.accounts import store as accounts_store
from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.ids import new_id
from seqfacility_instance.core.vocabulary.people import AuditAction, Role
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.tokens import ApiToken, Machine
from seqfacility_instance.tokens.bodies import NewMachine
from seqfacility_instance.tokens.errors import MachineNotFound, TooManyMachines

_NO_HASH = "!no-password"
"""The hash of no password."""


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
