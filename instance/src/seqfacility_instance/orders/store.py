"""Queries on orders and their notes; writes the tables of orders, notes and samplesets."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from peewee import JOIN, SQL, Expression, Field, Function, IntegrityError, ModelSelect, Ordering

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.errors import OrderNotFound
from seqfacility_instance.access.owned_rows import in_reach, listed_for
from seqfacility_instance.core.ids import order_number
from seqfacility_instance.core.vocabulary.orders import NoteType, OrderSort, OrderStatus
from seqfacility_instance.core.vocabulary.sequencing import UploadStatus
from seqfacility_instance.orders.errors import OrderHasData
from seqfacility_instance.tables.base import locked
from seqfacility_instance.tables.orders import Order, OrderNumberCounter, Sample, Sampleset, StatusNote
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.sequencing import Read, SequencingArtifact, SequencingUpload
from seqfacility_instance.tables.streams import StreamRun

OPEN_UPLOADS = (UploadStatus.PENDING, UploadStatus.UPLOADING, UploadStatus.READY)


_MAX_OPEN_ORDERS: Final = 20_000
"""SQLite takes 32,766 variables in a statement. No facility works on so many at once."""

_OPEN_COLUMNS: Final = (
    Order.id,
    Order.order_number,
    Order.name,
    Order.user,
    Order.status,
    Order.status_updated_at,
    Order.sequencing_files_published_at,
    Order.created_at,
    Order.sample_count,
    Order.active_read_count,
    Order.cleaned_read_count,
    Order.paired_read_count,
    Order.single_read_count,
    Order.problem_read_count,
)


@dataclass(frozen=True, slots=True)
class Counts:
    """How much an order holds, as one caller sees it. Decision: G72."""

    samples: int = 0
    reads: int = 0


def next_order_number(now: datetime) -> str:
    """Return a number that was never given before; stands in the transaction that creates the order.

    The counter is raised by the statement that reads it, so two requests cannot see the same count, and it
    outlives a deleted order.

    Decision: G73.
    """
    counted = (
        OrderNumberCounter.insert(day=f"{now:%Y%m%d}", last_count=1)
        .on_conflict(
            conflict_target=[OrderNumberCounter.day],
            update={OrderNumberCounter.last_count: OrderNumberCounter.last_count + 1},
        )
        .returning(OrderNumberCounter.last_count)
        .execute()
    )
    return order_number(now, next(iter(counted)).last_count)


def create_order(columns: Mapping[str, object]) -> Order:
    """Add an order with its sampleset; return it as it is stored. Decision: G81."""
    order: Order = next(iter(Order.insert(**columns).returning(Order).execute()))
    Sampleset.create(order=order.id)
    return order


def lock_order(order_id: str) -> Order:
    """Read an order again inside a transaction and keep others from changing it until its end.

    Raises `OrderNotFound` when it was deleted meanwhile.
    """
    found: Order | None = locked(Order.select().where(Order.id == order_id)).first()
    if found is None:
        raise OrderNotFound
    return found


@dataclass(frozen=True, slots=True)
class Span:
    """From when until when, both included; None is no limit."""

    start: datetime | None = None
    end: datetime | None = None


@dataclass(frozen=True, slots=True)
class OrderFilter:
    """What a list of orders is narrowed to, and its order; an unknown word matches nothing.

    Decision: G74, G541.
    """

    status: str | None = None
    text: str | None = None
    stage: str | None = None
    platform: str | None = None
    owner_id: str | None = None
    needs_caller: bool = False
    created: Span = Span()
    sort: OrderSort = OrderSort.NEWEST
    hides_name: bool = False
    """Whether the form hides names from the caller: neither what is found nor the order tells them."""


def list_orders(
    condition: Expression, wanted: OrderFilter, limit: int, offset: int
) -> tuple[list[Order], int]:
    """List orders with their owners, and count them all. Decision: G16, G74."""
    total: int = Order.select().where(condition).count()
    page = Order.select(Order, User).join(User, on=Order.user).where(condition).order_by(*_sorted(wanted))
    return list(page.limit(limit).offset(offset)), total


def _sorted(wanted: OrderFilter) -> list[Ordering]:
    """Return the columns that put orders in order; the id last, so that a page is always the same."""
    columns: dict[str, Field | Function] = {
        "created": Order.created_at,
        "changed": Order.updated_at,
        "number": Order.order_number,
        "name": Order.name_in_order(),
    }
    is_unheard = wanted.hides_name and wanted.sort in {OrderSort.NAME, OrderSort.NAME_DOWN}
    sort = OrderSort.NEWEST if is_unheard else wanted.sort
    column = columns[sort.removeprefix("-")]
    if sort.startswith("-"):
        return [column.desc(), Order.id.desc()]
    return [column.asc(), Order.id.asc()]


def listed_orders(caller: SignedIn, wanted: OrderFilter) -> Expression | None:
    """Return the condition of a list, its stage and turn apart; None when it is certain to be empty.

    Decision: G74, G541.
    """
    condition = listed_for(caller, Order.user)
    if wanted.status is not None:
        if wanted.status not in OrderStatus.__members__:
            return None
        condition &= Order.status == OrderStatus(wanted.status)
    if wanted.text is not None:
        matches = Order.order_number.contains(wanted.text)
        condition &= matches if wanted.hides_name else matches | Order.name.contains(wanted.text)
    if wanted.platform is not None:
        condition &= Order.platform == wanted.platform
    if wanted.owner_id is not None:
        condition &= Order.user == wanted.owner_id
    if wanted.created.start is not None:
        condition &= Order.created_at >= wanted.created.start
    if wanted.created.end is not None:
        condition &= Order.created_at <= wanted.created.end
    return condition


def open_orders(condition: Expression) -> list[Order]:
    """List the orders of a condition that somebody works on, oldest first, without what people filled in.

    Decision: G541.
    """
    query = Order.select(*_OPEN_COLUMNS).where(condition, is_open())
    return list(query.order_by(Order.created_at, Order.id).limit(_MAX_OPEN_ORDERS))


def is_open() -> Expression:
    """Return the condition that an order is submitted and nothing of it is published.

    WHY: the words of the index `orders_open`, as constants: SQLite compares no variable with them.
    """
    return (Order.status == SQL("'SUBMITTED'")) & Order.sequencing_files_published_at.is_null()


def is_published() -> Expression:
    """Return the condition that the files of an order are published."""
    return Order.sequencing_files_published_at.is_null(False)


def is_draft() -> Expression:
    return Order.status == OrderStatus.DRAFT


def is_completed_unpublished() -> Expression:
    return (Order.status == OrderStatus.COMPLETED) & Order.sequencing_files_published_at.is_null()


def counts_of(caller: SignedIn, order: Order) -> Counts:
    """Return the counts that stand beside an order, for a researcher only the reads of G113. No query.

    Decision: G72, G113.
    """
    if caller.is_admin:
        return Counts(order.sample_count, order.active_read_count)
    is_delivered = order.sequencing_files_published_at is not None and order.user_id == caller.user_id
    return Counts(order.sample_count, order.cleaned_read_count if is_delivered else 0)


def claim_edit(order: Order, columns: Mapping[str, object]) -> Order | None:
    """Save changes over the version that was read; return what is stored, None when somebody saved meanwhile.

    Decision: G20.
    """
    is_as_read = (Order.updated_at == order.updated_at) & (Order.status == order.status)
    changed = Order.update(**columns).where((Order.id == order.id) & is_as_read).returning(Order)
    return next(iter(changed.execute()), None)


def claim_status(order: Order, wanted: OrderStatus, now: datetime) -> Order | None:
    """Move an order from the status it was read in; return what is stored, None when somebody else moved it.

    An order that returns to draft loses its publication in the same statement.

    Decision: G75.
    """
    columns: dict[str, object] = {"status": wanted, "status_updated_at": now, "updated_at": now}
    if wanted is OrderStatus.DRAFT:
        columns |= {"sequencing_files_published_at": None, "published_by": None}
    changed = Order.update(**columns).where((Order.id == order.id) & (Order.status == order.status))
    return next(iter(changed.returning(Order).execute()), None)


def claim_published(order_id: str, user_id: str, now: datetime) -> bool:
    """Publish the files of an order that is no draft; False when they are, or it is a draft.

    Decision: G84.
    """
    changed: int = (
        Order.update(sequencing_files_published_at=now, published_by=user_id, updated_at=now)
        .where(
            (Order.id == order_id)
            & (Order.status != OrderStatus.DRAFT)
            & Order.sequencing_files_published_at.is_null()
        )
        .execute()
    )
    return changed == 1


def claim_unpublished(order_id: str, now: datetime) -> bool:
    """Withdraw the files of an order; False when they are not published. Decision: G84."""
    changed: int = (
        Order.update(sequencing_files_published_at=None, published_by=None, updated_at=now)
        .where((Order.id == order_id) & Order.sequencing_files_published_at.is_null(False))
        .execute()
    )
    return changed == 1


def note_form_version(order_id: str, version: int) -> None:
    """Remember the form that an order's samples were last filled with. Decision: G55."""
    Order.update(form_version=version).where(
        (Order.id == order_id) & (Order.form_version != version)
    ).execute()


def claim_deleted(order: Order) -> bool:
    """Delete an order in the status it was read in, with all that is its own; False when it moved.

    Raises `OrderHasData` when data came since it was looked for; the database decides.

    Decision: G74.
    """
    try:
        deleted: int = Order.delete().where((Order.id == order.id) & (Order.status == order.status)).execute()
    except IntegrityError as kept:
        raise OrderHasData from kept
    return deleted == 1


def has_sequencing_data(order_id: str) -> bool:
    """Return whether reads, artifacts, open uploads, pipeline or stream runs hang on an order.

    Decision: G74.
    """
    holders = (
        Read.select(Read.id).join(Sample).where(Sample.order == order_id),
        SequencingArtifact.select(SequencingArtifact.id).where(SequencingArtifact.order == order_id),
        SequencingUpload.select(SequencingUpload.id).where(
            (SequencingUpload.order == order_id) & SequencingUpload.status.in_(OPEN_UPLOADS)
        ),
        PipelineRun.select(PipelineRun.id).where(PipelineRun.order == order_id),
        StreamRun.select(StreamRun.id).where(StreamRun.order == order_id),
    )
    return any(query.exists() for query in holders)


def add_note(order_id: str, note_type: NoteType, content: str, user_id: str | None, now: datetime) -> str:
    """Add a note; return its id. Decision: G77."""
    note = StatusNote.create(
        order=order_id, note_type=note_type, content=content, user=user_id, created_at=now
    )
    return note.id


def list_notes(order_id: str, *, with_internal: bool) -> list[StatusNote]:
    """List the notes of an order, newest first, each with its writer. Decision: G77."""
    condition = StatusNote.order == order_id
    if not with_internal:
        condition &= StatusNote.note_type != NoteType.INTERNAL
    return list(_notes().where(condition).order_by(StatusNote.created_at.desc(), StatusNote.id.desc()))


def get_note(note_id: str) -> StatusNote:
    """Read a note that was just written, with its writer."""
    note: StatusNote = _notes().where(StatusNote.id == note_id).get()
    return note


def lock_note(order_id: str, note_id: str) -> StatusNote | None:
    """Read a note of an order inside a transaction and keep others from removing it until its end."""
    of_order = (StatusNote.id == note_id) & (StatusNote.order == order_id)
    found: StatusNote | None = locked(StatusNote.select().where(of_order)).first()
    return found


def delete_note(note_id: str) -> None:
    """Remove a note that this transaction has locked."""
    StatusNote.delete().where(StatusNote.id == note_id).execute()


def _notes() -> "ModelSelect[StatusNote]":
    return StatusNote.select(StatusNote, User).join(User, JOIN.LEFT_OUTER, on=StatusNote.user)


def get_sampleset(order_id: str) -> Sampleset:
    """Read the sampleset that every order has. Decision: G81."""
    sampleset: Sampleset = Sampleset.get(Sampleset.order == order_id)
    return sampleset


def update_sampleset(order_id: str, columns: Mapping[str, object]) -> None:
    """Change the sampleset of an order."""
    Sampleset.update(**columns).where(Sampleset.order == order_id).execute()


def is_user_in_reach(caller: SignedIn, user_id: str) -> bool:
    """Return whether an order may be given to a user."""
    return User.select(User.id).where((User.id == user_id) & in_reach(caller, User.id)).exists()


def lock_active_user(caller: SignedIn, user_id: str) -> bool:
    """Return whether a user in reach is active, and keep the account as it is until the transaction's end."""
    is_active = (User.id == user_id) & User.is_active & in_reach(caller, User.id)
    return locked(User.select(User.id).where(is_active)).first() is not None
