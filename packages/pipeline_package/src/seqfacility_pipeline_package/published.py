"""The lock file of published versions, which never change and never vanish."""

from collections.abc import Mapping
from pathlib import Path

from seqfacility_pipeline_package.documents import (
    JsonObject,
    JsonValue,
    canonical_json,
    read_json,
    readable_json,
)
from seqfacility_pipeline_package.payload import pack

LOCK_NAME = "published.lock.json"


def packages_below(content: Path) -> list[Path]:
    """Find the package folders of a registry's content: `<id>/versions/<version>/<id>`, sorted."""
    return sorted(path for path in content.glob("*/versions/*/*") if path.is_dir())


def digests_below(content: Path) -> JsonObject:
    """Compute `{<id>: {<version>: {sha256, size}}}` of all packages of a registry's content.

    Raises `PackageInvalid` when one of them breaks a rule.
    """
    result: dict[str, JsonValue] = {}
    for folder in packages_below(content):
        payload = pack(folder)
        versions = result.setdefault(folder.name, {})
        assert isinstance(versions, dict)
        versions[str(payload["version"])] = {
            "sha256": payload["sha256"],
            "size": len(canonical_json(payload)),
        }
    return result


def changed_versions(locked: Mapping[str, JsonValue], actual: Mapping[str, JsonValue]) -> list[str]:
    """List the locked versions that have changed or vanished, as sentences; empty when all stand."""
    lines = []
    for package_id, versions in sorted(locked.items()):
        now = actual.get(package_id)
        assert isinstance(versions, dict)
        for version, facts in sorted(versions.items()):
            assert isinstance(facts, dict)
            there = now.get(version) if isinstance(now, dict) else None
            if not isinstance(there, dict):
                lines.append(f"{package_id} {version} is published but no longer there")
            elif there["sha256"] != facts["sha256"]:
                lines.append(f"{package_id} {version} is published and has changed; give it a new version")
    return lines


def read_lock(content: Path) -> JsonObject:
    """Read the digests of the lock file; empty when there is none yet."""
    path = content / LOCK_NAME
    if not path.exists():
        return {}
    document = read_json(path.read_bytes())
    packages = document.get("packages") if isinstance(document, dict) else None
    return packages if isinstance(packages, dict) else {}


def write_lock(content: Path) -> list[str]:
    """Add all versions that the lock file does not know yet.

    Gives the sentences of `changed_versions`; with any of them nothing is written.
    """
    locked, actual = read_lock(content), digests_below(content)
    faults = changed_versions(locked, actual)
    if not faults:
        merged: JsonObject = {}
        for package_id in sorted(actual):
            new, old = actual[package_id], locked.get(package_id, {})
            assert isinstance(new, dict)
            assert isinstance(old, dict)
            merged[package_id] = new | old
        (content / LOCK_NAME).write_text(
            readable_json({"lockVersion": 1, "packages": merged}), encoding="utf-8"
        )
    return faults
