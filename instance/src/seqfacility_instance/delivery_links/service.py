"""Use cases of delivery links: made, listed, revoked by those who may download; used by who holds one."""

import os
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from seqfacility_wire.client_address import network_of

from seqfacility_instance.access import audit, token_rows
from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.opened import OrderFor, open_as_owner
from seqfacility_instance.access.sessions import token_hash
from seqfacility_instance.accounts.throttle import Guesses
from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.data_folder import NotRegularFile, PathRefused, open_file, resolved_path
from seqfacility_instance.core.seen_keys import SeenKeys
from seqfacility_instance.core.vocabulary.live import ChangeKind
from seqfacility_instance.core.vocabulary.people import AuditAction, Role
from seqfacility_instance.delivery_links import store
from seqfacility_instance.delivery_links.errors import (
    LinkedFileNotFound,
    LinkNotFound,
    NotReleased,
    TooManyLinks,
)
from seqfacility_instance.delivery_links.layouts import Layouts
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.files.archive import Archive, CrcMemory
from seqfacility_instance.files.ranges import FileFacts, accel_address
from seqfacility_instance.files.service.archives import laid_out
from seqfacility_instance.files.service.downloads import OpenedFile
from seqfacility_instance.live.store import version_of
from seqfacility_instance.orders.store import lock_order
from seqfacility_instance.reads.delivery import ArchivedFile
from seqfacility_instance.reads.offer import NamedFile, offer_of
from seqfacility_instance.reads.service.deliveries import Deliveries
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.sequencing import DeliveryLink


@dataclass(frozen=True, slots=True)
class LinkedDelivery:
    """What an open link shows to somebody at an address: what the owner of the order may download."""

    link: DeliveryLink
    address: str

    @property
    def order_id(self) -> str:
        """The id of the order."""
        order_id: str = self.link.order.id
        return order_id

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
    names: Layouts[dict[str, NamedFile]]
    archives: Layouts[tuple[Archive, FileFacts]]
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
        return LinkedDelivery(link, address)

    def listing(self, delivery: LinkedDelivery) -> list[ArchivedFile]:
        """List the files as they are on disk, by their plain names, and note that somebody looked."""
        self._note(delivery, what="listing")
        return self._listed(delivery)

    def archive(self, delivery: LinkedDelivery, *, is_part: bool, is_head: bool) -> tuple[Archive, FileFacts]:
        """Lay out the archive of all files, by their plain names; a HEAD is a look at the listing.

        A whole one is what is on disk now. A part comes from the layout of the last whole one, so it does
        not open every file: those in it are compared with the layout when they are read.

        Decision: G584, G610.
        """
        self._note(delivery, what="listing" if is_head else "archive")
        order_id, version, now = delivery.order_id, self._version(delivery), self.clock.now()
        if is_part:
            found = self.archives.find_or_make(order_id, version, now, lambda: self._laid_out(delivery))
            if not found[0].is_outdated:
                return found
        layout = self._laid_out(delivery)
        self.archives.keep(order_id, version, now, layout)
        return layout

    def file(self, delivery: LinkedDelivery, name: str, *, is_head: bool) -> OpenedFile:
        """Open one file; whoever gets it closes the descriptor. Raises `LinkedFileNotFound`.

        A HEAD is a look at the listing.

        Decision: G584, G610.
        """
        root = self.deliveries.root()
        names = self.names.find_or_make(
            delivery.order_id,
            self._version(delivery),
            self.clock.now(),
            lambda: offer_of(delivery.order_id, root).by_plain_name(),
        )
        found = names.get(name)
        if found is None or found.root is None or not found.is_offered(delivery.order_id):
            raise LinkedFileNotFound
        try:
            file = open_file(found.root, found.place)
        except (PathRefused, NotRegularFile, FileNotFoundError, PermissionError) as missing:
            raise LinkedFileNotFound from missing
        try:
            self._note(delivery, **({"what": "listing"} if is_head else {"path": found.path}))
        except BaseException:
            os.close(file)
            raise
        return OpenedFile(file, name, None, self._accel(found.root, file))

    def _laid_out(self, delivery: LinkedDelivery) -> tuple[Archive, FileFacts]:
        return laid_out(self._listed(delivery), self.crcs)

    def _version(self, delivery: LinkedDelivery) -> object:
        """Return what changes with every row that decides about the files, and with the data folder."""
        return version_of(ChangeKind.ORDER, delivery.order_id), self.facility.storage().data_base_path

    def _listed(self, delivery: LinkedDelivery) -> list[ArchivedFile]:
        shown = self.deliveries.show(open_as_owner(delivery.link.order, delivery.address))
        return shown.contents.in_one_folder()

    def _accel(self, root: Path, file: int) -> str | None:
        """Name the file for nginx, which knows the data folder only; reports may lie elsewhere."""
        if self.accel_prefix is None or str(root) != self.facility.storage().data_base_path:
            return None
        return accel_address(self.accel_prefix, resolved_path(root, file))

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
        and (maker.is_active or token_rows.is_machine(maker.id))
        and (maker.role is Role.FACILITY_ADMIN or order.user_id == maker.id)
    )
