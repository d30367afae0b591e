"""How signed publications are named: roles, files below `/api/trust/`, documents by digest.

Registry and instance agree on these names. The metadata is that of The Update Framework (TUF); only its
files are named otherwise: `root.3.json`, where TUF says `3.root.json`.

Decision: G900, G901.
"""

import re

ROOT, TARGETS, SNAPSHOT, TIMESTAMP = "root", "targets", "snapshot", "timestamp"
TOP_LEVEL = (ROOT, TARGETS, SNAPSHOT, TIMESTAMP)
TIMESTAMP_FILE = "timestamp.json"
DOCUMENTS = "documents"
"""The folder of documents by digest, below `/api/trust/` and below `trust/` of a content."""

ISSUED = "issued"
"""The field of `signed` that says when a timestamp was made, ISO 8601 in UTC with seconds."""

PUBLISHERS = "publishers"
"""The field of a root's `signed` that maps publishers to the ids of their keys."""

IMAGES = "images/"
"""Targets that are drawings begin with it; all others are JSON documents."""

AT_ROOT = (IMAGES, "ga4gh/")
"""Targets that are answered beside `/api`, and not below it, begin with one of these."""

_PUBLISHER = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
_VERSIONED = re.compile(r"([a-z0-9][a-z0-9-]{0,31})\.([1-9][0-9]{0,8})\.json")
_STOCK = re.compile(r"([1-9][0-9]{0,8})\.([a-z0-9][a-z0-9-]{0,31})\.json")


def is_publisher(name: str) -> bool:
    """Return whether a publisher can have this name, which is that of its role."""
    return _PUBLISHER.fullmatch(name) is not None and name not in TOP_LEVEL


def publisher_paths(name: str) -> list[str]:
    """Return the patterns of the documents that a publisher signs: the packages of its pipelines.

    Their entries are the release key's, so that it can withdraw a version.

    Decision: G991.
    """
    return [f"registry/pipelines/{name}-*/*/download"]


def metadata_file(role: str, version: int | None) -> str:
    """Return the name of a metadata file; `timestamp` has no version."""
    return f"{role}.json" if version is None else f"{role}.{version}.json"


def role_and_version(file_name: str) -> tuple[str, int] | None:
    """Read the name of a versioned metadata file; None when it is none."""
    found = _VERSIONED.fullmatch(file_name)
    return (found[1], int(found[2])) if found else None


def from_stock_name(file_name: str) -> str:
    """Return our name of a metadata file that a TUF client asks for as `3.root.json`."""
    found = _STOCK.fullmatch(file_name)
    return metadata_file(found[2], int(found[1])) if found else file_name


def web_path(path: str) -> str:
    """Return where a target is answered, below the root of the host."""
    return path if path.startswith(AT_ROOT) else f"api/{path}"


def document_file(path: str, sha256: str) -> str:
    """Return the name of a target's bytes below `documents/`; `path` is the target's."""
    return sha256 if path.startswith(IMAGES) else f"{sha256}.json"
