"""Use cases of the demo: begin a session in a workspace of one's own, and remove what has expired."""

import secrets
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath

from seqfacility_wire.client_address import network_of
from seqfacility_wire.errors import NotFound
from seqfacility_wire.throttle import Limit

from seqfacility_instance.access.sessions import OpenSession, Sessions, token_hash
from seqfacility_instance.accounts import store as accounts_store
from seqfacility_instance.accounts import throttle
from seqfacility_instance.checklists.service import Checklists
from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.ids import new_id
from seqfacility_instance.core.vocabulary.people import DemoRole
from seqfacility_instance.core.vocabulary.people import Role as UserRole
from seqfacility_instance.core.vocabulary.pipelines import RunStatus
from seqfacility_instance.demo import store
from seqfacility_instance.demo.seeding import Seeding
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.messages import store as messages_store
from seqfacility_instance.orders import store as orders_store
from seqfacility_instance.pipelines.service import Pipelines
from seqfacility_instance.reads import store as reads_store
from seqfacility_instance.runs.store import rows as runs_store
from seqfacility_instance.streams.store import runs as streams_store
from seqfacility_instance.studies import store as studies_store
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.people import DemoWorkspace, User

DEMO_LIMIT = "demo:address"
UNUSABLE_HASH = "!an account of the demo"
"""No password has this hash, so nobody signs in to a demo account."""


@dataclass(frozen=True, slots=True)
class DemoSession:
    """A new session of the demo with the token for its cookie."""

    user: User
    token: str
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class Demo:
    """Gives every visitor a workspace for some hours. Decision: G245, G246."""

    is_enabled: bool
    sessions: Sessions
    facility: FacilitySettings
    pipelines: Pipelines
    checklists: Checklists
    clock: Clock

    def admit(self, address: str) -> None:
        """Count a request of `address`; raises `NotFound` where there is no demo, or `TooManyRequests`.

        Decision: G245, G255.
        """
        if not self.is_enabled:
            raise NotFound
        limit = Limit(limits.DEMO_SESSIONS_PER_HOUR, limits.DEMO_SESSION_WINDOW)
        throttle.admit(DEMO_LIMIT, network_of(address), limit, self.clock.now())

    def begin(self, role: DemoRole, address: str, old_token: str | None, user_agent: str = "") -> DemoSession:
        """Begin a session as `role`, in the workspace of a live demo cookie or in a new one.

        The session of the old cookie ends, of whatever kind it was.

        Decision: G245, G246.
        """
        before = None if old_token is None else self.sessions.find(old_token, address)
        with database.atomic():
            now = self.clock.now()
            workspace = self._workspace_of(before, now) or self._new_workspace(now)
            if old_token is not None:
                self.sessions.end(old_token)
            user_id = workspace.user_id if role is DemoRole.RESEARCHER else workspace.admin_user_id
            assert user_id is not None, "a workspace is made with both of its people"
            user = accounts_store.find_user(user_id)
            assert user is not None, "the people of a workspace live as long as it does"
            token = self.sessions.start(user, address, user_agent, workspace)
        found = self.sessions.find(token, address)
        return DemoSession(user, token, workspace.expires_at if found is None else found.ends_at)

    def _workspace_of(self, before: OpenSession | None, now: datetime) -> DemoWorkspace | None:
        if before is None or before.caller.demo_workspace_id is None:
            return None
        workspace = store.find_live(before.caller.demo_workspace_id, now)
        if workspace is not None:
            store.note_seen(workspace.id, now)
        return workspace

    def _new_workspace(self, now: datetime) -> DemoWorkspace:
        visitor = new_id()
        people = {role: self._new_user(role, visitor, now) for role in UserRole}
        researcher, admin = people[UserRole.RESEARCHER], people[UserRole.FACILITY_ADMIN]
        unguessable = token_hash(secrets.token_urlsafe(limits.SESSION_TOKEN_BYTES))
        workspace = store.insert_workspace(unguessable, researcher, admin, now)
        base = PurePosixPath(self.facility.storage().data_base_path or "/")
        runs = PurePosixPath(self.facility.execution().run_directory or base / "pipeline_runs")
        version = self.checklists.active_version()
        Seeding(researcher, admin, self.pipelines, version, base, runs, now).write()
        return workspace

    def _new_user(self, role: UserRole, visitor: str, now: datetime) -> User:
        is_researcher = role is UserRole.RESEARCHER
        columns = {
            "email": f"{'researcher' if is_researcher else 'admin'}-{visitor}@demo.invalid",
            "password_hash": UNUSABLE_HASH,
            "first_name": "Robin" if is_researcher else "Alex",
            "last_name": "Researcher" if is_researcher else "Admin",
            "role": role,
            "is_demo": True,
        }
        user = accounts_store.insert_user(columns, now)
        assert user is not None, "an id is never given twice"
        return user

    def remove_expired(self, now: datetime) -> bool:
        """Remove one workspace whose life is over, with everything in it; True when there was one.

        Decision: G246.
        """
        workspace = store.next_expired(now)
        if workspace is None:
            return False
        people = [user_id for user_id in (workspace.user_id, workspace.admin_user_id) if user_id is not None]
        with database.atomic():
            if store.claim_removal(workspace.id):
                _remove_rows_of(people)
        return True


def _remove_rows_of(people: list[str]) -> None:
    """Delete from the leaves to the root: the schema lets nothing go that something still hangs on."""
    for ticket_id in store.ticket_ids_of(people):
        messages_store.delete_ticket(ticket_id)
    for run_id in store.run_ids_of(people):
        runs_store.delete(run_id, list(RunStatus))
    for order in store.orders_of(people):
        for stream_run_id in store.stream_run_ids_of(order.id):
            streams_store.delete_run(stream_run_id)
        reads_store.delete_reads_of_order(order.id)
        orders_store.claim_deleted(order)
    for study_id in store.study_ids_of(people):
        studies_store.delete_study(study_id)
    for user_id in people:
        accounts_store.delete_demo_user(user_id)
