"""Who may read what: one rule for each kind of object that belongs to somebody."""

from datetime import datetime
from typing import Protocol

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.owned_rows import in_reach
from seqfacility_instance.core.vocabulary.orders import OrderStatus
from seqfacility_instance.core.vocabulary.sequencing import ArtifactVisibility, DataClass
from seqfacility_instance.tables.orders import Order
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.results import Assembly
from seqfacility_instance.tables.studies import Study


class Owned(Protocol):
    """A row that belongs to a user: an order, a study, a ticket."""

    @property
    def user_id(self) -> str:
        """The owner's id."""


def may_read(caller: SignedIn, row: Owned) -> bool:
    """Return whether `caller` may read an order, a study or a ticket in reach: its owner, or an admin.

    Decision: G13, G74, G83, G251.
    """
    return caller.is_admin or row.user_id == caller.user_id


class PublishableOrder(Owned, Protocol):
    """What decides about the delivery of an order."""

    @property
    def sequencing_files_published_at(self) -> datetime | None:
        """When the delivery was published, None while it is not."""


class ClassedRead(Protocol):
    """What decides about a read."""

    @property
    def is_active(self) -> bool:
        """Whether the read is not superseded."""

    @property
    def data_class(self) -> DataClass:
        """How protected the read is."""


def may_see_read(caller: SignedIn, order: PublishableOrder, read: ClassedRead) -> bool:
    """Return whether a read of `order` exists for `caller`.

    An admin sees all. A researcher sees the active, cleaned reads of own, published orders.

    Spec: instance, File operations. Decision: G113.
    """
    if caller.is_admin:
        return True
    is_published = order.sequencing_files_published_at is not None
    is_delivered = read.is_active and read.data_class is DataClass.CLEANED
    return order.user_id == caller.user_id and is_published and is_delivered


def may_read_run(caller: SignedIn, is_selected: bool, target_owner_id: str | None) -> bool:
    """Return whether `caller` may read a pipeline run in reach.

    An admin any run; a researcher one that is selected as final and whose order or study is an own one.

    Spec: instance, Authentication 5. Decision: G163.
    """
    return caller.is_admin or (is_selected and target_owner_id == caller.user_id)


def may_read_files_of_run(caller: SignedIn, run: PipelineRun) -> bool:
    """Return whether `caller` may read a run's folder: an admin one in reach, its researcher a selected one.

    Spec: instance, Authentication 5.
    """
    if not caller.is_admin:
        return run.visible_to_id == caller.user_id
    owners = (
        Order.select(Order.user).where((Order.id == run.order_id) & in_reach(caller, Order.user)),
        Study.select(Study.user).where((Study.id == run.study_id) & in_reach(caller, Study.user)),
    )
    return any(query.exists() for query in owners)


def may_download_assembly(caller: SignedIn, assembly: Assembly) -> bool:
    """Return whether a researcher owns order or study of an assembly whose order is completed.

    Decision: G122.
    """
    order, study = assembly.sample.order, assembly.sample.study
    owners = {order.user_id} | ({study.user_id} if study is not None else set())
    return caller.user_id in owners and order.status is OrderStatus.COMPLETED


class OfferedArtifact(PublishableOrder, Protocol):
    """What decides about an artifact: the owner of its order, the delivery, and for whom it is."""

    @property
    def visibility(self) -> ArtifactVisibility:
        """Who the artifact is for."""


def may_download_artifact(caller: SignedIn, artifact: OfferedArtifact) -> bool:
    """Return whether an artifact is offered to a researcher. Spec: instance, File operations."""
    return (
        artifact.user_id == caller.user_id
        and artifact.sequencing_files_published_at is not None
        and artifact.visibility is ArtifactVisibility.CUSTOMER
    )
