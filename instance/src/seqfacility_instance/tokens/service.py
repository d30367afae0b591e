"""API tokens of people: made by their owner alone, revoked by the owner or an admin."""

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
from seqfacility_instance.core.vocabulary.people import AuditAction, Role, Scope
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.tokens import ApiToken
from seqfacility_instance.tokens.bodies import NewToken
from seqfacility_instance.tokens.errors import TokenNotFound, TooManyTokens


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
