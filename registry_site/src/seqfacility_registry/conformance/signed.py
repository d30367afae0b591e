"""The signed side of a host: the chain from a root that is known to every document and its view.

Decision: G909.
"""

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from seqfacility_pipeline_package.documents import canonical_json, read_foreign_json
from seqfacility_pipeline_package.trust_files import (
    DOCUMENTS,
    IMAGES,
    ROOT,
    SNAPSHOT,
    TARGETS,
    TIMESTAMP,
    TIMESTAMP_FILE,
    from_stock_name,
    is_publisher,
    metadata_file,
    publisher_paths,
    role_and_version,
    web_path,
)
from tuf.api.exceptions import (
    BadVersionNumberError,
    DownloadError,
    DownloadHTTPError,
    ExpiredMetadataError,
    LengthOrHashMismatchError,
    RepositoryError,
    UnsignedMetadataError,
)
from tuf.api.metadata import Metadata, Root, TargetFile, Targets
from tuf.ngclient import FetcherInterface, Updater, UpdaterConfig

from seqfacility_registry.conformance.documents import check_link
from seqfacility_registry.conformance.earlier_copy import check_known, copy_known
from seqfacility_registry.conformance.mirror import MAX_BYTES, Failed, Mirror, Unreachable, expect
from seqfacility_registry.trust.documents import file_of
from seqfacility_registry.trust.links import with_address

_MIB: Final = 1024 * 1024
_LIMITS: Final = UpdaterConfig(
    max_root_rotations=64,
    root_max_length=_MIB // 4,
    snapshot_max_length=_MIB,
    targets_max_length=4 * _MIB,
)
"""What an instance reads at most (G916)."""


@dataclass(frozen=True, slots=True)
class SignedSide:
    """What a host has signed: `metadata` by file name below `/api/trust/`, and documents by their path."""

    metadata: Mapping[str, bytes]
    targets: Mapping[str, TargetFile]
    root: Root

    @property
    def roots(self) -> list[Root]:
        """Return the roots from the known one on."""
        named = filter(None, map(role_and_version, self.metadata))
        versions = sorted(version for role, version in named if role == ROOT)
        return [
            Metadata.from_bytes(self.metadata[metadata_file(ROOT, version)]).signed for version in versions
        ]

    @property
    def versions(self) -> dict[str, int]:
        """Return the versions that only grow, whatever is signed."""
        named = filter(None, map(role_and_version, self.metadata))
        snapshot = next(version for role, version in named if role == SNAPSHOT)
        timestamp = Metadata.from_bytes(self.metadata[TIMESTAMP_FILE]).signed.version
        return {ROOT: self.root.version, TIMESTAMP: timestamp, SNAPSHOT: snapshot}


class MirrorFetcher(FetcherInterface):
    """Gets metadata of a host under the names that we give it."""

    def __init__(self, mirror: Mirror) -> None:
        self._mirror = mirror

    def download_bytes(self, url: str, max_length: int) -> bytes:
        """Return a file; what a signature says of its length makes our own limit no higher."""
        name = from_stock_name(url.rpartition("/")[2])
        limits = {ROOT: _LIMITS.root_max_length, SNAPSHOT: _LIMITS.snapshot_max_length}
        limit = limits.get(name.partition(".")[0], _LIMITS.targets_max_length)
        try:
            reply = self._mirror.ask(f"/trust/{name}", max_bytes=min(max_length, limit))
        except Failed as failed:
            raise DownloadError(str(failed)) from failed
        if reply.status != 200:
            raise DownloadHTTPError(f"GET /trust/{name}: status {reply.status}", reply.status)
        return reply.body

    def _fetch(self, url: str) -> Iterator[bytes]:
        return iter([self.download_bytes(url, MAX_BYTES)])


def read_signed_side(mirror: Mirror, root: bytes, known: Path | None = None) -> SignedSide:
    """Follow the chain from a known root to the names of all documents; raises `Failed`.

    `known` is the signed side of an earlier copy, which the host may not go back behind.
    """
    with tempfile.TemporaryDirectory() as folder:
        if known is not None:
            copy_known(known, root, Path(folder))
        try:
            signed = _follow(mirror, root, Path(folder))
        except UnsignedMetadataError as unsigned:
            raise Failed(f"a signature is not valid: {unsigned}") from unsigned
        except ExpiredMetadataError as expired:
            raise Failed(f"it has expired: {expired}") from expired
        except LengthOrHashMismatchError as other:
            raise Failed(f"a file is not the one that is named: {other}") from other
        except BadVersionNumberError as older:
            raise Failed(f"it is older than what was seen, or does not belong together: {older}") from older
        except DownloadError as missing:
            raise Failed(str(missing)) from missing
        except RepositoryError as broken:
            raise Failed(f"it does not belong together: {broken}") from broken
    if known is not None:
        check_known(known, signed.roots)
    return signed


class _Updater(Updater):
    """The library's client, which can be told to read on when a publisher's time is over."""

    def ignore_expiry(self) -> None:
        self._trusted_set.reference_time = datetime.min.replace(tzinfo=UTC)


def _follow(mirror: Mirror, root: bytes, folder: Path) -> SignedSide:
    address, fetcher = f"{mirror.base_url}/trust", MirrorFetcher(mirror)
    updater = _Updater(str(folder), address, fetcher=fetcher, config=_LIMITS, bootstrap=root)
    updater.refresh()
    # WHY: an instance refuses the packages of such a publisher, and reads all else of the host.
    updater.ignore_expiry()
    targets: Metadata[Targets] = Metadata.from_file(str(folder / metadata_file(TARGETS, None)))
    found = dict(targets.signed.targets)
    publishers = targets.signed.delegations.roles if targets.signed.delegations else None
    roles = [SNAPSHOT, TARGETS]
    for name in sorted(publishers or {}):
        expect(is_publisher(name), f"{name!r} is no name of a publisher")
        updater.get_targetinfo(publisher_paths(name)[0])  # has the publisher's metadata read and verified
        path = folder / metadata_file(name, None)
        if path.exists():
            delegated: Metadata[Targets] = Metadata.from_file(str(path))
            if delegated.signed.is_expired():
                mirror.warnings.append(f"{name} expired on {delegated.signed.expires:%Y-%m-%d}")
            foreign = [each for each in delegated.signed.targets if not _is_of(name, targets, each)]
            expect(not foreign, f"the publisher {name} signs {', '.join(foreign)}, which is not its own")
            found = {**delegated.signed.targets, **found}  # what the release key signs comes first
            roles.append(name)
    metadata = {metadata_file(TIMESTAMP, None): (folder / metadata_file(TIMESTAMP, None)).read_bytes()}
    for role in roles:
        content = (folder / metadata_file(role, None)).read_bytes()
        metadata[metadata_file(role, Metadata.from_bytes(content).signed.version)] = content
    odd = [path for path, target in sorted(found.items()) if "sha256" not in target.hashes]
    expect(not odd, f"{', '.join(odd[:3])}: signed without a SHA-256")
    first: Metadata[Root] = Metadata.from_bytes(root)
    newest: Metadata[Root] = Metadata.from_file(str(folder / metadata_file(ROOT, None)))
    for version in range(first.signed.version, newest.signed.version + 1):
        name = metadata_file(ROOT, version)
        metadata[name] = (folder / "root_history" / f"{version}.{ROOT}.json").read_bytes()
    return SignedSide(metadata, dict(sorted(found.items())), newest.signed)


def _is_of(name: str, targets: Metadata[Targets], path: str) -> bool:
    roles = targets.signed.delegations.roles if targets.signed.delegations else None
    return bool(roles and roles[name].is_delegated_path(path))


def read_document(mirror: Mirror, target: TargetFile) -> bytes:
    """Get a signed document by its digest, hardly more than its length; raises `Failed` for another one."""
    path = f"/trust/{DOCUMENTS}/{file_of(target)}"
    content = mirror.read(path, min(target.length + 1, MAX_BYTES)).body
    try:
        target.verify_length_and_hashes(content)
    except LengthOrHashMismatchError:
        raise Failed(f"GET {path}: is not {target.path} as it is signed") from None
    return content


def check_documents(mirror: Mirror, signed: SignedSide) -> None:
    """Get every document by its digest; raises `Failed` with each that is missing or another."""
    faults = []
    for target in signed.targets.values():
        try:
            read_document(mirror, target)
        except Unreachable:
            raise
        except Failed as failed:
            faults.append(str(failed))
    expect(not faults, "; ".join(faults))


def check_views(mirror: Mirror, signed: SignedSide) -> None:
    """Compare what is answered at each path with what is signed; raises `Failed` with each difference.

    Only the address that links begin with may differ, and it is one for the whole host.
    """
    index = mirror.read("/registry").json()
    check_link("baseUrl", str(index["baseUrl"]))
    base_url = str(index["baseUrl"]).removesuffix("/registry")
    if base_url != mirror.base_url:
        mirror.warnings.append(f"links begin with {base_url}")
    faults = []
    for path, target in signed.targets.items():
        try:
            if not _is_the_same(mirror, base_url, path, read_document(mirror, target)):
                faults.append(f"GET /{path}: is not what is signed")
        except Unreachable:
            raise
        except Failed as failed:
            faults.append(str(failed))
    expect(not faults, "; ".join(faults))


def _is_the_same(mirror: Mirror, base_url: str, path: str, content: bytes) -> bool:
    if path.startswith(IMAGES):
        return mirror.read(f"//{path}").body == content
    reply = mirror.read(mirror.beside(web_path(path)))
    try:
        view = reply.json()
    except Failed:
        return False
    return canonical_json(view) == canonical_json(with_address(read_foreign_json(content), base_url))
