"""Sessions: one cookie, one row, two ends."""

import hashlib
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from seqfacility_instance.access.callers import SignedIn, typed_caller
from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.ids import new_id
from seqfacility_instance.core.vocabulary.people import Role
from seqfacility_instance.facility_settings.sections import AccessSection
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.tables.base import locked
from seqfacility_instance.tables.fields import timestamp_of
from seqfacility_instance.tables.people import DemoWorkspace, OidcIdentity, Session, User
from seqfacility_instance.tables.prepared import Prepared, placeholder
from seqfacility_instance.tables.second_factors import SecondFactor

_OPEN_SESSION = Prepared(
    lambda: (
        Session.select(
            Session.id,
            Session.demo_workspace,
            Session.last_seen_at,
            Session.expires_at,
            Session.confirmed_at,
            Session.by_provider,
            User.must_change_password,
            User.id,
            User.email,
            User.first_name,
            User.last_name,
            User.role,
        )
        .join(User)
        .where((Session.token_hash == placeholder("token_hash")) & User.is_active)
    )
)


@dataclass(frozen=True, slots=True)
class OpenSession:
    """A session that has not ended: who it belongs to, and when it ends if nothing more happens."""

    caller: SignedIn
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class Sessions:
    """Makes, finds and ends sessions. Decision: G25."""

    settings: FacilitySettings
    clock: Clock

    def find_caller(self, token: str, address: str) -> SignedIn | None:
        """Find who is behind a cookie; None when the session ended or never was.

        Role and account state come from the user's row at every request, so a change works at once.

        Decision: G25.
        """
        found = self.find(token, address)
        return None if found is None else found.caller

    def find(self, token: str, address: str) -> OpenSession | None:
        """Find an open session and note, at most once a minute, that it is in use. Decision: G25, G26."""
        row = _OPEN_SESSION.first(token_hash=token_hash(token))
        if row is None:
            return None
        session_id, workspace_id, seen, expires, confirmed_at, by_provider, must_change, *person = row
        last_seen_at, expires_at = timestamp_of(seen), timestamp_of(expires)
        now, access = self.clock.now(), self.settings.access()
        idle = timedelta(hours=access.session_idle_hours)
        ends_at = min(last_seen_at + idle, expires_at)
        if now >= ends_at:
            return None
        if now - last_seen_at >= limits.SESSION_SEEN_EVERY:
            note_use(session_id, now)
            ends_at = min(now + idle, expires_at)
        caller = typed_caller(
            person,
            address,
            session_id,
            must_change_password=bool(must_change),
            demo_workspace_id=workspace_id,
            is_confirmed=confirmed_at is not None and _is_recent(timestamp_of(confirmed_at), now),
            is_by_provider=bool(by_provider),
        )
        return OpenSession(held_to_second_factor(access, caller), ends_at)

    def list_open(self, user_id: str) -> list[Session]:
        """List the sessions of a person that have not ended, last used first. Decision: G812."""
        now = self.clock.now()
        idle = timedelta(hours=self.settings.access().session_idle_hours)
        is_open = (Session.last_seen_at > now - idle) & (Session.expires_at > now)
        found = Session.select().where((Session.user == user_id) & is_open)
        return list(found.order_by(Session.last_seen_at.desc(), Session.id.desc()))

    def still_open(self, session_ids: Collection[str]) -> dict[str, tuple[Role, datetime]]:
        """Return which of these sessions are open, with the role that each has now, and when it ends."""
        now = self.clock.now()
        idle = timedelta(hours=self.settings.access().session_idle_hours)
        found = (
            Session.select(Session, User).join(User).where(Session.id.in_(list(session_ids)) & User.is_active)
        )
        ends = ((row.id, row.user.role, min(row.last_seen_at + idle, row.expires_at)) for row in found)
        return {session_id: (role, ends_at) for session_id, role, ends_at in ends if now < ends_at}

    def start(
        self,
        user: User,
        address: str,
        user_agent: str = "",
        workspace: DemoWorkspace | None = None,
        *,
        by_provider: bool = False,
        identity: OidcIdentity | None = None,
        sid: str | None = None,
    ) -> str:
        """Begin a session and give the token for its cookie; one of the demo ends with its workspace.

        Whoever begins it has proved who they are, so it is a confirmed one. Only the newest
        twenty of a person stay.

        Decision: G25, G246, G810, G812.
        """
        came_by = {"by_provider": by_provider, "identity": identity, "sid": sid}
        token = self._insert(user, address, user_agent, workspace, came_by)
        _keep_newest(user.id, token_hash(token))
        return token

    def start_check(self, user: User, address: str) -> str:
        """Begin a session that its caller ends again: it ends no other, and nobody is asked for a code.

        Decision: G812.
        """
        return self._insert(user, address, "", None, {"by_provider": True})

    def _insert(
        self,
        user: User,
        address: str,
        user_agent: str,
        workspace: DemoWorkspace | None,
        came_by: Mapping[str, object],
    ) -> str:
        token = secrets.token_urlsafe(limits.SESSION_TOKEN_BYTES)
        now = self.clock.now()
        latest = now + timedelta(hours=self.settings.access().session_max_hours)
        Session.insert(
            token_hash=token_hash(token),
            user=user.id,
            demo_workspace=workspace,
            address=address,
            created_at=now,
            last_seen_at=now,
            expires_at=latest if workspace is None else min(latest, workspace.expires_at),
            user_agent=_storable(user_agent),
            confirmed_at=now,
            **came_by,
        ).execute()
        return token

    def renew(self, session_id: str) -> str | None:
        """Give a session another token, and end every other one of its person; None when it ended meanwhile.

        It becomes a row of its own, so that what still reads by the old token is ended too.

        Decision: G813, G897.
        """
        # WHY locked: who ended this one a moment ago, as an admin does, ended it for good.
        old = locked(Session.select().where(Session.id == session_id)).first()
        if old is None:
            return None
        token, renewed_id = secrets.token_urlsafe(limits.SESSION_TOKEN_BYTES), new_id()
        Session.insert(**{**old.__data__, "id": renewed_id, "token_hash": token_hash(token)}).execute()
        self.end_all(old.user_id, except_session_id=renewed_id)
        return token

    def confirm(self, session_id: str) -> None:
        """Note that the person of a session has proved again who they are. Decision: G810."""
        Session.update(confirmed_at=self.clock.now()).where(Session.id == session_id).execute()

    def end(self, token: str) -> Session | None:
        """End the session of a cookie; return its last state, None when there was none. Decision: G27."""
        session = Session.get_or_none(Session.token_hash == token_hash(token))
        if session is not None:
            Session.delete().where(Session.id == session.id).execute()
        return session

    def end_one(self, user_id: str, session_id: str) -> bool:
        """End one session of a user; False when it is none of theirs. Decision: G812."""
        is_theirs = (Session.id == session_id) & (Session.user == user_id)
        ended: int = Session.delete().where(is_theirs).execute()
        return ended == 1

    @staticmethod
    def end_all(user_id: str, except_session_id: str | None = None) -> int:
        """End every session of a user, or every other one; return how many. Decision: G28, G33."""
        chosen = Session.user == user_id
        if except_session_id is not None:
            chosen &= Session.id != except_session_id
        # WHY twice: one that is renewed while the first waits for it is another row afterwards.
        return sum(Session.delete().where(chosen).execute() for _ in range(2))

    def end_these(self, session_ids: Collection[str]) -> None:
        """End these sessions. Decision: G827."""
        Session.delete().where(Session.id.in_(list(session_ids))).execute()


def note_use(session_id: str, now: datetime) -> None:
    """Note that a session is in use; one that was ended stays so. Decision: G25, G428."""
    Session.update(last_seen_at=now).where(
        (Session.id == session_id) & (Session.last_seen_at < now)
    ).execute()


def forget_ended(now: datetime) -> bool:
    """Remove sessions that are past their latest moment; True when there were some. Decision: G25."""
    removed: int = Session.delete().where(Session.expires_at <= now).execute()
    return removed > 0


def token_hash(token: str) -> str:
    """Hash a random token; with 256 random bits one round is enough. Decision: G25."""
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


def _is_recent(confirmed_at: datetime, now: datetime) -> bool:
    return abs(now - confirmed_at) < limits.CONFIRMED_FOR


def _storable(user_agent: str) -> str:
    """Cut what a browser says of itself to a printable line."""
    printable = "".join(character if character.isprintable() else " " for character in user_agent)
    return " ".join(printable.split())[: limits.USER_AGENT_MAX_CHARACTERS]


def _keep_newest(user_id: str, new_hash: str) -> None:
    """End what a person has beyond twenty sessions, those that were used least lately; the new one stays.

    Decision: G812.
    """
    others = Session.select(Session.id).where((Session.user == user_id) & (Session.token_hash != new_hash))
    newest_first = others.order_by(Session.last_seen_at.desc(), Session.id.desc())
    # WHY a limit: SQLite has no OFFSET without one.
    beyond = newest_first.offset(limits.SESSIONS_PER_PERSON - 1).limit(limits.SESSIONS_ENDED_AT_ONCE)
    ended = [session.id for session in beyond]
    if ended:
        Session.delete().where(Session.id.in_(ended)).execute()


def asks_second_factor(access: AccessSection, caller: SignedIn) -> bool:
    """Return whether the facility wants a second factor of a caller. Decision: G817."""
    is_local_admin = caller.is_admin and not caller.is_demo and not caller.is_by_provider
    return is_local_admin and access.admins_need_second_factor


def held_to_second_factor(access: AccessSection, caller: SignedIn) -> SignedIn:
    """Return the caller, with whether the second factor that is asked for is lacking. Decision: G817."""
    if not asks_second_factor(access, caller):
        return caller
    in_use = (SecondFactor.user == caller.user_id) & SecondFactor.enabled_at.is_null(False)
    return replace(caller, lacks_second_factor=not SecondFactor.select().where(in_use).exists())
