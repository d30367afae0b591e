"""Queries on the processes of the installation and on the audit trail."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from peewee import JOIN
from seqfacility_wire.paging import Page

from seqfacility_instance.access.callers import FacilityAdmin
from seqfacility_instance.access.owned_rows import in_reach
from seqfacility_instance.core.vocabulary.people import Role
from seqfacility_instance.core.vocabulary.sequencing import UploadStatus
from seqfacility_instance.core.vocabulary.site import DatabaseEngine, ProcessName
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.people import AuditEvent, User
from seqfacility_instance.tables.registry_polls import RegistryPoll
from seqfacility_instance.tables.sequencing import SequencingUpload
from seqfacility_instance.tables.site import ProcessHeartbeat
from seqfacility_instance.tables.webhooks import Webhook


def last_heartbeats(until: datetime) -> dict[ProcessName, ProcessHeartbeat]:
    """Return the newest sign of life of each kind of process, none that is later than `until`.

    Decision: G49.
    """
    at = ProcessHeartbeat.last_heartbeat_at
    rows = ProcessHeartbeat.select().where(at <= until).order_by(at)
    return {row.name: row for row in rows}


def living_releases(since: datetime, until: datetime) -> dict[ProcessName, set[str]]:
    """Return the releases of all processes that gave a sign of life in between. Decision: G485."""
    at = ProcessHeartbeat.last_heartbeat_at
    found: dict[ProcessName, set[str]] = {}
    for row in ProcessHeartbeat.select().where((at >= since) & (at <= until)):
        found.setdefault(row.name, set()).add(row.release or "unknown")
    return found


def engines_seen() -> dict[str, object]:
    """Return what a worker saw last of the workflow engines; empty when none has looked yet.

    Decision: G463.
    """
    rows = ProcessHeartbeat.select().where(ProcessHeartbeat.engines.is_null(False))
    newest = rows.order_by(ProcessHeartbeat.last_heartbeat_at.desc()).first()
    return {} if newest is None else newest.engines


def registry_poll() -> RegistryPoll | None:
    """Return what the daily polls of the registry found; None before the first worker. Decision: G970."""
    return RegistryPoll.get_or_none()


def failing_webhooks() -> list[datetime]:
    """Return since when each failing webhook has failed. Decision: G1032."""
    failing = Webhook.select(Webhook.failing_since).where(Webhook.failing_since.is_null(False))
    return [webhook.failing_since for webhook in failing if webhook.failing_since is not None]


def first_admin() -> User | None:
    """Find the oldest admin who can sign in, none of the demo's."""
    can_sign_in = (User.role == Role.FACILITY_ADMIN) & User.is_active & ~User.is_demo
    admins = User.select().where(can_sign_in).order_by(User.created_at, User.id).limit(1)
    return next(iter(admins), None)


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """Which rows of the audit trail are wanted: all that have what is given, from `since` up to `until`."""

    action: str | None = None
    object_id: str | None = None
    actor_id: str | None = None
    since: datetime | None = None
    until: datetime | None = None


def list_audit(caller: FacilityAdmin, wanted: AuditFilter, page: Page) -> tuple[list[AuditEvent], int]:
    """Return one page of the audit trail, newest first, and the number of all that match.

    A demo admin sees what the people of its workspace did, everybody else what no demo person did.

    Decision: G22, G246.
    """
    reach = in_reach(caller, AuditEvent.actor_id)
    chosen = (
        AuditEvent.select(AuditEvent, User)
        .join(User, JOIN.LEFT_OUTER, on=(AuditEvent.actor_id == User.id), attr="actor")
        .where(reach if caller.is_demo else reach | AuditEvent.actor_id.is_null())
    )
    for column, value in (
        (AuditEvent.action, wanted.action),
        (AuditEvent.object_id, wanted.object_id),
        (AuditEvent.actor_id, wanted.actor_id),
    ):
        if value is not None:
            chosen = chosen.where(column == value)
    if wanted.since is not None:
        chosen = chosen.where(AuditEvent.at >= wanted.since)
    if wanted.until is not None:
        chosen = chosen.where(AuditEvent.at <= wanted.until)
    newest_first = chosen.order_by(AuditEvent.at.desc(), AuditEvent.id.desc())
    return list(newest_first.limit(page.limit).offset(page.offset)), chosen.count()


def count_uploads(now: datetime, ttl_hours: int) -> tuple[int, int]:
    """Count the open upload sessions, and those untouched for `ttl_hours`. Decision: G49, G106."""
    is_open = SequencingUpload.status.not_in([UploadStatus.COMPLETED, UploadStatus.CANCELLED])
    opened = SequencingUpload.select().where(is_open)
    stale = opened.where(SequencingUpload.updated_at < now - timedelta(hours=ttl_hours))
    return opened.count(), stale.count()


def postgresql_bytes() -> int | None:
    """Ask PostgreSQL for the size of its database. Decision: G49."""
    row = database.execute_sql("SELECT pg_database_size(current_database())").fetchone()
    return None if row is None else int(row[0])


_VERSIONS: Final = {
    DatabaseEngine.POSTGRESQL: ("PostgreSQL", "SHOW server_version"),
    DatabaseEngine.SQLITE: ("SQLite", "SELECT sqlite_version(), (SELECT COUNT(*) FROM sqlite_master)"),
}
"""How each engine is asked for its version; SQLite reads its file for the answer."""


def database_version(engine: DatabaseEngine) -> str:
    """Ask the database for its name and version. Decision: G485."""
    name, question = _VERSIONS[engine]
    return f"{name} {database.execute_sql(question).fetchone()[0]}"


def database_clock(engine: DatabaseEngine) -> datetime | None:
    """Ask a database server for its time; None for SQLite, whose clock is ours. Decision: G485."""
    if engine is not DatabaseEngine.POSTGRESQL:
        return None
    timestamp: datetime = database.execute_sql("SELECT clock_timestamp()").fetchone()[0]
    return timestamp
