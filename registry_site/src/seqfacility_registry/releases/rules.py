"""Pure decisions of the release feed: which release is the latest, and whether it is news."""

from collections.abc import Iterable

from seqfacility_pipeline_package.documents import JsonObject
from seqfacility_wire.versions import Version, is_newer


def latest_release(releases: Iterable[JsonObject]) -> JsonObject | None:
    """Return the release with the highest version, whatever their order or dates; None without one.

    A release whose version is none cannot be the latest.

    Spec: registry, Release feed. Decision: G238.
    """
    return next(iter(newest_first(releases)), None)


def newest_first(releases: Iterable[JsonObject]) -> list[JsonObject]:
    """Sort releases by version, without those whose version is not valid. Decision: G1009."""
    versions = [(Version.parse(str(release.get("version"))), release) for release in releases]
    known = [(version, release) for version, release in versions if version is not None]
    return [release for _version, release in sorted(known, key=lambda row: row[0], reverse=True)]


def release_answer(latest: JsonObject, current: str | None) -> dict[str, object]:
    """Make the answer for who runs `current`; `currentVersion` is present only when it is named.

    Spec: registry, Release feed. Decision: G238.
    """
    if current is None:
        return {"latest": latest, "updateAvailable": False}
    return {
        "latest": latest,
        "updateAvailable": is_newer(str(latest["version"]), than=current),
        "currentVersion": current,
    }
