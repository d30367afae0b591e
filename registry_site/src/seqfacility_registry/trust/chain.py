"""What the signatures of a folder hold together: the roots in a row, a snapshot and all that it names."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from seqfacility_pipeline_package.trust_files import ROOT, SNAPSHOT, TARGETS, TIMESTAMP, metadata_file
from tuf.api.exceptions import LengthOrHashMismatchError
from tuf.api.metadata import Metadata, Root, RootVerificationResult, Snapshot, TargetFile, Targets, Timestamp

from seqfacility_registry.trust.documents import file_of
from seqfacility_registry.trust.errors import TrustRefused
from seqfacility_registry.trust.folder import AnyMetadata, TrustFolder


@dataclass(frozen=True, slots=True)
class SignedSet:
    """A snapshot and the metadata that it names; `publishers` by name."""

    snapshot: Metadata[Snapshot]
    targets: Metadata[Targets]
    publishers: Mapping[str, Metadata[Targets]]

    @property
    def version(self) -> int:
        return self.snapshot.signed.version

    def roles(self) -> Iterator[tuple[str, Metadata[Targets]]]:
        """Yield the roles that sign documents."""
        yield TARGETS, self.targets
        yield from self.publishers.items()

    def documents(self) -> dict[str, TargetFile]:
        """Return every signed document by its path."""
        return {path: target for _, role in self.roles() for path, target in role.signed.targets.items()}

    def seen_version(self, publisher: str) -> int:
        """Return the last version of a publisher, also of one that was none meanwhile; 0 without one."""
        meta = self.snapshot.signed.meta.get(metadata_file(publisher, None))
        return 0 if meta is None else meta.version

    def versions(self) -> dict[str, int]:
        """Return the version of each role."""
        signed = {role: metadata.signed.version for role, metadata in self.roles()}
        return {SNAPSHOT: self.version, **signed}


def root_signatures(root: Metadata[Root], before: Metadata[Root] | None) -> RootVerificationResult:
    """Count the signatures of a root by its own keys and by those of the root before it."""
    previous = None if before is None else before.signed
    return root.signed.get_root_verification_result(previous, root.signed_bytes, root.signatures)


def root_counts(root: Metadata[Root], before: Metadata[Root] | None) -> str:
    """Say how many signatures a root has."""
    result = root_signatures(root, before)
    counts = f"{len(result.second.signed)} of {result.second.threshold} signatures"
    if before is not None:
        counts += f", and {len(result.first.signed)} of {result.first.threshold} of the root before"
    return f"root {root.signed.version} has {counts}"


def trusted_roots(folder: TrustFolder) -> list[Metadata[Root]]:
    """Return the roots from version 1 on for as long as each has all its signatures."""
    found: list[Metadata[Root]] = []
    while (root := folder.root(len(found) + 1)) is not None:
        if not root_signatures(root, found[-1] if found else None):
            break
        found.append(root)
    return found


def published_version(folder: TrustFolder) -> int:
    """Return the version of the snapshot that the timestamp names, 0 without one."""
    timestamp = folder.timestamp()
    return 0 if timestamp is None else timestamp.signed.snapshot_meta.version


def read_set(folder: TrustFolder, version: int) -> SignedSet:
    """Read a snapshot and what it names; raises `TrustRefused` when a file is missing or another.

    Who is no publisher any more is named and not read: nothing is signed by them, and the file may be gone.
    """
    snapshot = folder.snapshot(version)
    if snapshot is None:
        raise TrustRefused(f"trust/snapshot.{version}.json is missing")
    targets = _read_named(folder, snapshot.signed, TARGETS)
    delegations = targets.signed.delegations
    publishers = [] if delegations is None else sorted(delegations.roles or {})
    named = [name for name in publishers if metadata_file(name, None) in snapshot.signed.meta]
    return SignedSet(snapshot, targets, {name: _read_named(folder, snapshot.signed, name) for name in named})


def _read_named(folder: TrustFolder, snapshot: Snapshot, role: str) -> Metadata[Targets]:
    meta = snapshot.meta[metadata_file(role, None)]
    metadata = folder.targets(meta.version, role)
    if metadata is None:
        raise TrustRefused(f"trust/{role}.{meta.version}.json is missing")
    try:
        meta.verify_length_and_hashes(folder.content(role, meta.version))
    except LengthOrHashMismatchError:
        raise TrustRefused(
            f"{role} {meta.version} is not the one that snapshot {snapshot.version} names"
        ) from None
    return metadata


def check_set(root: Root, found: SignedSet) -> None:
    """Refuse a set that lacks signatures under a root; raises `TrustRefused`."""
    check_signatures(root, SNAPSHOT, found.snapshot)
    check_signatures(root, TARGETS, found.targets)
    for name, metadata in found.publishers.items():
        check_signatures(found.targets.signed, name, metadata)


def check_signatures(delegator: Root | Targets, role: str, metadata: Metadata[Any]) -> None:
    """Refuse metadata that too few keys of its role have signed; raises `TrustRefused`."""
    name = f"{role} {metadata.signed.version}"
    try:
        result = delegator.get_verification_result(role, metadata.signed_bytes, metadata.signatures)
    except ValueError:
        raise TrustRefused(f"{name}: {role} is no publisher of this registry any more") from None
    if not result:
        raise TrustRefused(f"{name}: {len(result.signed)} of {result.threshold} signatures that it needs")


def check_timestamp(root: Root, timestamp: Metadata[Timestamp], found: SignedSet, snapshot: bytes) -> None:
    """Refuse a timestamp that is not signed, or names another snapshot; raises `TrustRefused`."""
    check_signatures(root, TIMESTAMP, timestamp)
    try:
        timestamp.signed.snapshot_meta.verify_length_and_hashes(snapshot)
    except LengthOrHashMismatchError:
        raise TrustRefused(f"snapshot {found.version} is not the one that the timestamp names") from None


def check_documents(folder: TrustFolder, found: SignedSet) -> None:
    """Refuse a set of which a document is missing or damaged; raises `TrustRefused`."""
    for path, target in found.documents().items():
        content = folder.document(file_of(target))
        if content is None:
            raise TrustRefused(f"{path} is signed, but trust/documents/{file_of(target)} is missing")
        try:
            target.verify_length_and_hashes(content)
        except LengthOrHashMismatchError:
            raise TrustRefused(f"trust/documents/{file_of(target)} has changed") from None


def newest_set(folder: TrustFolder, root: Root, now: datetime) -> SignedSet:
    """Return the newest snapshot with all its signatures; raises `TrustRefused` when there is none.

    One before the published snapshot is never the newest: instances that saw that one would refuse it.
    Publishers may have expired; `expired_publishers` names them.

    Decision: G992.
    """
    reason, published = "nothing is signed yet: sign --role snapshot", published_version(folder)
    versions = {version for version in folder.versions(SNAPSHOT) if version > published} | {published}
    for version in sorted(versions - {0}, reverse=True):
        try:
            found = read_set(folder, version)
            check_set(root, found)
            check_documents(folder, found)
        except TrustRefused as refusal:
            reason = str(refusal)
            continue
        signed: list[tuple[str, AnyMetadata]] = [(SNAPSHOT, found.snapshot), (TARGETS, found.targets)]
        for role, metadata in signed:
            if metadata.signed.is_expired(now):
                raise TrustRefused(f"{role} expired on {metadata.signed.expires:%Y-%m-%d}: sign it again")
        return found
    raise TrustRefused(reason)


def expired_publishers(found: Mapping[str, Metadata[Targets]], now: datetime) -> list[str]:
    """Say which publishers' packages nobody can install any more, and what helps."""
    return [
        f"{name} expired on {metadata.signed.expires:%Y-%m-%d}: nobody can install its packages until "
        f"sign --role {name}, sign --role snapshot and timestamp"
        for name, metadata in found.items()
        if metadata.signed.is_expired(now)
    ]


def current_root(folder: TrustFolder) -> Metadata[Root]:
    """Return the newest root with all its signatures; raises `TrustRefused` without one."""
    roots = trusted_roots(folder)
    if not roots:
        missing = "has too few signatures" if folder.versions(ROOT) else "is missing"
        raise TrustRefused(f"trust/root.1.json {missing}: new-root, then sign --role root")
    return roots[-1]
