"""What a channel of releases must keep before it is published."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from seqfacility_schemas import problems
from seqfacility_wire.versions import is_newer


def check(document: Mapping[str, Any]) -> list[str]:
    """List what is wrong with a channel file: shape, channel names, versions not falling from the newest.

    Spec: registry, Release feed. Gap: G238.
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
    for newer, older in pairwise(releases):
        if not is_newer(newer["version"], older["version"]):
            yield f"releases.{older['version']}: not older than {newer['version']}, which stands before it"
