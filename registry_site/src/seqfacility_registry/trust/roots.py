"""New roots: who signs for which role. Decision: G904, G905."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from securesystemslib.signer import CryptoSigner, Key, SSlibKey
from seqfacility_pipeline_package.trust_files import (
    PUBLISHERS,
    ROOT,
    SNAPSHOT,
    TARGETS,
    TIMESTAMP,
)
from tuf.api.metadata import Metadata, Role, Root

from seqfacility_registry.trust.chain import root_counts, trusted_roots
from seqfacility_registry.trust.errors import TrustRefused
from seqfacility_registry.trust.folder import TrustFolder
from seqfacility_registry.trust.root_checks import ROOT_LIFE, check_root, day_of, publishers_of


@dataclass(frozen=True, slots=True)
class RootChange:
    """What a new root says; what is not named stays. A publisher without a key is no publisher any more."""

    root_keys: Sequence[SSlibKey] = ()
    threshold: int | None = None
    snapshot_keys: Sequence[SSlibKey] = ()
    timestamp_keys: Sequence[SSlibKey] = ()
    publishers: Mapping[str, SSlibKey | None] = field(default_factory=dict)


def new_root(folder: TrustFolder, change: RootChange, now: datetime) -> int:
    """Write the root after the last one that has its signatures; return its version.

    A root that still waits for signatures is replaced. Raises `TrustRefused`.
    """
    roots = trusted_roots(folder)
    before = roots[-1].signed if roots else None
    keys: dict[str, Key] = {} if before is None else dict(before.keys)
    named = {
        ROOT: change.root_keys,
        SNAPSHOT: change.snapshot_keys,
        TIMESTAMP: change.timestamp_keys,
    }
    roles = {role: _role(role, given, before, keys) for role, given in named.items()}
    roles[ROOT].threshold = change.threshold or roles[ROOT].threshold
    if before is None and change.threshold is None:
        raise TrustRefused("the first root needs --threshold")
    publishers = _publishers(change, before, keys)
    used = {keyid for role in roles.values() for keyid in role.keyids} | set(publishers.values())
    root = Root(
        version=1 if before is None else before.version + 1,
        expires=day_of(now) + ROOT_LIFE,
        keys={keyid: key for keyid, key in sorted(keys.items()) if keyid in used},
        roles={**roles, TARGETS: Role(list(roles[SNAPSHOT].keyids), roles[SNAPSHOT].threshold)},
        consistent_snapshot=True,
        unrecognized_fields={PUBLISHERS: publishers},
    )
    check_root(root, now)
    folder.write(ROOT, root.version, Metadata(root))
    return root.version


def waiting_root(folder: TrustFolder, now: datetime) -> tuple[Metadata[Root], Metadata[Root] | None]:
    """Return the root that waits for signatures and the one before it; raises `TrustRefused`.

    It may have been changed since `new-root` made it, so it is checked again. Decision: G1112.
    """
    roots = trusted_roots(folder)
    root = folder.root(len(roots) + 1)
    if root is None:
        raise TrustRefused("no root waits for signatures: new-root makes one")
    check_root(root.signed, now)
    return root, roots[-1] if roots else None


def sign_root(folder: TrustFolder, signers: Sequence[CryptoSigner], now: datetime) -> str:
    """Add signatures to the root that waits for them; say how many it has. Raises `TrustRefused`."""
    root, before = waiting_root(folder, now)
    known = set(root.signed.roles[ROOT].keyids)
    known |= set() if before is None else set(before.signed.roles[ROOT].keyids)
    check_keys(signers, known, ROOT)
    for signer in signers:
        root.sign(signer, append=True)
    folder.write(ROOT, root.signed.version, root)
    return root_counts(root, before)


def check_keys(signers: Sequence[CryptoSigner], known: set[str], role: str) -> None:
    """Refuse a key that does not belong to a role; raises `TrustRefused`."""
    for signer in signers:
        if signer.public_key.keyid not in known:
            raise TrustRefused(f"the key {signer.public_key.keyid[:12]} does not belong to the role {role}")


def _role(role: str, given: Sequence[SSlibKey], before: Root | None, keys: dict[str, Key]) -> Role:
    if not given:
        if before is None:
            raise TrustRefused(f"the first root needs --{role}-key")
        return Role(list(before.roles[role].keyids), before.roles[role].threshold)
    keys |= {key.keyid: key for key in given}
    threshold = before.roles[ROOT].threshold if role == ROOT and before is not None else 1
    return Role(sorted({key.keyid for key in given}), threshold)


def _publishers(change: RootChange, before: Root | None, keys: dict[str, Key]) -> dict[str, str]:
    found = {} if before is None else dict(publishers_of(before))
    for name, key in change.publishers.items():
        if key is None:
            found.pop(name, None)
        else:
            keys[key.keyid] = key
            found[name] = key.keyid
    return dict(sorted(found.items()))
