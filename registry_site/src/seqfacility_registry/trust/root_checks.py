"""What a root says: whether anybody should sign it, and what changes by it. Decision: G1112."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from securesystemslib.signer import Key
from seqfacility_pipeline_package.trust_files import (
    PUBLISHERS,
    ROOT,
    SNAPSHOT,
    TARGETS,
    TIMESTAMP,
    is_publisher,
)
from tuf.api.metadata import Root

from seqfacility_registry.trust.errors import TrustRefused
from seqfacility_registry.trust.keys import public_key_of

ROOT_LIFE: Final = timedelta(days=365)


def day_of(now: datetime) -> datetime:
    """Return the beginning of the day, so that two people who sign on one day make the same bytes."""
    return now.replace(hour=0, minute=0, second=0, microsecond=0)


def publishers_of(root: Root) -> dict[str, str]:
    """Return the ids of the publishers' keys by name."""
    found: dict[str, str] = root.unrecognized_fields.get(PUBLISHERS, {})
    return found


def check_root(root: Root, now: datetime) -> None:
    """Refuse a root that `new-root` would not have made, whoever wrote it; raises `TrustRefused`."""
    publishers = publishers_of(root)
    is_known = set(root.unrecognized_fields) == {PUBLISHERS} and isinstance(publishers, dict)
    if not is_known or not all(isinstance(keyid, str) for keyid in publishers.values()):
        raise TrustRefused(f"root {root.version} says something that this release does not know")
    for role, found in root.roles.items():
        if not 1 <= found.threshold <= len(found.keyids):
            raise TrustRefused(f"a threshold of {found.threshold} needs as many keys of the role {role}")
    release, documents = root.roles[SNAPSHOT], root.roles[TARGETS]
    if (sorted(release.keyids), release.threshold) != (sorted(documents.keyids), documents.threshold):
        raise TrustRefused("snapshot and targets have the same keys: the release keys")
    if not root.consistent_snapshot:
        raise TrustRefused("consistent_snapshot has to be true")
    if not now < root.expires <= day_of(now) + ROOT_LIFE:
        raise TrustRefused(f"it ends on {root.expires:%Y-%m-%d}: a root lives for {ROOT_LIFE.days} days")
    _check_publishers(publishers)
    _check_owners(root, publishers)


def _check_publishers(publishers: dict[str, str]) -> None:
    for name in publishers:
        if not is_publisher(name):
            raise TrustRefused(
                f"{name!r} is no name of a publisher: at most 32 of a-z, 0-9 and hyphens, and no role"
            )
        outer = next((other for other in publishers if name.startswith(f"{other}-")), None)
        if outer is not None:
            raise TrustRefused(f"the pipelines of the publisher {name} would belong to {outer}, too")


def _check_owners(root: Root, publishers: dict[str, str]) -> None:
    """Refuse a key with two owners, with none, and one under two ids, which would sign for two."""
    owners: dict[str, str] = {}
    named = [(keyid, role) for role in (ROOT, SNAPSHOT, TIMESTAMP) for keyid in root.roles[role].keyids]
    for keyid, owner in [*named, *((keyid, name) for name, keyid in publishers.items())]:
        if keyid in owners:
            raise TrustRefused(f"{owners[keyid]} and {owner} have the same key: each needs one of its own")
        owners[keyid] = owner
    if set(owners) != set(root.keys):
        raise TrustRefused("its keys are not those of its roles and publishers")
    for keyid, key in root.keys.items():
        if not _has_its_id(key):
            raise TrustRefused(f"{keyid} is not the id of its key, or that is no Ed25519 key")


def _has_its_id(key: Key) -> bool:
    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key.keyval["public"]))
    except (KeyError, TypeError, ValueError):
        return False
    return public_key_of(public) == key


def root_lines(root: Root, before: Root | None) -> Iterator[str]:
    """Say who signs for what from this root on; what is new has a plus, and what is gone a minus."""
    since = "" if before is None else f" (root {before.version}: until {before.expires:%Y-%m-%d})"
    yield f"root {root.version}, until {root.expires:%Y-%m-%d}{since}"
    for role in (ROOT, SNAPSHOT, TIMESTAMP):
        now = root.roles[role]
        counts = f"{now.threshold} of {len(now.keyids)} keys"
        former = [] if before is None else before.roles[role].keyids
        if before is not None:
            said = f"{before.roles[role].threshold} of {len(former)} keys"
            counts += "" if said == counts else f" (root {before.version}: {said})"
        yield f"  {role}: {counts}"
        yield from _key_lines(set(former), set(now.keyids))
    publishers, former_publishers = publishers_of(root), {} if before is None else publishers_of(before)
    for name in sorted({*publishers, *former_publishers}):
        yield f"  publisher {name}"
        yield from _key_lines({former_publishers.get(name)}, {publishers.get(name)})


def _key_lines(before: set[str | None], now: set[str | None]) -> Iterator[str]:
    for keyid in sorted(filter(None, before | now)):
        mark = " " if keyid in before & now else "+" if keyid in now else "-"
        yield f"    {mark} {keyid}"
