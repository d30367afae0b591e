"""Fetching the images of a catalog when it is synced, so that no page asks the registry for one."""

import base64
import hashlib
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlsplit

from seqfacility_schemas.findings import Finding

from seqfacility_instance.catalog import store
from seqfacility_instance.catalog.document import Catalog
from seqfacility_instance.catalog.image_rules import picture_of
from seqfacility_instance.catalog.images import KEYS, find_shipped
from seqfacility_instance.catalog.rules import is_http_url
from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.registry_client.errors import RegistryFault
from seqfacility_instance.registry_trust.reading import Reading
from seqfacility_instance.tables.base import database

_NEVER: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class _Named:
    """Where a catalog names an image."""

    collection: str
    item_id: str
    key: str
    address: str

    def finding(self, reason: str) -> Finding:
        return Finding(self.collection, self.item_id, reason, self.key)


@dataclass(frozen=True, slots=True)
class ImageSync:
    """Keeps copies of the images that a catalog names at its own registry. Decision: G586."""

    reading: Reading
    clock: Clock

    def run(self, remote: Catalog, sync_url: str, in_use: Catalog) -> list[Finding]:
        """Fetch the images of `remote`, keep those of `in_use`; return what is wrong with which one.

        An image that cannot be had leaves the copy of it that is here. The time for all of them is limited:
        those of which there is no copy come first, then the oldest copies, so the next sync goes on.
        """
        findings = []
        wanted: dict[str, list[_Named]] = {}
        for named in _named(remote):
            problem = _address_problem(named.address, sync_url)
            if problem is None:
                wanted.setdefault(named.address, []).append(named)
            else:
                findings.append(named.finding(problem))
        fetched_at = store.image_times()
        in_turn = sorted(wanted, key=lambda address: fetched_at.get(address, _NEVER))
        deadline = time.monotonic() + limits.IMAGES_SECONDS
        for number, address in enumerate(in_turn):
            problem = "is one of too many images"
            if number < limits.IMAGES_MAX:
                problem = self._fetch(address, deadline - time.monotonic())
            findings += [named.finding(problem) for named in wanted[address] if problem]
        now = self.clock.now()
        with database.atomic():
            store.note_named({named.address for named in _named(in_use)}, now)
            store.forget_images(now - limits.IMAGE_UNUSED_KEPT, limits.IMAGES_KEPT_MAX)
        return findings

    def _fetch(self, address: str, seconds_left: float) -> str:
        """Fetch one image; return why there is no new copy, nothing when there is."""
        if seconds_left <= 0:
            return "there was no time left to fetch it"
        client = replace(
            self.reading.client,
            timeout_seconds=min(seconds_left, limits.REGISTRY_SECONDS),
            max_bytes=limits.IMAGE_MAX_BYTES,
            accept="image/webp, image/png, image/jpeg",
            stays_at_origin=True,
        )
        try:
            content = self.reading.fetch(address, client)
        except RegistryFault as fault:
            return f"cannot be fetched: {fault.text}"
        picture = picture_of(content)
        if picture is None:
            return "is no PNG, JPEG or WebP image of a sensible size"
        name = f"{hashlib.sha256(content).hexdigest()}.{picture.ending}"
        with database.atomic():
            store.save_image(
                address, name, (picture.width, picture.height), base64.b64encode(content).decode(),
                self.clock.now(),
            )  # fmt: skip
        return ""


def _named(catalog: Catalog) -> Iterator[_Named]:
    """Return every image that a catalog names and no release of ours has."""
    for collection, items in catalog.collections.items():
        for item in items:
            for key in KEYS:
                address = item.get(key)
                if isinstance(address, str) and address and find_shipped(address) is None:
                    yield _Named(collection.value, str(item["id"]), key, address)


def _address_problem(address: str, sync_url: str) -> str | None:
    if not is_http_url(address):
        return "is no address that can be fetched from"
    here, there = urlsplit(sync_url), urlsplit(address)
    if (there.scheme, there.netloc) != (here.scheme, here.netloc):
        return "is not at the registry"
    return None
