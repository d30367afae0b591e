"""`pull`: a mirror of files of which every one has been verified. Decision: G910."""

import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from seqfacility_pipeline_package.documents import read_json
from seqfacility_pipeline_package.trust_files import DOCUMENTS, IMAGES, TIMESTAMP_FILE
from tuf.api.metadata import Metadata

from seqfacility_registry.answers import json_bytes
from seqfacility_registry.conformance.mirror import Failed, Mirror, open_mirror
from seqfacility_registry.conformance.signed import SignedSide, read_document, read_signed_side
from seqfacility_registry.export_servers import nginx_configuration
from seqfacility_registry.install_profiles.rules import InstallProfile
from seqfacility_registry.site.resources import HEALTHY
from seqfacility_registry.trust.chain import check_documents, check_set, published_version, read_set
from seqfacility_registry.trust.documents import file_of
from seqfacility_registry.trust.errors import TrustRefused
from seqfacility_registry.trust.folder import TrustFolder
from seqfacility_registry.trust.links import with_address
from seqfacility_registry.trust.pruning import file_names

_PATH = re.compile(
    r"[A-Za-z0-9_][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*(/[A-Za-z0-9_][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*)*"
)
_RESOLVED = re.compile(r"install-profiles/([^/]+)/resolve")


def pull(url: str, place: Path, root: bytes, public_url: str) -> int:
    """Make `place` a link to a fresh folder with the mirror of a registry; return the number of files.

    What `place` has is what the registry may not go back behind, and its publication stays readable. Raises
    `TrustRefused`, and then `place` is as it was.
    """
    if place.exists() and not place.is_symlink():
        raise TrustRefused(f"{place} exists and is not a link that pull has made")
    try:
        mirror = open_mirror(url)
        before = place / "api" / "trust"
        signed = read_signed_side(mirror, root, before)
        files = dict(_files(mirror, signed, public_url))
    except (Failed, ValueError) as failed:
        raise TrustRefused(f"{url}: {failed}") from failed
    files |= {f"api/trust/{name}": content for name, content in _former(before, signed).items()}
    number = Metadata.from_bytes(signed.metadata[TIMESTAMP_FILE]).signed.version
    fresh = place.with_name(f".{place.name}.{number}.{os.getpid()}")
    try:
        _write(fresh, files)
    except OSError as full:
        shutil.rmtree(fresh, ignore_errors=True)
        raise TrustRefused(f"{fresh} cannot be written: {full.strerror}") from full
    former = place.resolve() if place.is_symlink() else None
    link = fresh.with_name(f"{fresh.name}.link")
    link.symlink_to(fresh.name)
    link.replace(place)
    if (
        former is not None
        and former.parent == fresh.parent.resolve()
        and former.name.startswith(f".{place.name}.")
    ):
        shutil.rmtree(former)
    return len(files)


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _files(mirror: Mirror, signed: SignedSide, public_url: str) -> Iterator[tuple[str, bytes]]:
    attachments = {}
    for path, target in signed.targets.items():
        if not _PATH.fullmatch(path):
            raise Failed(f"{path!r} is no path of a registry")
        content = read_document(mirror, target)
        yield f"api/trust/{DOCUMENTS}/{file_of(target)}", content
        if path.startswith(IMAGES):
            yield path, content
            continue
        document = read_json(content)
        view = with_address(document, public_url)
        if not isinstance(document, dict) or not isinstance(view, dict):
            raise Failed(f"{path} is no document")
        yield f"api/{path}/index.json", json_bytes(view)
        if resolved := _RESOLVED.fullmatch(path):
            attachments[resolved[1]] = InstallProfile(True, False, "", document).file_name
    for name, content in signed.metadata.items():
        yield f"api/trust/{name}", content
    yield "api/health/index.json", HEALTHY
    yield "server/nginx.conf", nginx_configuration(attachments).encode()


def _former(before: Path, signed: SignedSide) -> Mapping[str, bytes]:
    """Return the files of the publication that was pulled before, for clients that are still reading it."""
    folder = TrustFolder(before)
    try:
        found = read_set(folder, published_version(folder))
        check_set(signed.root, found)
        check_documents(folder, found)
    except TrustRefused:
        return {}
    names = file_names([found]) - set(signed.metadata)
    return {name: (before / name).read_bytes() for name in sorted(names)}
