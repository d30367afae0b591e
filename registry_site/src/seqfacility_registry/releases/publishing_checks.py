"""What a channel of releases must keep before it is published."""

import hashlib
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any
from urllib.parse import urlsplit

from seqfacility_schemas import problems
from seqfacility_wire.versions import is_newer

_DIGEST_OF_NOTHING = f"sha256:{hashlib.sha256().hexdigest()}"
_RESERVED = ("example", "invalid", "localhost", "test", "example.com", "example.net", "example.org")
"""Names that are never anybody's host. RFC 2606, RFC 6761."""


def is_reserved(host: str) -> bool:
    """Return whether a host name is one that nobody can own."""
    return any(host == name or host.endswith(f".{name}") for name in _RESERVED)


def check(document: Mapping[str, Any]) -> list[str]:
    """List what is wrong with a channel file: shape, channel names, versions not falling from the newest.

    An archive that does not exist is no release: neither the digest of nothing nor an address below a name
    that is reserved for examples and tests.

    Spec: registry, Release feed. Decision: G238, G450.
    """
    return problems("registry/release-channel", document) or list(_problems(document))


def _problems(document: Mapping[str, Any]) -> Iterator[str]:
    releases = document["releases"]
    for release in releases:
        where = f"releases.{release['version']}"
        if release["channel"] != document["channel"]:
            yield f"{where}: belongs to the channel {release['channel']}"
        if document["channel"] == "stable" and "-" in release["version"]:
            yield f"{where}: a pre-release is never stable"
        if release["version"] not in release["downloadUrl"]:
            yield f"{where}: downloadUrl is of another version"
        if release["checksum"] == _DIGEST_OF_NOTHING:
            yield f"{where}: checksum is that of an empty file"
        if is_reserved(urlsplit(release["downloadUrl"]).hostname or ""):
            yield f"{where}: downloadUrl is at a name that is reserved for examples"
    for newer, older in pairwise(releases):
        if not is_newer(newer["version"], older["version"]):
            yield f"releases.{older['version']}: not older than {newer['version']}, which stands before it"
