"""The signed side of a host: the chain from a root that is known to every document and its view.

Decision: G909.
"""

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from seqfacility_pipeline_package.documents import canonical_json, read_foreign_json
from seqfacility_pipeline_package.trust_files import (
    DOCUMENTS,
    IMAGES,
    ROOT,
    SNAPSHOT,
    TARGETS,
    TIMESTAMP,
    from_stock_name,
    metadata_file,
    publisher_paths,
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
from tuf.ngclient import FetcherInterface, Updater

from seqfacility_registry.conformance.mirror import Failed, Mirror, Unreachable, expect
from seqfacility_registry.trust.chain import published_version
from seqfacility_registry.trust.documents import file_of
from seqfacility_registry.trust.errors import TrustRefused
from seqfacility_registry.trust.folder import TrustFolder
from seqfacility_registry.trust.links import with_address


@dataclass(frozen=True, slots=True)
class SignedSide:
    """What a host has signed: `metadata` by file name below `/api/trust/`, and documents by their path."""

    metadata: Mapping[str, bytes]
    targets: Mapping[str, TargetFile]
    root: Root


class MirrorFetcher(FetcherInterface):
    """Gets metadata of a host under the names that we give it."""

    def __init__(self, mirror: Mirror) -> None:
        self._mirror = mirror

    def _fetch(self, url: str) -> Iterator[bytes]:
        name = from_stock_name(url.rpartition("/")[2])
        try:
            reply = self._mirror.ask(f"/trust/{name}")
        except Failed as failed:
            raise DownloadError(str(failed)) from failed
        if reply.status != 200:
            raise DownloadHTTPError(f"GET /trust/{name}: status {reply.status}", reply.status)
        return iter([reply.body])


def read_signed_side(mirror: Mirror, root: bytes, known: Path | None = None) -> SignedSide:
    """Follow the chain from a known root to the names of all documents; raises `Failed`.

    `known` is the signed side of an earlier copy, which the host may not go back behind.
    """
    with tempfile.TemporaryDirectory() as folder:
        if known is not None:
            _copy_known(known, Path(folder))
        try:
            return _follow(mirror, root, Path(folder))
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


def _copy_known(known: Path, folder: Path) -> None:
    there = TrustFolder(known)
    try:
        version = published_version(there)
    except TrustRefused:
        return
    names = ((TIMESTAMP, None), (SNAPSHOT, version))
    for role, number in names:
        path = known / metadata_file(role, number)
        if path.is_file():
            (folder / metadata_file(role, None)).write_bytes(path.read_bytes())


class _Updater(Updater):
    """The library's client, which can be told to read on when a publisher's time is over."""

    def ignore_expiry(self) -> None:
        self._trusted_set.reference_time = datetime.min.replace(tzinfo=UTC)


def _follow(mirror: Mirror, root: bytes, folder: Path) -> SignedSide:
    updater = _Updater(str(folder), f"{mirror.base_url}/trust", fetcher=MirrorFetcher(mirror), bootstrap=root)
    updater.refresh()
    # WHY: an instance refuses the packages of such a publisher, and reads all else of the host.
    updater.ignore_expiry()
    targets: Metadata[Targets] = Metadata.from_file(str(folder / metadata_file(TARGETS, None)))
    found = dict(targets.signed.targets)
    publishers = targets.signed.delegations.roles if targets.signed.delegations else None
    roles = [SNAPSHOT, TARGETS]
    for name in sorted(publishers or {}):
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
    for path in (folder / "root_history").glob("*.root.json"):
        metadata[metadata_file(ROOT, int(path.name.partition(".")[0]))] = path.read_bytes()
    newest: Metadata[Root] = Metadata.from_file(str(folder / metadata_file(ROOT, None)))
    return SignedSide(metadata, dict(sorted(found.items())), newest.signed)


def _is_of(name: str, targets: Metadata[Targets], path: str) -> bool:
    roles = targets.signed.delegations.roles if targets.signed.delegations else None
    return bool(roles and roles[name].is_delegated_path(path))


def read_document(mirror: Mirror, target: TargetFile) -> bytes:
    """Get a signed document by its digest; raises `Failed` when it is not the signed one."""
    path = f"/trust/{DOCUMENTS}/{file_of(target)}"
    content = mirror.read(path).body
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
