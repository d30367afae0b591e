"""Invites: codes that make one facility admin account each."""

import secrets
from dataclasses import dataclass
from datetime import timedelta

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import FacilityAdmin, LiveFacilityAdmin
from seqfacility_instance.access.sessions import token_hash
from seqfacility_instance.accounts import invite_store
from seqfacility_instance.accounts.errors import InviteNotFound, InviteUsed
from seqfacility_instance.accounts.rules import (
    CODE_ALPHABET,
    CODE_ENDING_CHARACTERS,
    CODE_GROUP_CHARACTERS,
    CODE_GROUPS,
    grouped_code,
    normalized_code,
)
from seqfacility_instance.accounts.throttle import Guesses
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.mail import MailKind
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.mail import outbox
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.people import AdminInvite


@dataclass(frozen=True, slots=True)
class Invites:
    """Makes, lists, checks and deletes invites. Decision: G31."""

    guesses: Guesses
    settings: FacilitySettings
    clock: Clock

    def list_all(self, caller: FacilityAdmin) -> list[AdminInvite]:
        """List the invites, newest first. Decision: G31."""
        return invite_store.list_invites(caller)

    def make(self, caller: LiveFacilityAdmin, email: str | None, days: int) -> tuple[AdminInvite, str]:
        """Make an invite, perhaps bound to an e-mail, to which it goes; the code is never given again.

        Decision: G31, G837.
        """
        length = CODE_GROUPS * CODE_GROUP_CHARACTERS
        code = "".join(secrets.choice(CODE_ALPHABET) for _ in range(length))
        now = self.clock.now()
        ending = code[-CODE_ENDING_CHARACTERS:]
        with database.atomic():
            invite = invite_store.insert_invite(
                code_hash(code), ending, email, caller.user_id, now, now + timedelta(days=days)
            )
            audit.record(caller, AuditAction.INVITE_MADE, "invite", invite.id, now, email=email)
            if email is not None and outbox.is_on():
                outbox.send_secret(
                    MailKind.INVITATION,
                    now,
                    email,
                    self.settings.secrets.seal(grouped_code(code)),
                    invite.expires_at,
                )
        return invite, grouped_code(code)

    def is_mailed(self) -> bool:
        """Return whether an invite goes to its e-mail by itself. Decision: G837."""
        return outbox.is_on()

    def delete(self, caller: LiveFacilityAdmin, invite_id: str) -> None:
        """Delete an unused invite; raises `InviteNotFound` or `InviteUsed`. Decision: G31."""
        if invite_store.find_invite(invite_id) is None:
            raise InviteNotFound
        with database.atomic():
            if not invite_store.claim_deletion(invite_id):
                raise InviteUsed
            audit.record(caller, AuditAction.INVITE_DELETED, "invite", invite_id, self.clock.now())

    def verify(self, code: str, email: str | None, address: str) -> bool:
        """Return whether a code would be accepted; wrong guesses of an address are bounded.

        Raises `TooManyRequests`.

        Decision: G255, G269.
        """
        self.guesses.check(address)
        is_valid = invite_store.find_open_invite(code_hash(code), email, self.clock.now()) is not None
        if not is_valid:
            self.guesses.count_wrong(address)
        return is_valid


def code_hash(code: str) -> str:
    """Hash a code as it is compared; with 100 random bits one round is enough. Decision: G31."""
    return token_hash(normalized_code(code))
