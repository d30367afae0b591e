"""`check` on the signed side: does it hold, is it of this content, and for how long."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from seqfacility_pipeline_package.trust_files import ROOT, SNAPSHOT, TIMESTAMP, TOP_LEVEL
from seqfacility_wire.plurals import counted
from tuf.api.metadata import Root, Signed

from seqfacility_registry.trust.chain import (
    SignedSet,
    check_documents,
    check_set,
    check_timestamp,
    current_root,
    published_version,
    read_set,
    root_counts,
)
from seqfacility_registry.trust.documents import Document
from seqfacility_registry.trust.errors import TrustRefused
from seqfacility_registry.trust.folder import TrustFolder
from seqfacility_registry.trust.signing import owner_of

NEAR: Final[Mapping[str, timedelta]] = {
    ROOT: timedelta(days=60),
    SNAPSHOT: timedelta(days=30),
    TIMESTAMP: timedelta(days=3),
}
"""When an expiry is near enough to be told of; that of documents as that of the snapshot. Decision: G908."""


@dataclass
class TrustFindings:
    """What keeps a signed content from being published, and what soon will."""

    problems: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def trust_findings(folder: TrustFolder, documents: Mapping[str, Document], now: datetime) -> TrustFindings:
    """Check the folder `trust/` of a content. Decision: G908."""
    found = TrustFindings()
    try:
        root = current_root(folder)
        published = _published(folder, root.signed)
        waiting = folder.root(root.signed.version + 1)
    except TrustRefused as refusal:
        found.problems.append(f"trust: {refusal}")
        return found
    timestamp = folder.timestamp()
    assert timestamp is not None
    signed: list[tuple[str, Signed]] = [(ROOT, root.signed), (TIMESTAMP, timestamp.signed)]
    signed += [(SNAPSHOT, published.snapshot.signed)]
    signed += [(role, metadata.signed) for role, metadata in published.roles()]
    for role, metadata in signed:
        _tell_expiry(found, now, role, metadata)
    found.problems += _differences(root.signed, published, documents)
    newest = max(folder.versions(SNAPSHOT))
    if newest > published.version:
        found.warnings.append(f"trust: snapshot {newest} is not published yet: timestamp")
    if waiting is not None:
        found.warnings.append(f"trust: {root_counts(waiting, root)}")
    return found


def _published(folder: TrustFolder, root: Root) -> SignedSet:
    timestamp, version = folder.timestamp(), published_version(folder)
    if timestamp is None:
        raise TrustRefused("nothing is published yet: sign --role snapshot, then timestamp")
    published = read_set(folder, version)
    check_set(root, published)
    check_timestamp(root, timestamp, published, folder.content(SNAPSHOT, version))
    check_documents(folder, published)
    return published


def _tell_expiry(found: TrustFindings, now: datetime, role: str, signed: Signed) -> None:
    name = f"trust: {role} {signed.version}"
    if signed.is_expired(now):
        lines = found.problems if role in TOP_LEVEL else found.warnings  # a publisher stops nobody else: G992
        lines.append(f"{name} expired on {signed.expires:%Y-%m-%d}")
    elif signed.expires - now < NEAR.get(role, NEAR[SNAPSHOT]):
        days = (signed.expires - now).days
        found.warnings.append(f"{name} expires in {counted(days, 'day')}, on {signed.expires:%Y-%m-%d}")


def _differences(root: Root, published: SignedSet, documents: Mapping[str, Document]) -> Iterator[str]:
    signed = published.documents()
    for path in sorted({*signed, *documents}):
        role = owner_of(path, root) or SNAPSHOT
        if path not in signed:
            yield f"trust: {path} is not signed: sign --role {role}"
        elif path not in documents:
            yield f"trust: {path} is signed and no longer there: sign --role {role}"
        elif documents[path].target != signed[path]:
            yield f"trust: {path} is not what is signed: sign --role {role}"
