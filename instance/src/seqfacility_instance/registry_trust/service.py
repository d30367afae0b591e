"""What admins see of a registry's signatures, and how they begin anew."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import FacilityAdmin
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.core.vocabulary.registry import TrustPolicy
from seqfacility_instance.registry_trust import store
from seqfacility_instance.registry_trust.errors import RegistryNotKnown, RootNotUsable, SignatureNotValid
from seqfacility_instance.registry_trust.reading import TrustedRegistry
from seqfacility_instance.registry_trust.root_files import read_root
from seqfacility_instance.registry_trust.rules import SignedRole, publishers, signed_roles
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.registry_trust import RegistryRefusal, RegistryTrust


@dataclass(frozen=True, slots=True)
class SeenRegistry:
    """What was verified of one registry, and when last; never yet since a reset."""

    address: str
    verified_at: datetime | None
    roles: Sequence[SignedRole]
    publishers: Mapping[str, Sequence[str]]
    """The keys of each publisher, by its name."""


@dataclass(frozen=True, slots=True)
class TrustReport:
    """How registries are trusted at a time; the configured one comes first.

    `setting` is what an admin has decided; None leaves it to whether a root is pinned.
    """

    address: str
    policy: TrustPolicy
    setting: TrustPolicy | None
    is_pinned: bool
    registries: Sequence[SeenRegistry]
    refusals: Sequence[RegistryRefusal]
    now: datetime


@dataclass(frozen=True, slots=True)
class RegistryTrusts:
    """Shows and resets what is trusted. Decision: G920, G921."""

    registry: TrustedRegistry

    def report(self, _caller: FacilityAdmin | None) -> TrustReport:
        """Tell who signed what, until when, which versions were seen, and what was refused last.

        Decision: G921, G980.
        """
        here = self.registry.base_url
        rows = sorted(store.list_all(), key=lambda row: row.address != here)
        return TrustReport(
            here,
            self.registry.policy(),
            self.registry.facility.registry().trust,
            self.registry.pinned_root is not None,
            [_seen(row) for row in rows],
            sorted(store.list_refusals(), key=lambda row: row.address != here),
            self.registry.clock.now(),
        )

    def reset(self, root_file: Path, address: str | None = None) -> SeenRegistry:
        """Forget what was seen of a registry and begin anew at a root; for the command line alone.

        Raises `RootNotUsable`, and `RegistryNotKnown` for an address that nothing was read at or refused
        from, which is most likely another spelling of one.

        Decision: G912, G920, G1103.
        """
        root = read_root(root_file).decode()
        now, address = self.registry.clock.now(), address or self.registry.base_url
        read, refused = store.list_all(), store.list_refusals()
        known = {self.registry.base_url, *(row.address for row in read), *(row.address for row in refused)}
        if address not in known:
            raise RegistryNotKnown(address, ", ".join(sorted(known)))
        after = signed_roles({"root": root})[0]
        with database.atomic():
            before = store.find(address)
            replaced = {digest for row in read for digest in row.replaced_roots}
            if address == self.registry.base_url:
                replaced |= self._replaced(before)
            store.reset(address, after.version, root, replaced)
            audit.write(
                None,
                None,
                AuditAction.REGISTRY_TRUST_RESET,
                "registry",
                address[:255],
                now,
                {
                    "before": None if before is None else _audited(signed_roles(before.metadata)),
                    "after": _audited([after]),
                },
            )
        return SeenRegistry(address, None, [after], {})

    def _replaced(self, before: RegistryTrust | None) -> set[str]:
        """Return the digests of the roots that count nowhere once the configured registry is reset."""
        replaced = set() if before is None else {before.began_at}
        with suppress(SignatureNotValid):
            pinned = self.registry.pinned()
            replaced |= set() if pinned is None else {store.digest_of(pinned)}
        return replaced

    def pinned_root(self) -> str:
        """Say at which file the trust begins, with the digest that its registry tells people."""
        path = self.registry.pinned_root
        if path is None:
            return "not pinned"
        try:
            return f"{path}, SHA-256 {store.digest_of(read_root(path))}"
        except RootNotUsable as unusable:
            return unusable.text


def _seen(row: RegistryTrust) -> SeenRegistry:
    return SeenRegistry(row.address, row.verified_at, signed_roles(row.metadata), publishers(row.metadata))


def _audited(roles: Sequence[SignedRole]) -> dict[str, object]:
    root = next(role for role in roles if role.name == "root")
    return {
        "versions": {role.name: role.version for role in roles},
        "rootSignedBy": list(root.signed_by),
    }
