"""Use cases of delivery links: made, listed, revoked by those who may download; used by who holds one."""

import os
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from seqfacility_wire.client_address import network_of

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.opened import OrderFor, open_as_owner
from seqfacility_instance.access.sessions import token_hash
from seqfacility_instance.accounts.throttle import Guesses
from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.data_folder import NotRegularFile, PathRefused, open_file, resolved_path
from seqfacility_instance.core.seen_keys import SeenKeys
from seqfacility_instance.core.vocabulary.people import AuditAction, Role
from seqfacility_instance.delivery_links import store
from seqfacility_instance.delivery_links.errors import (
    LinkedFileNotFound,
    LinkNotFound,
    NotReleased,
    TooManyLinks,
)
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.files.archive import Archive, CrcMemory
from seqfacility_instance.files.ranges import FileFacts, accel_address
from seqfacility_instance.files.service.archives import laid_out
from seqfacility_instance.files.service.downloads import OpenedFile
from seqfacility_instance.orders.store import lock_order
from seqfacility_instance.reads.delivery import ArchivedFile, Content
from seqfacility_instance.reads.service.deliveries import Deliveries
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.sequencing import DeliveryLink


@dataclass(frozen=True, slots=True)
class LinkedDelivery:
    """What an open link shows: the files that the owner of the order may download, by their plain names."""

    link: DeliveryLink
    address: str
    files: list[ArchivedFile]

    @property
    def order_number(self) -> str:
        """The number of the order."""
        number: str = self.link.order.order_number
        return number


@dataclass(frozen=True, slots=True)
class DeliveryLinks:
    """Links to the delivery of an order. Decision: G527."""

    deliveries: Deliveries
    facility: FacilitySettings
    crcs: CrcMemory
    guesses: Guesses
    recent: SeenKeys
    accel_prefix: str | None
    clock: Clock

    def list_all(self, order: OrderFor[SignedIn]) -> list[DeliveryLink]:
        """List the links of an order, newest first, ended ones for some time too."""
        return store.list_links(order.id)

    def make(self, order: OrderFor[SignedIn], days: int) -> tuple[DeliveryLink, str]:
        """Make a link; its token is given here and never again. Raises `NotReleased` or `TooManyLinks`."""
        token = secrets.token_urlsafe(limits.DELIVERY_LINK_TOKEN_BYTES)
        caller, now = order.caller, self.clock.now()
        with database.atomic():
            row = order.locked(lock_order(order.id))  # two who ask at once do not pass the limit together
            if row.sequencing_files_published_at is None:
                raise NotReleased
            if store.count_open(order.id, now) >= limits.DELIVERY_LINKS_PER_ORDER:
                raise TooManyLinks
            link = store.insert_link(
                token_hash(token), order.id, caller.user_id, now, now + timedelta(days=days)
            )
            audit.record(
                caller,
                AuditAction.DELIVERY_LINK_MADE,
                "delivery-link",
                link.id,
                now,
                order=row.order_number,
                days=days,
            )
        return link, token

    def revoke(self, order: OrderFor[SignedIn], link_id: str) -> None:
        """End a link at once; raises `LinkNotFound` for one that is not open."""
        now = self.clock.now()
        with database.atomic():
            if not store.claim_revocation(order.id, link_id, now):
                raise LinkNotFound
            audit.record(
                order.caller,
                AuditAction.DELIVERY_LINK_REVOKED,
                "delivery-link",
                link_id,
                now,
                order=order.row.order_number,
            )

    def open(self, token: str, address: str) -> LinkedDelivery:
        """Open the delivery behind a token; raises `LinkNotFound`, and `TooManyRequests` for who guesses.

        A link that has ended is no guess: tools that go on asking for it lock nobody out.
        """
        self.guesses.check(address)
        link = store.find_link(token_hash(token))
        if link is None:
            self.guesses.count_wrong(address)
            raise LinkNotFound
        if not _is_open(link, self.clock.now()):
            raise LinkNotFound
        shown = self.deliveries.show(open_as_owner(link.order, address))
        return LinkedDelivery(link, address, shown.contents.in_one_folder())

    def note_listing(self, delivery: LinkedDelivery) -> None:
        """Note that somebody has looked what there is."""
        self._note(delivery, what="listing")

    def archive(self, delivery: LinkedDelivery, *, is_noted: bool) -> tuple[Archive, FileFacts]:
        """Lay out the archive of all files, by their plain names."""
        if is_noted:
            self._note(delivery, what="archive")
        return laid_out(delivery.files, self.crcs)

    def file(self, delivery: LinkedDelivery, name: str, *, is_noted: bool) -> OpenedFile:
        """Open one file; whoever gets it closes the descriptor. Raises `LinkedFileNotFound`."""
        found = next((one for one in delivery.files if one.name == name), None)
        if found is None:
            raise LinkedFileNotFound
        content = found.file.content
        try:
            file = open_file(content.root, content.place)
        except (PathRefused, NotRegularFile, FileNotFoundError, PermissionError) as missing:
            raise LinkedFileNotFound from missing
        try:
            if is_noted:
                self._note(delivery, path=content.path)
        except BaseException:
            os.close(file)
            raise
        return OpenedFile(file, name, None, self._accel(content, file))

    def _accel(self, content: Content, file: int) -> str | None:
        """Name the file for nginx, which knows the data folder only; reports may lie elsewhere."""
        if self.accel_prefix is None or str(content.root) != self.facility.storage().data_base_path:
            return None
        return accel_address(self.accel_prefix, resolved_path(content.root, file))

    def _note(self, delivery: LinkedDelivery, **what: str) -> None:
        """Write a use into the audit: for each network and file once an hour, however many parts it takes."""
        link, now = delivery.link, self.clock.now()
        key = f"{link.id} {network_of(delivery.address)} {next(iter(what.values()))}"
        if not self.recent.first_seen(key, now):
            return
        with database.atomic():
            store.note_use(link.id, now)
            audit.write(
                None,
                delivery.address,
                AuditAction.DOWNLOADED,
                "delivery-link",
                link.id,
                now,
                {"order": delivery.order_number, **what},
            )


def _is_open(link: DeliveryLink, now: datetime) -> bool:
    """Return whether a link opens anything: its maker may still read the order, and the order is released."""
    maker, order = link.created_by, link.order
    return (
        link.revoked_at is None
        and link.expires_at > now
        and order.sequencing_files_published_at is not None
        and maker.is_active
        and (maker.role is Role.FACILITY_ADMIN or order.user_id == maker.id)
    )
