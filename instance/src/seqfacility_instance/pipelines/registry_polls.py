"""The worker's daily poll of the registry: what was withdrawn, what is advised, which signatures end."""

import hashlib
import logging
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

from seqfacility_instance.background.queue import enqueue
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.storable_text import storable_text
from seqfacility_instance.facility_settings.identity_record import find_identity
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.pipelines import store
from seqfacility_instance.pipelines.installation import listed_entries
from seqfacility_instance.pipelines.notice_keeping import learn
from seqfacility_instance.pipelines.notices import Publication
from seqfacility_instance.registry_client.client import json_object_of
from seqfacility_instance.registry_client.errors import RegistryFault, RegistryTooNew
from seqfacility_instance.registry_trust.reading import TrustedRegistry
from seqfacility_instance.tables.base import database

EVERY: Final = timedelta(days=1)
LOOKED_EVERY: Final = timedelta(minutes=1)
RETRIED_AFTER: Final = timedelta(hours=1)
POLL_JOB: Final = "registry-poll"
_ERROR_MAX_CHARACTERS: Final = 500

_log = logging.getLogger("seqfacility.registry.poll")


@dataclass(slots=True)
class RegistryPolls:
    """Polls the registry once a day, and hourly after a failure, which is told and disturbs nothing.

    Decision: G970, G971, G972, G926.
    """

    registry: TrustedRegistry
    facility: FacilitySettings
    clock: Clock
    has_registry: bool
    _looked: datetime | None = field(default=None, init=False)

    def sweep(self, now: datetime) -> bool:
        """Queue a poll when one is due and no other worker has; True when it did."""
        is_recent = self._looked is not None and timedelta() <= now - self._looked < LOOKED_EVERY
        if is_recent or not self.has_registry:
            return False
        identity = find_identity()
        if identity is None:
            return False
        with database.atomic():
            is_due = store.claim_poll(self.registry.base_url, now, next_poll(identity.facility_id, now))
            is_queued = (
                is_due and self.facility.registry().poll_daily and enqueue(POLL_JOB, {}, now, POLL_JOB)
            )
        # WHY: after the claim, so that a database that is busy now is asked again at the next tick.
        self._looked = now
        return is_queued

    def poll(self, _payload: Mapping[str, object]) -> None:
        """Poll the registry: a background job, so that a registry that is silent ends no heartbeat.

        Decision: G926.
        """
        address, now = self.registry.base_url, self.clock.now()
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
            if error is not None:
                store.poll_sooner(address, now + RETRIED_AFTER * random.uniform(0.75, 1.25))  # noqa: S311

    def _learn(self, address: str, now: datetime) -> list[str]:
        """Learn from the index unless it is the one of the last time; return what could not be verified."""
        url = self.registry.url("registry")
        with self.registry.reading() as reading:
            fetched = reading.fetch_changed(url, store.index_tag(address))
            index = None if fetched is None else json_object_of(fetched.content, url)
            entries = None if index is None else listed_entries(index)
        if fetched is not None and index is not None and entries is not None:
            publication = Publication.of(index, is_signed=reading.is_signed)
            with database.atomic():
                # WHY: this locks the row: what is installed meanwhile waits, and then forgets the tag, so the
                # next poll learns of it.
                store.keep_index_tag(address, None)
                learn(entries, publication, now)
                store.keep_index_tag(address, fetched.etag)
        return reading.warnings


def next_poll(facility_id: str, now: datetime) -> datetime:
    """Return when a facility polls next: each at a time of the day of its own, which its id decides.

    Decision: G970.
    """
    share = int.from_bytes(hashlib.sha256(facility_id.encode()).digest()[:8], "big") / 2**64
    midnight = datetime(now.year, now.month, now.day, tzinfo=UTC)
    today = midnight + timedelta(seconds=int(share * EVERY.total_seconds()))
    return today if now < today else today + EVERY
