"""Objects of a path, opened for their caller: looked up and checked once, then passed on as a value.

A use case on an order takes an `OrderFor` of the caller that it needs. Only this package makes one, so mypy
refuses a responder that has not asked who may, as it does for admins. It opens before it reads a body.

Decision: G12, G13, G14, G518.
"""

from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from peewee import JOIN
from seqfacility_wire.errors import ServiceError

from seqfacility_instance.access.callers import SignedIn, typed_caller
from seqfacility_instance.access.errors import (
    Forbidden,
    OrderNotFound,
    SampleNotFound,
    StudyNotFound,
    TicketNotFound,
)
from seqfacility_instance.access.owned_rows import in_reach
from seqfacility_instance.access.reading import Owned, may_read
from seqfacility_instance.core.vocabulary.people import Role
from seqfacility_instance.tables.base import Entity
from seqfacility_instance.tables.messages import Ticket
from seqfacility_instance.tables.orders import Order, Sample
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.studies import Study

_Caller = TypeVar("_Caller", bound=SignedIn)
_Inner = TypeVar("_Inner", bound=Entity)
_OwnedT = TypeVar("_OwnedT", bound=Owned)
_CallerT_co = TypeVar("_CallerT_co", bound=SignedIn, covariant=True)
_RowT_co = TypeVar("_RowT_co", bound=Entity, covariant=True)


@dataclass(frozen=True, slots=True)
class Opened(Generic[_CallerT_co, _RowT_co]):
    """A row that `caller` may see, as it was then; a use case that changes it reads it again under a lock."""

    caller: _CallerT_co
    row: _RowT_co

    @property
    def id(self) -> str:
        """The id of the row."""
        return self.row.id

    def locked(self, row: _OwnedT) -> _OwnedT:
        """Return `row`, read again under its lock; raises `Forbidden` when it is somebody else's now.

        WHY: a body may take long to arrive, and an admin may give the object to another user meanwhile.
        """
        if not may_read(self.caller, row):
            raise Forbidden
        return row

    def inner(self, found: _Inner | None, missing: type[ServiceError]) -> "Opened[_CallerT_co, _Inner]":
        """Open what was looked for in this object; raises `missing` when it holds no such thing."""
        if found is None:
            raise missing
        return Opened(self.caller, found)


OrderFor: TypeAlias = Opened[_Caller, Order]
SampleFor: TypeAlias = Opened[_Caller, Sample]
StudyFor: TypeAlias = Opened[_Caller, Study]
TicketFor: TypeAlias = Opened[_Caller, Ticket]


def open_order(caller: _Caller, order_id: str) -> OrderFor[_Caller]:
    """Open an order, with its owner; raises `OrderNotFound` or `Forbidden`."""
    query = Order.select(Order, User).join(User, on=Order.user)
    order: Order | None = query.where((Order.id == order_id) & in_reach(caller, Order.user)).first()
    return _opened(caller, order, order, OrderNotFound)


def open_as_owner(order: Order, address: str) -> OrderFor[SignedIn]:
    """Open an order as its owner sees it, for somebody at `address` who holds a link to its delivery.

    The owner counts as a researcher: no link shows what is not released, or withheld. The row has its user.

    Decision: G527.
    """
    owner = order.user
    person = (owner.id, owner.email, owner.first_name, owner.last_name, Role.RESEARCHER)
    return Opened(typed_caller(person, address), order)


def open_sample(caller: _Caller, sample_id: str) -> SampleFor[_Caller]:
    """Open a sample, with its order and its study; raises `SampleNotFound` or `Forbidden`."""
    query = (
        Sample.select(Sample, Order, Study)
        .join(Order)
        .switch(Sample)
        .join(Study, JOIN.LEFT_OUTER, on=Sample.study)
    )
    sample: Sample | None = query.where((Sample.id == sample_id) & in_reach(caller, Order.user)).first()
    return _opened(caller, sample, None if sample is None else sample.order, SampleNotFound)


def open_study(caller: _Caller, study_id: str) -> StudyFor[_Caller]:
    """Open a study, with its owner; raises `StudyNotFound` or `Forbidden`."""
    query = Study.select(Study, User).join(User, on=Study.user)
    study: Study | None = query.where((Study.id == study_id) & in_reach(caller, Study.user)).first()
    return _opened(caller, study, study, StudyNotFound)


def open_ticket(caller: _Caller, ticket_id: str) -> TicketFor[_Caller]:
    """Open a ticket, with its creator; raises `TicketNotFound` or `Forbidden`."""
    query = Ticket.select(Ticket, User).join(User, on=Ticket.user)
    ticket: Ticket | None = query.where((Ticket.id == ticket_id) & in_reach(caller, Ticket.user)).first()
    return _opened(caller, ticket, ticket, TicketNotFound)


def _opened(
    caller: _Caller, row: _Inner | None, owned: Owned | None, missing: type[ServiceError]
) -> Opened[_Caller, _Inner]:
    if row is None or owned is None:
        raise missing
    if not may_read(caller, owned):
        raise Forbidden
    return Opened(caller, row)
