"""`pull`: a mirror of files of which every one has been verified. Decision: G910."""

import os
import re
import secrets
import shutil
import time
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path

from seqfacility_pipeline_package.documents import read_json
from seqfacility_pipeline_package.trust_files import DOCUMENTS, IMAGES, ROOT, metadata_file, web_path

from seqfacility_registry.answers import json_bytes
from seqfacility_registry.conformance.mirror import Failed, Mirror, open_mirror
from seqfacility_registry.conformance.signed import SignedSide, read_document, read_signed_side
from seqfacility_registry.export import write_files
from seqfacility_registry.release import RELEASE
from seqfacility_registry.static_answers import HEALTH, HEALTHY, SERVICE_INFO
from seqfacility_registry.trs.rules import service_info
from seqfacility_registry.trust.chain import check_documents, check_set, published_version, read_set
from seqfacility_registry.trust.documents import file_of
from seqfacility_registry.trust.errors import TrustRefused
from seqfacility_registry.trust.folder import TrustFolder
from seqfacility_registry.trust.links import with_address
from seqfacility_registry.trust.pruning import file_names
from seqfacility_registry.web_root import Layout, web_root

_PATH = re.compile(
    r"[A-Za-z0-9_][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*(/[A-Za-z0-9_][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*)*"
)

_MAX_WRITING_SECONDS = 3600
"""A folder that is younger than this may be one that another pull is writing."""


def pull(url: str, place: Path, root: bytes, public_url: str, layout: Layout = Layout.INDEX) -> int:
    """Make `place` a link to a fresh folder with the mirror of a registry; return the number of files.

    What `place` has is what the registry may not go back behind, and its publication stays readable. Raises
    `TrustRefused`, and then `place` is as it was.

    Decision: G1109.
    """
    if place.exists() and not place.is_symlink():
        raise TrustRefused(f"{place} exists and is not a link that pull has made")
    former = _target(place)
    try:
        mirror = open_mirror(url)
        before = place / "api" / "trust"
        signed = read_signed_side(mirror, root, before)
        answers = _answers(mirror, signed, public_url)
    except (Failed, ValueError) as failed:
        raise TrustRefused(f"{url}: {failed}") from failed
    answers |= {f"api/trust/{name}": content for name, content in _former(before, signed).items()}
    try:
        files = web_root(answers, layout)
    except ValueError as error:
        raise TrustRefused(f"{url}: {error}") from error
    # WHY: in a container every pull may have the same process number, and the folder of now is being served.
    fresh = place.with_name(f".{place.name}.pull-{secrets.token_hex(8)}")
    link = fresh.with_name(f"{fresh.name}.link")
    try:
        write_files(fresh, files, layout)
        # WHY: after a power cut the link must not lead to files that were never written.
        os.sync()
        link.symlink_to(fresh.name)
    except OSError as full:
        shutil.rmtree(fresh, ignore_errors=True)
        raise TrustRefused(f"{fresh} cannot be written: {full.strerror}") from full
    if _target(place) != former:
        link.unlink()
        shutil.rmtree(fresh, ignore_errors=True)
        raise TrustRefused(f"another pull has replaced {place} meanwhile")
    link.replace(place)
    _remove_old(place, {fresh.name, former})
    return len(files)


def _target(place: Path) -> str | None:
    return place.readlink().name if place.is_symlink() else None


def _remove_old(place: Path, kept: Collection[str | None]) -> None:
    """Remove what earlier pulls have left, killed ones too, but not what is still read or written.

    `kept` has the folder of now and the one before, from which somebody may be copying. Decision: G968.
    """
    ours = re.compile(rf"\.{re.escape(place.name)}\.pull-[0-9a-f]{{16}}(\.link)?")
    for path in place.parent.iterdir():
        if path.name in kept or not ours.fullmatch(path.name):
            continue
        with suppress(OSError):  # perhaps another pull is removing it
            if time.time() - path.lstat().st_mtime < _MAX_WRITING_SECONDS:
                continue
            if path.is_symlink():
                path.unlink()
            else:
                shutil.rmtree(path)


def _answers(mirror: Mirror, signed: SignedSide, public_url: str) -> dict[str, bytes]:
    """Return what the mirror will answer, by path."""
    found = {}
    for path, target in signed.targets.items():
        if not _PATH.fullmatch(path):
            raise Failed(f"{path!r} is no path of a registry")
        content = read_document(mirror, target)
        found[f"api/trust/{DOCUMENTS}/{file_of(target)}"] = content
        if path.startswith(IMAGES):
            found[path] = content
            continue
        view = with_address(read_json(content), public_url)
        if not isinstance(view, dict | list):
            raise Failed(f"{path} is no document")
        found[web_path(path)] = json_bytes(view)
    found |= {f"api/trust/{name}": content for name, content in signed.metadata.items()}
    found[HEALTH] = HEALTHY
    found[SERVICE_INFO] = json_bytes(service_info(public_url, RELEASE))
    return found


def _former(before: Path, signed: SignedSide) -> Mapping[str, bytes]:
    """Return the files of the publication that was pulled before, for clients that are still reading it.

    All its roots, also those before the given one: a client that knows the first follows them one by one.
    """
    folder = TrustFolder(before)
    roots = {metadata_file(ROOT, version) for version in folder.versions(ROOT)}
    try:
        found = read_set(folder, published_version(folder))
        check_set(signed.root, found)
        check_documents(folder, found)
        names = file_names([found]) | roots
    except TrustRefused:
        names = roots
    return {name: (before / name).read_bytes() for name in sorted(names - set(signed.metadata))}
