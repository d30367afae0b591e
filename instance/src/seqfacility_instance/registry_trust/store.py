"""Queries on what was verified of registries and what was refused; writes both tables."""

import hashlib
from collections.abc import Set as AbstractSet
from datetime import datetime

from seqfacility_instance.registry_trust.errors import RegistryNotTrusted
from seqfacility_instance.tables.registry_trust import RegistryRefusal, RegistryTrust


def digest_of(root: bytes) -> str:
    """Return how a root is named in `began_at`, and by its registry."""
    return hashlib.sha256(root).hexdigest()


def find(address: str) -> RegistryTrust | None:
    return RegistryTrust.get_or_none(RegistryTrust.address == address)


def list_all() -> list[RegistryTrust]:
    return list(RegistryTrust.select().order_by(RegistryTrust.address))


def has_any() -> bool:
    """Return whether any registry was ever verified, or trusted by a reset."""
    return bool(RegistryTrust.select().exists())


def is_replaced(began_at: str) -> bool:
    """Return whether a reset has replaced the root of this digest."""
    return bool(RegistryTrust.select().where(RegistryTrust.replaced_roots.contains(began_at)).exists())


def newest_from(root: bytes) -> RegistryTrust | None:
    """Return what was seen last at any address where the trust began at this root."""
    found: RegistryTrust | None = (
        RegistryTrust.select()
        .where(RegistryTrust.began_at == digest_of(root))
        .order_by(RegistryTrust.root_version.desc(), RegistryTrust.timestamp_version.desc())
        .first()
    )
    return found


def advance(
    address: str,
    began_at: str,
    generation: int,
    versions: tuple[int, int],
    metadata: dict[str, str],
    now: datetime,
) -> None:
    """Keep what was verified, unless as much or more was seen meanwhile, or the root was replaced or reset.

    `versions` are those of root and timestamp. A later root may begin its timestamps anew. `began_at` is the
    digest of the root at which the trust in the address began.

    Decision: G917.
    """
    if is_replaced(began_at):
        return
    root, timestamp = versions
    columns = {
        "root_version": root,
        "timestamp_version": timestamp,
        "metadata": metadata,
        "verified_at": now,
    }
    # WHY: two workers that meet a registry for the first time both insert; the second one then updates.
    RegistryTrust.insert(
        address=address, generation=generation, began_at=began_at, **columns
    ).on_conflict_ignore().execute()
    is_newer = (RegistryTrust.root_version < root) | (
        (RegistryTrust.root_version == root) & (RegistryTrust.timestamp_version <= timestamp)
    )
    RegistryTrust.update(**columns).where(
        (RegistryTrust.address == address) & (RegistryTrust.generation == generation) & is_newer
    ).execute()


def list_refusals() -> list[RegistryRefusal]:
    return list(RegistryRefusal.select().order_by(RegistryRefusal.address))


def refuse(address: str, refusal: RegistryNotTrusted, now: datetime) -> None:
    """Keep why a registry was not believed, in the place of the refusal before. Decision: G980."""
    columns = {
        "kind": refusal.kind,
        "message": refusal.text,
        "reason": "; ".join(refusal.__notes__),
        "refused_at": now,
    }
    RegistryRefusal.insert(address=address, **columns).on_conflict(
        conflict_target=[RegistryRefusal.address], update=columns
    ).execute()


def reset(address: str, root_version: int, root: str, replaced: AbstractSet[str]) -> None:
    """Forget what was seen of a registry and trust this root from now on.

    `replaced` are the digests of all roots that count nowhere any more, unless this is one of them: what was
    seen from them anywhere is forgotten, too. One row holds them, so that none is lost.

    Decision: G920, G1103.
    """
    RegistryRefusal.delete().where(RegistryRefusal.address == address).execute()
    digest = digest_of(root.encode())
    columns = {
        "root_version": root_version,
        "timestamp_version": 0,
        "metadata": {"root": root},
        "began_at": digest,
        "verified_at": None,
        "replaced_roots": sorted(replaced - {digest}),
    }
    is_other = RegistryTrust.address != address
    RegistryTrust.delete().where(is_other & RegistryTrust.began_at.in_(replaced - {digest})).execute()
    RegistryTrust.update(replaced_roots=[]).where(is_other).execute()
    RegistryTrust.insert(address=address, generation=0, **columns).on_conflict_ignore().execute()
    RegistryTrust.update(**columns, generation=RegistryTrust.generation + 1).where(
        RegistryTrust.address == address
    ).execute()
