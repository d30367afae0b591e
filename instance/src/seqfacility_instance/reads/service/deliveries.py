"""Publishing the files of an order, withdrawing them, and looking at the delivery."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import LiveFacilityAdmin, SignedIn
from seqfacility_instance.access.opened import OrderFor, open_order
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.events import FacilityEvent
from seqfacility_instance.core.vocabulary.messages import NotificationType
from seqfacility_instance.core.vocabulary.orders import OrderStatus
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.facility_events.store import record
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.notifications.store import notify
from seqfacility_instance.orders import store as orders_store
from seqfacility_instance.orders.rules import check_sequencing_allowed
from seqfacility_instance.reads import reports
from seqfacility_instance.reads.delivery import Contents, DeliveryWarning, contents_of
from seqfacility_instance.reads.errors import NothingToPublish
from seqfacility_instance.reads.intake import queue_examination
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.orders import Order
from seqfacility_instance.tables.people import User


@dataclass(frozen=True, slots=True)
class Delivery:
    """The delivery of an order as one caller sees it. Decision: G85."""

    order: Order
    published_by: User | None
    is_publishable: bool
    contents: Contents
    warnings: Sequence[DeliveryWarning] = ()
    """What the facility should look at; a researcher is told none of it. Decision: G432."""


@dataclass(frozen=True, slots=True)
class Deliveries:
    """The delivery of sequencing files to the owner of an order."""

    facility: FacilitySettings
    clock: Clock

    def show(self, opened: OrderFor[SignedIn]) -> Delivery:
        """Return the delivery; before publication a researcher sees nothing of it. Decision: G85, G113."""
        return self._shown(opened.caller, opened.row)

    def _shown(self, caller: SignedIn, order: Order) -> Delivery:
        publisher = User.get_or_none(User.id == order.published_by_id)
        is_published = order.sequencing_files_published_at is not None
        if not caller.is_admin and not is_published:
            return Delivery(order, None, is_publishable=False, contents=Contents())
        contents = contents_of(order, self.root())
        warnings = contents.warnings() if caller.is_admin else []
        if not caller.is_admin:
            contents = replace(contents, protected_reads=0, internal_artifacts=0)
        is_publishable = order.status is not OrderStatus.DRAFT and contents.is_publishable
        return Delivery(order, publisher, is_publishable, contents, warnings)

    def publish(self, opened: OrderFor[LiveFacilityAdmin]) -> Delivery:
        """Publish; what is published stays as it is. Raises `NothingToPublish`.

        Reads and reports that nobody has examined are examined now: they were linked, or their runs selected,
        by an earlier release, or they changed.

        Decision: G84, G431, G491.
        """
        caller, order = opened.caller, opened.row
        check_sequencing_allowed(order)
        if order.sequencing_files_published_at is None:
            contents = contents_of(order, self.root())
            if not contents.is_publishable:
                raise NothingToPublish(details=_reasons(contents))
            now = self.clock.now()
            with database.atomic():
                if orders_store.claim_published(order.id, caller.user_id, now):
                    audit.record(caller, AuditAction.PUBLISHED, "order", order.id, now)
                    record(
                        FacilityEvent.DELIVERY_RELEASED,
                        now,
                        order.user_id,
                        {"orderId": order.id, "orderNumber": order.order_number},
                        caller.user_id,
                    )
                    notify(
                        NotificationType.DELIVERY_PUBLISHED,
                        f"Order {order.order_number}: files are ready",
                        owner_id=order.user_id,
                        actor_id=caller.user_id,
                        now=now,
                        order_id=order.id,
                    )
                    if self.facility.uploads().verify_in_background:
                        for read_id in sorted(contents.unexamined_reads()):
                            queue_examination(read_id, now)
                        for run_id in sorted(contents.unexamined_runs()):
                            reports.queue_examination(run_id, now)
        return self.show(open_order(caller, order.id))

    def withdraw(self, opened: OrderFor[LiveFacilityAdmin]) -> Delivery:
        """Withdraw what is published. Decision: G84."""
        caller, order = opened.caller, opened.row
        check_sequencing_allowed(order)
        now = self.clock.now()
        with database.atomic():
            if orders_store.claim_unpublished(order.id, now):
                audit.record(caller, AuditAction.UNPUBLISHED, "order", order.id, now)
        return self.show(open_order(caller, order.id))

    def root(self) -> Path | None:
        """Return the folder that reads and artifacts lie in."""
        configured = self.facility.storage().data_base_path
        return None if configured is None else Path(configured)


def _reasons(contents: Contents) -> list[str]:
    """Return why nothing can be downloaded, one line a cause. Decision: G84."""
    lines = ["reads: no active cleaned read", "artifacts: no artifact for the customer"]
    if contents.protected_reads:
        lines.append(f"reads: {contents.protected_reads} protected")
    if contents.internal_artifacts:
        lines.append(f"artifacts: {contents.internal_artifacts} internal")
    if contents.missing_files:
        lines.append(f"files: {contents.missing_files} missing on disk")
    return lines
