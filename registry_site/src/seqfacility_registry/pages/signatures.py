"""Who signed the content of a registry, according to its signed metadata. Decision: G1008."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from seqfacility_pipeline_package.trust_files import (
    ROOT,
    SNAPSHOT,
    TARGETS,
    TIMESTAMP,
    TIMESTAMP_FILE,
    metadata_file,
    role_and_version,
)

from seqfacility_registry.pages.documents import TRUST, Documents

_NAMES: Final = {ROOT: "Root", TARGETS: "Registry", SNAPSHOT: "Snapshot", TIMESTAMP: "Timestamp"}
_MEANINGS: Final = {
    ROOT: "names the keys of all others",
    TARGETS: "pipelines, catalog, checklists and the rest",
    SNAPSHOT: "says which files belong together",
    TIMESTAMP: "says which snapshot is the newest",
}


@dataclass(frozen=True, slots=True)
class Role:
    """A signing role: its threshold, the keys that signed, its expiry date and its documents."""

    name: str
    meaning: str
    needed: int
    keys: Sequence[str]
    until: str
    documents: frozenset[str]


@dataclass(frozen=True, slots=True)
class RootFile:
    """One version of the root metadata: its file name, its path among the answers, and its digest."""

    name: str
    path: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Signatures:
    """Who signs the content of these pages; `roots` are oldest first and never empty."""

    roots: Sequence[RootFile]
    roles: Sequence[Role]

    def signer(self, document: str) -> Role | None:
        """Return the role that signs an answer, by its signed path: `registry/mixs`."""
        return next((role for role in self.roles if document in role.documents), None)


def signatures_of(documents: Documents) -> Signatures | None:
    """Read the signed metadata that a registry publishes; None when it is not signed.

    HAZARD: nothing is verified here. Pages are not signed; they only repeat what instances verify.
    """
    if f"{TRUST}{TIMESTAMP_FILE}" not in documents:
        return None
    roots = list(_roots(documents))
    return Signatures(roots, list(_roles(documents, roots[-1]))) if roots else None


def _roots(documents: Documents) -> Iterator[RootFile]:
    named = (role_and_version(path.removeprefix(TRUST)) for path in documents.below(TRUST))
    for version in sorted(found[1] for found in named if found is not None and found[0] == ROOT):
        name = metadata_file(ROOT, version)
        content = documents.content(f"{TRUST}{name}")
        assert content is not None
        yield RootFile(name, f"{TRUST}{name}", hashlib.sha256(content).hexdigest())


def _roles(documents: Documents, newest: RootFile) -> Iterator[Role]:
    root = documents.find(newest.path)
    delegated = root["signed"]["roles"]
    timestamp = _read(documents, TIMESTAMP, None)
    snapshot = _read(documents, SNAPSHOT, _version(timestamp, SNAPSHOT))
    targets = _read(documents, TARGETS, _version(snapshot, TARGETS))
    publishers = {row["name"]: row for row in (targets["signed"].get("delegations") or {}).get("roles", [])}
    yield _role(ROOT, delegated[ROOT], root)
    yield _role(TARGETS, delegated[TARGETS], targets)
    for name in sorted(publishers):
        if metadata_file(name, None) in snapshot["signed"]["meta"]:
            yield _role(name, publishers[name], _read(documents, name, _version(snapshot, name)))
    yield _role(SNAPSHOT, delegated[SNAPSHOT], snapshot)
    yield _role(TIMESTAMP, delegated[TIMESTAMP], timestamp)


def _read(documents: Documents, role: str, version: int | None) -> Mapping[str, Any]:
    found: Mapping[str, Any] = documents.find(f"{TRUST}{metadata_file(role, version)}")
    return found


def _version(metadata: Mapping[str, Any], role: str) -> int:
    return int(metadata["signed"]["meta"][metadata_file(role, None)]["version"])


def _role(name: str, delegation: Mapping[str, Any], metadata: Mapping[str, Any]) -> Role:
    signed = [row["keyid"] for row in metadata["signatures"] if row["sig"]]
    return Role(
        name=_NAMES.get(name, f"Publisher {name}"),
        meaning=_MEANINGS.get(name, "packages of this publisher alone"),
        needed=delegation["threshold"],
        keys=[key for key in signed if key in delegation["keyids"]],
        until=metadata["signed"]["expires"][:10],
        documents=frozenset(metadata["signed"].get("targets", {})),
    )
