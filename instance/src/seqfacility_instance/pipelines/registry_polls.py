"""The worker's daily poll of the registry: what was withdrawn, what is advised, which signatures end."""

import hashlib
import logging
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

from seqfacility_instance.core.storable_text import storable_text
from seqfacility_instance.facility_settings.identity_record import find_identity
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.pipelines import store
from seqfacility_instance.pipelines.installation import listed_entries
from seqfacility_instance.pipelines.notice_keeping import learn
from seqfacility_instance.registry_client.client import json_object_of
from seqfacility_instance.registry_client.errors import RegistryFault, RegistryTooNew
from seqfacility_instance.registry_trust.reading import TrustedRegistry
from seqfacility_instance.tables.base import database

EVERY: Final = timedelta(days=1)
_ERROR_MAX_CHARACTERS: Final = 500

_log = logging.getLogger("seqfacility.registry.poll")


@dataclass(slots=True)
class RegistryPolls:
    """Polls the registry once a day; a registry that fails is told, and disturbs nothing.

    Decision: G970, G971, G972.
    """

    registry: TrustedRegistry
    facility: FacilitySettings
    _next: datetime | None = field(default=None, init=False)

    def sweep(self, now: datetime) -> bool:
        """Poll when it is due and no other worker does; always False, since no tick has to follow."""
        if self._next is not None and self._next - EVERY <= now < self._next:
            return False
        identity = find_identity()
        if identity is None:
            return False
        address = self.registry.base_url
        next_at = next_poll(identity.facility_id, now)
        is_due = store.claim_poll(address, now, next_at)
        # WHY: after the claim, so that a database that is busy now is asked again at the next tick.
        self._next = next_at
        if is_due and self.facility.registry().poll_daily:
            self._poll(address, now)
        return False

    def _poll(self, address: str, now: datetime) -> None:
        error, verified = None, list[str]()
        try:
            verified = self._learn(address, now)
        except (RegistryFault, RegistryTooNew) as failed:
            notes = getattr(failed, "__notes__", [])
            error = storable_text("; ".join([failed.text, *notes]))[:_ERROR_MAX_CHARACTERS]
            _log.warning("the registry could not be polled: %s", error)
        warnings = [*verified, *self.registry.expiring(now)]
        for warning in warnings:
            _log.warning("the registry was polled: %s", warning)
        with database.atomic():
            store.note_poll(address, now, error, warnings)

    def _learn(self, address: str, now: datetime) -> list[str]:
        """Learn from the index unless it is the one of the last time; return what could not be verified."""
        url = self.registry.url("registry")
        with self.registry.reading() as reading:
            index = reading.fetch_changed(url, store.index_tag(address))
            entries = None if index is None else listed_entries(json_object_of(index.content, url))
        if index is not None and entries is not None:
            with database.atomic():
                # WHY: this locks the row: what is installed meanwhile waits, and then forgets the tag, so the
                # next poll learns of it.
                store.keep_index_tag(address, None)
                learn(entries, now)
                store.keep_index_tag(address, index.etag)
        return reading.warnings


def next_poll(facility_id: str, now: datetime) -> datetime:
    """Return when a facility polls next: each at a time of the day of its own, which its id decides.

    Decision: G970.
    """
    share = int.from_bytes(hashlib.sha256(facility_id.encode()).digest()[:8], "big") / 2**64
    midnight = datetime(now.year, now.month, now.day, tzinfo=UTC)
    today = midnight + timedelta(seconds=int(share * EVERY.total_seconds()))
    return today if now < today else today + EVERY
