"""Use cases of the catalog."""

import base64
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from seqfacility_wire.caching import ReadyDocument, strong_etag
from seqfacility_wire.errors import ValidationFailed

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import FacilityAdmin, LiveFacilityAdmin
from seqfacility_instance.background import leases
from seqfacility_instance.catalog import store
from seqfacility_instance.catalog.comparison import ItemChange, item_changes
from seqfacility_instance.catalog.document import Catalog, Item, read_version, unwrapped
from seqfacility_instance.catalog.errors import (
    CatalogUnreadable,
    InvalidCatalog,
    TechnologiesNotAnArray,
)
from seqfacility_instance.catalog.image_rules import MEDIA_TYPES
from seqfacility_instance.catalog.image_sync import ImageSync
from seqfacility_instance.catalog.images import images_by_name, with_assets
from seqfacility_instance.catalog.rules import (
    CollectionChange,
    changes,
    is_stale,
    is_update,
    item_problems,
    merged,
    named_selection,
    optional_sync_url,
    selection_problem,
    shown,
    with_absolute_assets,
)
from seqfacility_instance.catalog.shipped import shipped_catalog
from seqfacility_instance.catalog.standing import ItemStanding, standings
from seqfacility_instance.catalog.validation import ValidatedCatalog, validated
from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.errors import StaleRecord
from seqfacility_instance.core.ids import new_id
from seqfacility_instance.core.vocabulary.catalog import CatalogCollection
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.registry_client.errors import InvalidRegistryAnswer, RegistryFault
from seqfacility_instance.registry_trust.reading import Reading, TrustedRegistry
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.site import SequencingTechCatalog

SAVE_ATTEMPTS: Final = 20
"""Each attempt that fails lost to the save of somebody else; more attempts mean a defect."""
FETCH_LEASE: Final = "catalog-first-fetch"
_LEASE_LIFE: Final = timedelta(seconds=limits.TRUST_SECONDS + limits.REGISTRY_SECONDS + 5)
_IMAGE_NAME: Final = re.compile(r"[0-9a-f]{64}\.(?:png|jpg|webp)")
_POLL_SECONDS: Final = 0.05


@dataclass(frozen=True, slots=True)
class Stored:
    """The stored catalog, or an empty one when none is stored.

    `upstream` is the registry's own version of its items, when it has to be saved too.
    """

    catalog: Catalog
    sync_url: str | None
    last_synced_at: datetime | None
    row_version: int | None
    upstream: Catalog | None = None

    @property
    def is_stored(self) -> bool:
        return self.row_version is not None

    @property
    def state(self) -> int:
        """The entity tag of the catalog; 0 when none is stored. Decision: G1046."""
        return self.row_version or 0


@dataclass(frozen=True, slots=True)
class Update:
    """What a sync would do or has done. Decision: G224."""

    has_updates: bool
    current_version: int
    remote_version: int
    new_technologies: int
    changes: Mapping[CatalogCollection, CollectionChange]
    item_changes: Sequence[ItemChange]
    remote: ValidatedCatalog
    applied: bool
    stored: Stored


@dataclass(frozen=True, slots=True)
class Catalogs:
    """The catalog of this instance."""

    registry: TrustedRegistry
    clock: Clock

    def read(self) -> dict[str, list[Item]]:
        """Return what may be selected; the first read without a stored catalog fetches it once.

        Readers at the same time wait for that one fetch, in whatever process it runs. A failure answers
        empty collections and is remembered for a minute. Raises `CatalogUnreadable` when what is stored
        cannot be read.

        Spec: registry, Instance: local catalog read. Decision: G228, G229, G529.
        """
        if not store.is_stored():
            self._fetch_first()
        listed = shown(self._stored().catalog)
        fetched = store.images_by_address()
        return {name: [with_assets(item, fetched) for item in items] for name, items in listed.items()}

    def image(self, name: str) -> ReadyDocument | None:
        """Find an image, of the release or fetched, by its name here. Decision: G529, G586."""
        shipped = images_by_name().get(name)
        if shipped is not None:
            return shipped.document
        stored = store.find_image(name) if _IMAGE_NAME.fullmatch(name) else None
        if stored is None:
            return None
        content = base64.b64decode(stored)
        # No compressed form: images are compressed.
        return ReadyDocument(content, MEDIA_TYPES[name.rpartition(".")[2]], strong_etag(content), None)

    def show(self, _caller: FacilityAdmin) -> Stored:
        return self._stored()

    def standings(self, stored: Stored) -> dict[CatalogCollection, list[ItemStanding]]:
        """Return the origin of each stored item, and whether it can be selected. Decision: G1047."""
        return standings(stored.catalog, store.find_upstream(), store.images_by_address())

    def is_stale(self, stored: Stored) -> bool:
        """Return whether the last sync is too long ago. Decision: G543."""
        return is_stale(stored.last_synced_at, self.clock.now())

    def effective_sync_url(self, stored: Stored, requested: str | None = None) -> str:
        """Choose where to sync from: what is asked, what is stored, the registry. Decision: G225."""
        return requested or stored.sync_url or self.registry.url("registry", "sequencing-tech")

    def save(self, caller: LiveFacilityAdmin, body: Mapping[str, object], seen: int | None = None) -> Stored:
        """Replace the stored catalog; `syncUrl` stays when it is left out, `null` or `""` clears it.

        Raises `TechnologiesNotAnArray`, `SyncUrlInvalid` or `ValidationFailed`, in this order, and
        `StaleRecord` when the state is not the one that was `seen`.

        Decision: G223, G308, G1046.
        """
        config = unwrapped(body)
        assert isinstance(config, dict)
        if not isinstance(config.get("technologies"), list):
            raise TechnologiesNotAnArray
        sync_url = optional_sync_url(config.get("syncUrl"))
        if problems := item_problems(config):
            raise ValidationFailed(problems)
        catalog = Catalog.read(config)

        def saved(before: Stored) -> Stored:
            if seen is not None and seen != before.state:
                raise StaleRecord
            url = sync_url if "syncUrl" in config else before.sync_url
            return Stored(catalog, url, before.last_synced_at, before.row_version)

        return self._change(saved, caller, "saved")

    def check(self, requested_url: str | None = None) -> Update:
        """Compare a remote catalog with the stored one, without storing items. Raises as `_fetch`.

        Decision: G224, G1048.
        """
        stored = self._stored()
        sync_url = self.effective_sync_url(stored, requested_url)
        with self.registry.reading(sync_url) as reading:
            update = self._update(stored, self._fetch(reading, sync_url, stored.catalog))
            if not update.has_updates:
                self._record_check(update, sync_url, reading)
            return update

    def apply(self, caller: LiveFacilityAdmin | None, requested_url: str | None = None) -> Update:
        """Merge a remote catalog and store the result when it is an update. Raises as `_fetch`.

        Without a caller it is the command line that syncs. What is wrong with an image is a warning.

        Spec: registry, Sync behaviour. Decision: G224, G586.
        """
        stored = self._stored()
        sync_url = self.effective_sync_url(stored, requested_url)
        with self.registry.reading(sync_url) as reading:
            remote = self._fetch(reading, sync_url, stored.catalog)
            update = self._update(stored, remote)
            if not update.has_updates:
                self._record_check(update, sync_url, reading)
                return self._with_images(update, sync_url, reading)
            now = self.clock.now()

            def synced(before: Stored) -> Stored:
                catalog = merged(before.catalog, remote.catalog)
                return Stored(catalog, sync_url, now, before.row_version, _upstream_after(remote.catalog))

            after = self._change(synced, caller, "synced", reading)
            return self._with_images(replace(update, applied=True, stored=after), sync_url, reading)

    def _record_check(self, update: Update, sync_url: str, reading: Reading) -> None:
        """Record a check without updates as a sync, if it used the configured address. Decision: G1048."""
        before, now = update.stored, self.clock.now()
        with database.atomic():
            reading.keep()
            if before.is_stored and sync_url == self.effective_sync_url(before):
                # WHY the result is ignored: after a concurrent save nothing has to be recorded.
                store.claim_saved(
                    before.row_version,
                    before.catalog,
                    before.sync_url,
                    now,
                    now,
                    _upstream_after(update.remote.catalog),
                )

    def _with_images(self, update: Update, sync_url: str, reading: Reading) -> Update:
        """Fetch the images; what cannot be had is told and fails nothing."""
        remote = update.remote
        found = ImageSync(reading, self.clock).run(remote.catalog, sync_url, update.stored.catalog)
        unsigned = [warning for warning in reading.findings() if warning not in remote.warnings]
        return replace(update, remote=replace(remote, warnings=(*remote.warnings, *unsigned, *found)))

    def reset(self, caller: LiveFacilityAdmin | None) -> Stored:
        def fresh(before: Stored) -> Stored:
            catalog = with_absolute_assets(shipped_catalog(), self.effective_sync_url(before))
            return Stored(catalog, before.sync_url, None, before.row_version, catalog)

        return self._change(fresh, caller, "reset")

    def use_sync_url(self, url: str) -> Stored:
        """Sync from `url` from now on; the shipped catalog is stored where none is. Decision: G225, G242."""

        def moved(before: Stored) -> Stored:
            if before.is_stored:
                return replace(before, sync_url=url)
            catalog = with_absolute_assets(shipped_catalog(), url)
            return Stored(catalog, url, None, None, catalog)

        return self._change(moved, None, "saved")

    def named_selection(self, selection: Mapping[str, object]) -> dict[str, object]:
        """Copy the catalog's names into what an order selects. Decision: G231."""
        return named_selection(self._stored().catalog, selection)

    def selection_problem(self, selection: Mapping[str, object]) -> str | None:
        """Return why an order cannot be submitted with a selection; None when it can. Decision: G231."""
        return selection_problem(self._stored().catalog, selection)

    def _stored(self) -> Stored:
        try:
            row = store.find_row()
        except ValueError as broken:
            raise CatalogUnreadable from broken
        return Stored(Catalog.empty(), None, None, None) if row is None else _stored(row)

    def _fetch(self, reading: Reading, url: str, local: Catalog) -> ValidatedCatalog:
        """Fetch a catalog, its assets absolute and without items that are unsound beside `local`.

        Raises `InvalidCatalog`, also when a collection would become too large, or as `registry_client` does.

        Decision: G443.
        """
        client = replace(self.registry.client, max_bytes=limits.CATALOG_MAX_BYTES)
        try:
            document = unwrapped(reading.fetch_json(url, client))
        except InvalidRegistryAnswer as unreadable:
            raise InvalidCatalog from unreadable
        if not isinstance(document, dict) or not isinstance(document.get("technologies"), list):
            raise InvalidCatalog
        remote = with_absolute_assets(Catalog.read(document), url)
        if any(len(items) > limits.CATALOG_MAX_ITEMS for items in merged(local, remote).collections.values()):
            raise InvalidCatalog
        found = validated(remote, local)
        return replace(found, warnings=(*reading.findings(), *found.warnings))

    def _update(self, stored: Stored, validated_remote: ValidatedCatalog) -> Update:
        remote = validated_remote.catalog
        found = changes(stored.catalog, remote)
        return Update(
            has_updates=is_update(stored.catalog, remote),
            current_version=stored.catalog.version,
            remote_version=read_version(remote.version),
            new_technologies=len(found[CatalogCollection.TECHNOLOGIES].added),
            changes=found,
            item_changes=tuple(item_changes(stored.catalog, remote)),
            remote=validated_remote,
            applied=False,
            stored=stored,
        )

    def _change(
        self,
        next_state: Callable[[Stored], Stored],
        caller: LiveFacilityAdmin | None,
        act: str,
        reading: Reading | None = None,
    ) -> Stored:
        """Save what `next_state` returns for the stored state, again when somebody else saved in between."""
        now = self.clock.now()
        for _attempt in range(SAVE_ATTEMPTS):
            with database.atomic():
                after = next_state(self._stored())
                if store.claim_saved(
                    after.row_version,
                    after.catalog,
                    after.sync_url,
                    after.last_synced_at,
                    now,
                    after.upstream,
                ):
                    _audit(caller, act, after, now)
                    if reading is not None:
                        reading.keep()
                        reading.record_warnings(caller)
                    return self._stored()
        raise AssertionError(f"the catalog could not be {act} in {SAVE_ATTEMPTS} attempts")

    def _fetch_first(self) -> None:
        holder, now = new_id(), self.clock.now()
        if leases.has_failed_since(FETCH_LEASE, now - limits.CATALOG_FAILURE_REMEMBERED):
            return
        # WHY: the first readers come together, and one fetch from the registry serves them all.
        with database.atomic():
            is_ours = leases.claim_lease(
                FETCH_LEASE, holder, now, _LEASE_LIFE, limits.CATALOG_FAILURE_REMEMBERED
            )
        if not is_ours:
            self._wait_for_fetch()
            return
        failed_at: datetime | None = now
        try:
            if not store.is_stored():
                self._store_first()
            failed_at = None
        except (InvalidCatalog, RegistryFault):
            failed_at = self.clock.now()
        finally:
            with database.atomic():
                leases.release_lease(FETCH_LEASE, holder, failed_at)

    def _store_first(self) -> None:
        sync_url = self.registry.url("registry", "sequencing-tech")
        with self.registry.reading() as reading:
            remote = self._fetch(reading, sync_url, Catalog.empty()).catalog
        with database.atomic():
            now = self.clock.now()
            if store.claim_saved(None, remote, sync_url, now, now, remote):
                reading.record_warnings(None)

    def _wait_for_fetch(self) -> None:
        """Wait until the fetch of another process is done, at most as long as one may take."""
        deadline = time.monotonic() + _LEASE_LIFE.total_seconds()
        while leases.is_held(FETCH_LEASE, self.clock.now()) and time.monotonic() < deadline:
            time.sleep(_POLL_SECONDS)


def _upstream_after(remote: Catalog) -> Catalog:
    """Return the registry's version of its items after a sync; items that it removed are kept."""
    return merged(store.find_upstream() or Catalog.empty(), remote)


def _stored(row: SequencingTechCatalog) -> Stored:
    catalog = Catalog.read({**row.document, "version": row.version})
    return Stored(catalog, row.sync_url, row.last_synced_at, row.row_version)


def _audit(caller: LiveFacilityAdmin | None, act: str, after: Stored, now: datetime) -> None:
    detail: dict[str, object] = {"act": act, "version": after.catalog.version}
    if caller is None:
        audit.write(None, None, AuditAction.CATALOG_SAVED, "catalog", None, now, detail)
    else:
        audit.record(caller, AuditAction.CATALOG_SAVED, "catalog", None, now, **detail)
