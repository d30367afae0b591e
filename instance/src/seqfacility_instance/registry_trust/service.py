"""What admins see of a registry's signatures, and how they begin anew."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tuf.api.exceptions import RepositoryError

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import FacilityAdmin
from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.core.vocabulary.registry import TrustPolicy
from seqfacility_instance.registry_trust import store
from seqfacility_instance.registry_trust.errors import RootNotUsable
from seqfacility_instance.registry_trust.reading import TrustedRegistry
from seqfacility_instance.registry_trust.rules import SignedRole, publishers, signed_roles
from seqfacility_instance.registry_trust.walk import check_root, version_of
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.registry_trust import RegistryRefusal, RegistryTrust


@dataclass(frozen=True, slots=True)
class SeenRegistry:
    """What was verified of one registry, and when last."""

    address: str
    verified_at: datetime
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

        Raises `RootNotUsable`.

        Decision: G920.
        """
        root = _read_root(root_file)
        now, address = self.registry.clock.now(), address or self.registry.base_url
        after = signed_roles({"root": root})[0]
        with database.atomic():
            before = store.find(address)
            store.reset(address, after.version, root, now)
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
        return SeenRegistry(address, now, [after], {})


def _seen(row: RegistryTrust) -> SeenRegistry:
    return SeenRegistry(row.address, row.verified_at, signed_roles(row.metadata), publishers(row.metadata))


def _audited(roles: Sequence[SignedRole]) -> dict[str, object]:
    root = next(role for role in roles if role.name == "root")
    return {
        "versions": {role.name: role.version for role in roles},
        "rootSignedBy": list(root.signed_by),
    }


def _read_root(path: Path) -> str:
    """Read the file of a root; raises `RootNotUsable`."""
    try:
        with path.open("rb") as file:
            content = file.read(limits.TRUST_ROOT_MAX_BYTES)
        with tempfile.TemporaryDirectory(prefix="seqfacility-trust-") as folder:
            check_root(content, Path(folder))
        text = content.decode()
        version_of(text)
    except (OSError, RepositoryError, UnicodeError) as unusable:
        raise RootNotUsable(str(path)) from unusable
    return text
