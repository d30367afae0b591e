"""Writing a release into the content, when its archive has been built."""

import hashlib
from pathlib import Path

from seqfacility_pipeline_package.documents import Fields, JsonObject, readable_json
from seqfacility_registry.answers import BrokenContent, read_document
from seqfacility_registry.releases.publishing_checks import check
from seqfacility_wire.versions import Version

MIN_RUNTIME_VERSION = "3.11"
DATABASE_REQUIREMENT = "SQLite 3.35 or later, or PostgreSQL 13 or later"


class ReleaseRefused(Exception):
    """A release cannot be added; the text is one line."""


def add_release(folder: Path, version: str, archive: Path, url: str, notes: str, date: str) -> str:
    """Add a release with the digest of its archive; a pre-release goes into `beta`. Return the channel.

    Raises `ReleaseRefused` when the channel is broken or would not pass its check, and writes nothing then.

    Decision: G450.
    """
    channel = "beta" if "-" in version else "stable"
    path = folder / f"{channel}.json"
    try:
        document = read_document(path)
    except BrokenContent as broken:
        raise ReleaseRefused(str(broken)) from broken
    with archive.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    release: JsonObject = {
        "version": version,
        "channel": channel,
        "releaseDate": date,
        "downloadUrl": url,
        "checksum": f"sha256:{digest}",
        "releaseNotes": notes,
        "minRuntimeVersion": MIN_RUNTIME_VERSION,
        "databaseRequirement": DATABASE_REQUIREMENT,
    }
    releases = [release, *(dict(row.values) for row in Fields(document).parts("releases"))]
    releases.sort(key=lambda row: Version.parse(str(row.get("version"))) or Version(()), reverse=True)
    changed: JsonObject = {"channel": channel, "releases": [*releases]}
    if faults := check(document) or check(changed):
        raise ReleaseRefused(faults[0])
    path.write_text(readable_json(changed), encoding="utf-8")
    return channel
