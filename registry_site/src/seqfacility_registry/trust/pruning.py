"""What is kept of former publications."""

import re
from contextlib import suppress
from typing import Final

from seqfacility_pipeline_package.trust_files import (
    DOCUMENTS,
    ROOT,
    SNAPSHOT,
    role_and_version,
)

from seqfacility_registry.trust.chain import SignedSet, read_set
from seqfacility_registry.trust.documents import file_of
from seqfacility_registry.trust.errors import TrustRefused
from seqfacility_registry.trust.folder import TrustFolder

_DOCUMENT: Final = re.compile(rf"{DOCUMENTS}/[0-9a-f]{{64}}(\.json)?")


def kept_sets(folder: TrustFolder, current: SignedSet) -> list[SignedSet]:
    """Return the current publication and those before it that are there, for slow clients and caches."""
    kept = [current]
    for version in folder.versions(SNAPSHOT):
        if version < current.version:
            with suppress(TrustRefused):
                kept.append(read_set(folder, version))
    return kept


def file_names(kept: list[SignedSet]) -> set[str]:
    """Return the names of all versioned files and documents of some publications, below `trust/`."""
    names = {f"{role}.{version}.json" for one in kept for role, version in one.versions().items()}
    return names | {f"{DOCUMENTS}/{file_of(target)}" for one in kept for target in one.documents().values()}


def prune(folder: TrustFolder, current: SignedSet) -> None:
    """Remove what neither this publication nor the one before names; roots stay, and what is newer stays.

    So does everything that nobody can have signed: somebody may keep a note there, or a key.

    Decision: G903, G1112.
    """
    before = sorted(kept_sets(folder, current), key=lambda one: one.version)[-2:]
    keep, newest, rest = file_names(before), current.versions(), []
    is_being_signed = False
    for path in folder.files():
        name = path.relative_to(folder.path).as_posix()
        role, version = role_and_version(name) or (None, 0)
        if role == ROOT or name in keep:
            continue
        if role is not None and version > max(newest.get(role, 0), current.seen_version(role)):
            is_being_signed = True
        elif role is not None or _DOCUMENT.fullmatch(name):
            rest.append(path)
    for path in rest:
        if not (is_being_signed and path.parent.name == DOCUMENTS):  # perhaps one of what is being signed
            path.unlink()
