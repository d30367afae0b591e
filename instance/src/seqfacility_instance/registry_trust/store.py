"""Queries on what was verified of registries; writes its table."""

from datetime import datetime

from seqfacility_instance.tables.registry_trust import RegistryTrust


def find(address: str) -> RegistryTrust | None:
    return RegistryTrust.get_or_none(RegistryTrust.address == address)


def list_all() -> list[RegistryTrust]:
    return list(RegistryTrust.select().order_by(RegistryTrust.address))


def advance(
    address: str, generation: int, versions: tuple[int, int], metadata: dict[str, str], now: datetime
) -> None:
    """Keep what was verified, unless as much or more was seen meanwhile, or the root was reset.

    `versions` are those of root and timestamp. A later root may begin its timestamps anew.

    Decision: G917.
    """
    root, timestamp = versions
    columns = {
        "root_version": root,
        "timestamp_version": timestamp,
        "metadata": metadata,
        "verified_at": now,
    }
    # WHY: two workers that meet a registry for the first time both insert; the second one then updates.
    RegistryTrust.insert(address=address, generation=generation, **columns).on_conflict_ignore().execute()
    is_newer = (RegistryTrust.root_version < root) | (
        (RegistryTrust.root_version == root) & (RegistryTrust.timestamp_version <= timestamp)
    )
    RegistryTrust.update(**columns).where(
        (RegistryTrust.address == address) & (RegistryTrust.generation == generation) & is_newer
    ).execute()


def reset(address: str, root_version: int, root: str, now: datetime) -> None:
    """Forget what was seen of a registry and trust this root from now on. Decision: G920."""
    columns = {
        "root_version": root_version,
        "timestamp_version": 0,
        "metadata": {"root": root},
        "verified_at": now,
    }
    RegistryTrust.insert(address=address, generation=0, **columns).on_conflict_ignore().execute()
    RegistryTrust.update(**columns, generation=RegistryTrust.generation + 1).where(
        RegistryTrust.address == address
    ).execute()
