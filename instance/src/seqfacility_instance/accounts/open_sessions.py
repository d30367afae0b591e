"""The sessions of a person: seen and ended by their owner, ended by an admin."""

from dataclasses import dataclass

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import LiveFacilityAdmin, SignedIn
from seqfacility_instance.access.sessions import Sessions
from seqfacility_instance.accounts import store
from seqfacility_instance.accounts.errors import SessionNotFound, UserNotFound
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.people import Session


@dataclass(frozen=True, slots=True)
class OpenSessions:
    """Lists and ends sessions; what reads the live feed by one of them ends with it. Decision: G812."""

    sessions: Sessions
    clock: Clock

    def list_own(self, caller: SignedIn) -> list[Session]:
        """List the caller's own, last used first."""
        return self.sessions.list_open(caller.user_id)

    def end_own(self, caller: SignedIn, session_id: str) -> None:
        """End one of the caller's own, perhaps the one that asks; raises `SessionNotFound`."""
        with database.atomic():
            if not self.sessions.end_one(caller.user_id, session_id):
                raise SessionNotFound
            audit.record(caller, AuditAction.SESSION_ENDED, "session", session_id, self.clock.now())

    def end_others(self, caller: SignedIn) -> None:
        """End all of the caller's own but the one that asks."""
        with database.atomic():
            ended = self.sessions.end_all(caller.user_id, except_session_id=caller.session_id)
            self._record(caller, caller.user_id, ended)

    def end_all_of(self, caller: LiveFacilityAdmin, user_id: str) -> None:
        """End every session of an account; raises `UserNotFound`."""
        if store.find_user_in_reach(caller, user_id) is None:
            raise UserNotFound
        with database.atomic():
            self._record(caller, user_id, self.sessions.end_all(user_id))

    def _record(self, caller: SignedIn, user_id: str, ended: int) -> None:
        now = self.clock.now()
        audit.record(caller, AuditAction.SESSIONS_ENDED, "user", user_id, now, count=ended)
