"""Queries on the processes of the installation and on the audit trail."""

from datetime import datetime, timedelta

from peewee import JOIN

from seqfacility_instance.core.vocabulary import ProcessName, UploadStatus
from seqfacility_instance.tables import AuditEvent, ProcessHeartbeat, SequencingUpload, User, database


def last_heartbeats() -> dict[ProcessName, datetime]:
    """Give the newest sign of life of each kind of process. Gap: G49."""
    newest: dict[ProcessName, datetime] = {}
    for row in ProcessHeartbeat.select().order_by(ProcessHeartbeat.last_heartbeat_at):
        newest[row.name] = row.last_heartbeat_at
    return newest


def list_audit(
    action: str | None, object_id: str | None, limit: int, offset: int
) -> tuple[list[AuditEvent], int]:
    """Give one page of the audit trail, newest first, and the number of all that match. Gap: G22."""
    chosen = AuditEvent.select(AuditEvent, User).join(User, JOIN.LEFT_OUTER, on=AuditEvent.actor)
    if action is not None:
        chosen = chosen.where(AuditEvent.action == action)
    if object_id is not None:
        chosen = chosen.where(AuditEvent.object_id == object_id)
    page = chosen.order_by(AuditEvent.at.desc(), AuditEvent.id.desc()).limit(limit).offset(offset)
    return list(page), chosen.count()


def count_uploads(now: datetime, ttl_hours: int) -> tuple[int, int]:
    """Count the open upload sessions, and those untouched for `ttl_hours`. Gap: G49, G106."""
    is_open = SequencingUpload.status.not_in([UploadStatus.COMPLETED, UploadStatus.CANCELLED])
    opened = SequencingUpload.select().where(is_open)
    stale = opened.where(SequencingUpload.updated_at < now - timedelta(hours=ttl_hours))
    return opened.count(), stale.count()


def postgresql_bytes() -> int | None:
    """Ask PostgreSQL for the size of its database. Gap: G49."""
    row = database.execute_sql("SELECT pg_database_size(current_database())").fetchone()
    return None if row is None else int(row[0])
