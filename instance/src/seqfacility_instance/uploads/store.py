"""Queries on upload sessions, and the only writes to their table."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from peewee import JOIN, ModelSelect

from seqfacility_instance.access.owned_rows import in_the_demo
from seqfacility_instance.core.ids import epoch_milliseconds
from seqfacility_instance.core.vocabulary.orders import OrderStatus
from seqfacility_instance.core.vocabulary.sequencing import UploadStatus
from seqfacility_instance.tables.orders import Order, Sample
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.prepared import Prepared, placeholder
from seqfacility_instance.tables.sequencing import SequencingUpload
from seqfacility_instance.uploads.rules import OPEN


def find_upload(upload_id: str, order_id: str) -> SequencingUpload | None:
    """Find a session of an order, with sample and creator. Decision: G14."""
    found: SequencingUpload | None = (
        _sessions().where((SequencingUpload.id == upload_id) & (SequencingUpload.order == order_id)).first()
    )
    return found


@dataclass(slots=True)
class Receiving:
    """What a chunk needs to know of its session; `received_size` and `status` follow what is written."""

    id: str
    order_id: str
    temp_path: str
    expected_size: int
    received_size: int
    status: UploadStatus


_COLUMNS = (
    SequencingUpload.id,
    SequencingUpload.order,
    SequencingUpload.temp_path,
    SequencingUpload.expected_size,
    SequencingUpload.received_size,
    SequencingUpload.status,
)
_TARGET = Prepared(
    lambda: (
        Order.select(Order.status, *_COLUMNS)
        .join(
            SequencingUpload,
            JOIN.LEFT_OUTER,
            on=(SequencingUpload.order == Order.id) & (SequencingUpload.id == placeholder("upload_id")),
        )
        .where((Order.id == placeholder("order_id")) & ~in_the_demo(Order.user))
    )
)
_RECEIVING_OF = Prepared(
    lambda: SequencingUpload.select(*_COLUMNS).where(SequencingUpload.id == placeholder("upload_id"))
)
_CLAIM_PROGRESS = Prepared(
    lambda: SequencingUpload.update(
        received_size=placeholder("received"), status=placeholder("status"), updated_at=placeholder("now")
    ).where(
        (SequencingUpload.id == placeholder("upload_id"))
        & (SequencingUpload.received_size == placeholder("offset"))
        & SequencingUpload.status.in_(OPEN)
    )
)


@dataclass(frozen=True, slots=True)
class Target:
    """The order that a chunk is for, and its session if it has that one."""

    status: OrderStatus
    session: Receiving | None


def find_target(order_id: str, upload_id: str) -> Target | None:
    """Find an order outside of the demo and its session at once; None without such an order.

    Decision: G14.
    """
    row = _TARGET.first(order_id=order_id, upload_id=upload_id)
    if row is None:
        return None
    return Target(OrderStatus(row[0]), None if row[1] is None else _receiving(row[1:]))


def get_receiving(upload_id: str) -> Receiving:
    """Read the progress of a session again; it must exist."""
    row = _RECEIVING_OF.first(upload_id=upload_id)
    assert row is not None, f"upload {upload_id} vanished"
    return _receiving(row)


def _receiving(row: Sequence[Any]) -> Receiving:
    upload_id, order_id, temp_path, expected, received, status = row
    return Receiving(upload_id, order_id, temp_path, expected, received, UploadStatus(status))


def get_upload(upload_id: str) -> SequencingUpload:
    """Read a session again, without its neighbours; it must exist."""
    row: SequencingUpload = SequencingUpload.get_by_id(upload_id)
    return row


def list_uploads(order_id: str, statuses: Iterable[UploadStatus]) -> list[SequencingUpload]:
    """List the sessions of an order in one of these statuses, newest first. Decision: G100."""
    return list(
        _sessions()
        .where((SequencingUpload.order == order_id) & SequencingUpload.status.in_(list(statuses)))
        .order_by(SequencingUpload.created_at.desc(), SequencingUpload.id.desc())
    )


def list_uploads_for(order_id: str, sample_id: str | None, name: str) -> list[SequencingUpload]:
    """List the sessions of an order for a file of this name that were not cancelled, the newest first."""
    same = SequencingUpload.sample.is_null() if sample_id is None else SequencingUpload.sample == sample_id
    return list(
        SequencingUpload.select()
        .where(
            (SequencingUpload.order == order_id)
            & same
            & (SequencingUpload.original_name == name)
            & (SequencingUpload.status != UploadStatus.CANCELLED)
        )
        .order_by(SequencingUpload.created_at.desc(), SequencingUpload.id.desc())
    )


def create_upload(values: dict[str, object]) -> SequencingUpload:
    """Insert a session."""
    return SequencingUpload.create(**values)


def claim_progress(upload_id: str, offset: int, received: int, status: UploadStatus, now: datetime) -> bool:
    """Move an open session from `offset` to `received` bytes; False when another request won.

    The WHERE clause carries the decision, so two requests that read the same offset cannot both count
    their bytes.

    Spec: instance, Sequencing uploads 2. Decision: G97.
    """
    changed = _CLAIM_PROGRESS.change(
        upload_id=upload_id,
        offset=offset,
        received=received,
        status=status.value,
        now=epoch_milliseconds(now),
    )
    return changed == 1


def claim_completed(upload_id: str, final_path: str, findings: Mapping[str, object], now: datetime) -> bool:
    """Move a session from READY to COMPLETED; False when it is not READY. Decision: G102, G639."""
    changed: int = (
        SequencingUpload.update(
            final_path=final_path,
            status=UploadStatus.COMPLETED,
            completed_at=now,
            updated_at=now,
            **findings,
        )
        .where((SequencingUpload.id == upload_id) & (SequencingUpload.status == UploadStatus.READY))
        .execute()
    )
    return changed == 1


def note_result(upload_id: str, *, read_id: str | None = None, artifact_id: str | None = None) -> None:
    """Note what a completed session became. Spec: instance, Sequencing uploads 3."""
    SequencingUpload.update(read=read_id, artifact=artifact_id).where(
        SequencingUpload.id == upload_id
    ).execute()


def is_final_path(path: str) -> bool:
    """Return whether a session was completed to this path. Decision: G103."""
    return SequencingUpload.select(SequencingUpload.id).where(SequencingUpload.final_path == path).exists()


def claim_cancelled(upload_id: str, now: datetime) -> bool:
    """Move an open session to CANCELLED; False when it is closed. Decision: G105."""
    changed: int = (
        SequencingUpload.update(status=UploadStatus.CANCELLED, updated_at=now)
        .where((SequencingUpload.id == upload_id) & SequencingUpload.status.in_(OPEN))
        .execute()
    )
    return changed == 1


def claim_expired(upload_id: str, untouched_since: datetime, now: datetime) -> bool:
    """Move an open session to CANCELLED unless somebody touched it meanwhile. Decision: G106."""
    changed: int = (
        SequencingUpload.update(status=UploadStatus.CANCELLED, updated_at=now)
        .where(
            (SequencingUpload.id == upload_id)
            & SequencingUpload.status.in_(OPEN)
            & (SequencingUpload.updated_at <= untouched_since)
        )
        .execute()
    )
    return changed == 1


def list_expired(untouched_since: datetime, limit: int) -> list[SequencingUpload]:
    """List open sessions that nobody touched since, the oldest first. Decision: G106."""
    return list(
        SequencingUpload.select()
        .where(SequencingUpload.status.in_(OPEN) & (SequencingUpload.updated_at <= untouched_since))
        .order_by(SequencingUpload.updated_at, SequencingUpload.id)
        .limit(limit)
    )


def statuses_of(upload_ids: Iterable[str]) -> dict[str, UploadStatus]:
    """Return the status of each of these sessions that exists."""
    query = SequencingUpload.select(SequencingUpload.id, SequencingUpload.status)
    return {row.id: row.status for row in query.where(SequencingUpload.id.in_(list(upload_ids)))}


def find_by_id(upload_id: str) -> SequencingUpload | None:
    """Find a session by its id alone, for the background worker."""
    return SequencingUpload.get_or_none(SequencingUpload.id == upload_id)


def update_intake(final_path: str, intake: dict[str, object]) -> None:
    """Note what is known of a file after its mate was examined as well. Decision: G107."""
    SequencingUpload.update(intake=intake).where(SequencingUpload.final_path == final_path).execute()


def update_findings(upload_id: str, values: dict[str, object]) -> None:
    """Note what the verification found; a session's last touch stays what it was. Decision: G107."""
    SequencingUpload.update(**values).where(SequencingUpload.id == upload_id).execute()


def _sessions() -> "ModelSelect[SequencingUpload]":
    return (
        SequencingUpload.select(SequencingUpload, Sample, User)
        .join(Sample, JOIN.LEFT_OUTER)
        .switch(SequencingUpload)
        .join(User)
    )
