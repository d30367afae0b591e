"""What is signed: documents by those who answer for them, a snapshot of all, and the timestamp.

Everything is computed from the content, the folder and the time, so two people who sign the same content
on the same day make the same bytes.

Decision: G903, G904, G906.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from securesystemslib.signer import CryptoSigner
from seqfacility_pipeline_package.trust_files import (
    ISSUED,
    ROOT,
    SNAPSHOT,
    TARGETS,
    TIMESTAMP,
    metadata_file,
    publisher_paths,
)
from tuf.api.metadata import (
    DelegatedRole,
    Delegations,
    Metadata,
    MetaFile,
    Root,
    Snapshot,
    Targets,
    Timestamp,
)

from seqfacility_registry.trust.chain import (
    SignedSet,
    check_signatures,
    current_root,
    expired_publishers,
    newest_set,
    published_version,
    read_set,
)
from seqfacility_registry.trust.documents import Document, file_of
from seqfacility_registry.trust.errors import TrustRefused
from seqfacility_registry.trust.folder import TrustFolder
from seqfacility_registry.trust.pruning import prune
from seqfacility_registry.trust.root_checks import day_of, publishers_of
from seqfacility_registry.trust.roots import check_keys

SIGNED_LIFE: Final = timedelta(days=90)
RENEWED_BEFORE: Final = timedelta(days=45)
"""What has less of its life left is made anew, also when it says the same."""

TIMESTAMP_LIFE: Final = timedelta(days=7)

CACHED: Final = timedelta(minutes=2)
"""A timestamp is kept for 60 seconds by a shared cache, and then for 60 more by the one behind it (G907)."""

WAITING: Final = "waits for its signatures: sign --role root"


@dataclass(frozen=True, slots=True)
class Signing:
    """Signs for one role of a folder at one time."""

    folder: TrustFolder
    signers: Sequence[CryptoSigner]
    now: datetime

    def sign_publisher(self, name: str, documents: Mapping[str, Document]) -> str:
        """Sign the documents of a publisher; raises `TrustRefused`."""
        root = current_root(self.folder).signed
        publishers = publishers_of(root)
        if name not in publishers:
            waiting = self.folder.root(root.version + 1)
            if waiting is not None and name in publishers_of(waiting.signed):
                raise TrustRefused(f"{name} signs from root {waiting.signed.version} on, which {WAITING}")
            roles = ", ".join([ROOT, SNAPSHOT, *publishers])
            raise TrustRefused(
                f"{name} signs nothing here; roles are {roles} (new-root --publisher adds one)"
            )
        check_keys(self.signers, {publishers[name]}, name)
        delegator = self._targets(root, {}, 1)
        mine = {path: row for path, row in documents.items() if owner_of(path, root) == name}
        published = self._published()
        version = 0 if published is None else published.seen_version(name)
        wanted = Targets(version + 1, None, self._expiry(), {path: row.target for path, row in mine.items()})
        return self._sign(name, wanted, version, delegator, mine)

    def sign_snapshot(self, documents: Mapping[str, Document]) -> str:
        """Sign everything else, and which versions belong together; raises `TrustRefused`."""
        root = current_root(self.folder).signed
        check_keys(self.signers, set(root.roles[SNAPSHOT].keyids), SNAPSHOT)
        published = self._published()
        versions = {} if published is None else published.versions()
        rest = {path: row for path, row in documents.items() if owner_of(path, root) is None}
        wanted = self._targets(root, rest, versions.get(TARGETS, 0) + 1)
        publishers = self._covered(root, documents)
        roles = {name: metadata.signed.version for name, metadata in publishers.items()}
        line = self._sign(TARGETS, wanted, versions.get(TARGETS, 0), root, rest)
        roles[TARGETS] = self._newest(TARGETS, wanted, versions.get(TARGETS, 0), root).signed.version
        named = {metadata_file(role, None): self._meta_file(role, version) for role, version in roles.items()}
        known = {} if published is None else published.snapshot.signed.meta
        # WHY: a client that has seen a snapshot refuses the next one when it names a role less, so who is no
        # publisher any more keeps the line.
        snapshot = Snapshot(versions.get(SNAPSHOT, 0) + 1, None, self._expiry(), {**known, **named})
        lines = [line, self._sign(SNAPSHOT, snapshot, versions.get(SNAPSHOT, 0), root, {})]
        return "\n".join([*lines, *expired_publishers(publishers, self.now)])

    def _meta_file(self, role: str, version: int) -> MetaFile:
        return MetaFile.from_data(version, self.folder.content(role, version), ["sha256"])

    def _published(self) -> SignedSet | None:
        version = published_version(self.folder)
        return read_set(self.folder, version) if version else None

    def _expiry(self) -> datetime:
        return day_of(self.now) + SIGNED_LIFE

    def _targets(self, root: Root, documents: Mapping[str, Document], version: int) -> Targets:
        publishers = publishers_of(root)
        roles = {
            name: DelegatedRole(name, [keyid], 1, terminating=True, paths=publisher_paths(name))
            for name, keyid in publishers.items()
        }
        keys = {keyid: root.keys[keyid] for keyid in sorted(publishers.values())}
        targets = {path: row.target for path, row in documents.items()}
        return Targets(version, None, self._expiry(), targets, Delegations(keys, roles) if roles else None)

    def _covered(self, root: Root, documents: Mapping[str, Document]) -> dict[str, Metadata[Targets]]:
        """Return each publisher's metadata, which has to be signed and of this content."""
        delegator, found = self._targets(root, {}, 1), dict[str, Metadata[Targets]]()
        for name in publishers_of(root):
            mine = {path: row.target for path, row in documents.items() if owner_of(path, root) == name}
            version = max(self.folder.versions(name), default=None)
            metadata = None if version is None else self.folder.targets(version, name)
            signed = {} if metadata is None else metadata.signed.targets
            different = sorted(path for path in {*mine, *signed} if mine.get(path) != signed.get(path))
            if different:
                raise TrustRefused(
                    f"{different[0]} is not covered: the publisher {name} has not signed it as it is now"
                )
            if metadata is not None:
                check_signatures(delegator, name, metadata)
                found[name] = metadata
        return found

    def _newest(self, role: str, wanted: Any, published: int, delegator: Root | Targets) -> Metadata[Any]:
        """Return the metadata that says what is wanted: the published, a draft, or a new one."""
        for version in (published, published + 1):
            found: Metadata[Any] | None = self.folder.find(role, version) if version else None
            if (
                found is not None
                and says_the_same(found.signed, wanted)
                and found.signed.expires - self.now > RENEWED_BEFORE
                and (version != published or _is_signed(delegator, role, found))
            ):
                return found
        return Metadata(wanted)

    def _sign(
        self,
        role: str,
        wanted: Any,
        published: int,
        delegator: Root | Targets,
        documents: Mapping[str, Document],
    ) -> str:
        metadata = self._newest(role, wanted, published, delegator)
        version = metadata.signed.version
        for document in documents.values():
            self.folder.write_document(file_of(document.target), document.content)
        if version == published or _is_signed(delegator, role, metadata):
            return f"{role} {version} is signed and says what the content says"
        for signer in self.signers:
            metadata.sign(signer, append=True)
        self.folder.write(role, version, metadata)
        return f"{role} {version} is signed until {metadata.signed.expires:%Y-%m-%d}"

    def make_timestamp(self, expires: datetime | None = None) -> str:
        """Publish the newest snapshot that is signed; say what else somebody has to do.

        What is older than the publication before is dropped, unless that one is so young that a cache may
        still lead a client behind it. Raises `TrustRefused`.

        Decision: G992, G993.
        """
        root = current_root(self.folder).signed
        check_keys(self.signers, set(root.roles[TIMESTAMP].keyids), TIMESTAMP)
        if root.is_expired(self.now):
            raise TrustRefused(f"root {root.version} expired on {root.expires:%Y-%m-%d}: new-root")
        found = newest_set(self.folder, root, self.now)
        before = self.folder.timestamp()
        issued = self.now.replace(microsecond=0)
        until = issued + TIMESTAMP_LIFE if expires is None else expires
        if until <= issued:
            raise TrustRefused("--expires has to lie ahead")
        timestamp = Timestamp(
            1 if before is None else before.signed.version + 1,
            None,
            until,
            self._meta_file(SNAPSHOT, found.version),
            {ISSUED: f"{issued:%Y-%m-%dT%H:%M:%SZ}"},
        )
        metadata = Metadata(timestamp)
        for signer in self.signers:
            metadata.sign(signer, append=True)
        self.folder.write(TIMESTAMP, None, metadata)
        if before is None or issued - issue_time(before.signed) >= CACHED:
            prune(self.folder, found)
        said = (
            f"timestamp {timestamp.version} names snapshot {found.version}, until {until:%Y-%m-%d %H:%M} UTC"
        )
        waiting = self.folder.root(root.version + 1)
        unsigned = (
            [] if waiting is None else [f"root {waiting.signed.version} is not published: it {WAITING}"]
        )
        return "\n".join([said, *expired_publishers(found.publishers, self.now), *unsigned])


def owner_of(path: str, root: Root) -> str | None:
    """Return the publisher who signs a document, None where the release key does."""
    for name in publishers_of(root):
        if DelegatedRole(name, [], 1, terminating=True, paths=publisher_paths(name)).is_delegated_path(path):
            return name
    return None


def issue_time(timestamp: Timestamp) -> datetime:
    """Return when a timestamp was made."""
    return datetime.fromisoformat(timestamp.unrecognized_fields[ISSUED])


def says_the_same(one: Any, other: Any) -> bool:
    """Return whether two metadata differ in version and expiry at most."""
    left, right = one.to_dict(), other.to_dict()
    for key in ("version", "expires"):
        left.pop(key)
        right.pop(key)
    return bool(left == right)


def _is_signed(delegator: Root | Targets, role: str, metadata: Metadata[Any]) -> bool:
    return bool(delegator.get_verification_result(role, metadata.signed_bytes, metadata.signatures))
