"""The content of a registry as things with facts and parts."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from seqfacility_pipeline_package.folder import IGNORED_FOLDER
from seqfacility_pipeline_package.names import version_order
from seqfacility_pipeline_package.wildcards import OutputPattern
from seqfacility_registry.answers import read_document
from seqfacility_registry.checklists.editions import edition_numbers, read_edition

from seqfacility_registry_tools.changes.things import Thing
from seqfacility_registry_tools.changes.trust import read_trust

COLLECTIONS = {
    "technologies": "technology",
    "devices": "device",
    "flowCells": "flow cell",
    "kits": "kit",
    "software": "software",
    "barcodeSchemes": "barcode scheme",
    "barcodeSets": "barcode set",
}
TOLD_IN_WORDS = (
    "catalog/sequencing-tech.json",
    "checklists/definitions/*/*.json",
    "pipelines/published.lock.json",
    "pipelines/*/entry.json",
    "pipelines/*/versions/**/*",
    "profiles/*.json",
    "releases/*.json",
    "research/snapshot.json",
    "trust/documents/*",
)
"""Files whose content is told in words; definitions and documents have their digest for a name."""


def read_content(folder: Path) -> dict[str, Thing]:
    """Read every section of a content folder by its title.

    Raises `BrokenContent` or `BrokenEdition` for what cannot be read; a section that is not there is empty.
    """
    return {
        "Pipelines": Thing({}, dict(_pipelines(folder / "pipelines"))),
        "Checklists": _checklists(folder / "checklists"),
        "Catalog": _catalog(folder / "catalog" / "sequencing-tech.json"),
        "Research metrics": _metrics(folder / "research" / "snapshot.json"),
        "Releases": Thing({}, dict(_releases(folder / "releases"))),
        "Install profiles": Thing({}, dict(_profiles(folder / "profiles"))),
        "Trust": read_trust(folder),
        "Other files": Thing({}, dict(_other_files(folder))),
    }


def _pipelines(folder: Path) -> Iterator[tuple[tuple[str, str], Thing]]:
    for path in sorted(folder.glob("*/entry.json")):
        name = path.parent.name
        entry: Mapping[str, Any] = read_document(path)
        rows = sorted(entry["versions"], key=lambda row: version_order(row["version"]))
        packages = path.parent / "versions"
        parts = {
            ("version", row["version"]): Thing(
                _without(row, "version", "status", "yankReason")
                | {"withdrawn": row.get("yankReason", row.get("status"))},
                dict(_files(packages / row["version"] / name)),
            )
            for row in rows
        }
        newest = [row["version"] for row in rows if (packages / row["version"]).is_dir()][-1]
        facts = {**dict(_leaves("", _without(entry, "id", "versions"))), "newest version": newest}
        package = packages / newest / name
        yield ("pipeline", name), Thing(facts | _package_facts(package), parts | dict(_package(package)))


def _files(folder: Path) -> Iterator[tuple[tuple[str, str], Thing]]:
    """Take every file below a folder; what Python compiled is published nowhere."""
    for path in sorted(folder.rglob("*")):
        place = path.relative_to(folder)
        if path.is_file() and IGNORED_FOLDER not in place.parts:
            lines = path.read_bytes().splitlines(keepends=True)
            yield ("file", place.as_posix()), Thing({}, lines=tuple(lines))


def _other_files(folder: Path) -> Iterator[tuple[tuple[str, str], Thing]]:
    told = [OutputPattern.parse(place) for place in TOLD_IN_WORDS]
    for key, file in _files(folder):
        if not any(pattern.matches(key[1]) for pattern in told):
            yield key, file


def _package_facts(package: Path) -> dict[str, object]:
    manifest: Mapping[str, Any] = read_document(package / "manifest.json")
    descriptor: Mapping[str, Any] = read_document(package / "registry.json")
    execution = manifest["execution"]
    return {
        **{key: descriptor.get(key) for key in ("category", "tags", "description")},
        "license": manifest["package"].get("license"),
        "targets": manifest["targets"]["supported"],
        **manifest["sequencingCompatibility"],
        **{f"workflow {key}": value for key, value in execution["workflow"].items()},
        **dict(_leaves("defaultParams", execution.get("defaultParams", {}))),
        **{key: execution.get(key) for key in ("cores", "memoryGb")},
    }


def _package(package: Path) -> Iterator[tuple[tuple[str, str], Thing]]:
    manifest: Mapping[str, Any] = read_document(package / "manifest.json")
    descriptor: Mapping[str, Any] = read_document(package / "registry.json")
    sheet: Mapping[str, Any] = read_document(package / "samplesheet.json")
    schema = descriptor["configSchema"]
    required = schema.get("required", ())
    for key, one in schema["properties"].items():
        default = descriptor["defaultConfig"].get(key, one.get("default"))
        yield ("parameter", key), Thing({**one, "default": default, "mandatory": key in required})
    for one in manifest["outputs"]:
        yield ("output", one["id"]), Thing(_without(one, "id"))
    for one in descriptor["databases"]:
        yield ("database", one["id"]), Thing(_without(one, "id"))
    for one in descriptor["tools"]:
        yield ("tool", one["name"]), Thing(_without(one, "name"))
    for one in sheet["columns"]:
        yield ("sample sheet column", one["name"]), Thing(_without(one, "name"))


def _checklists(folder: Path) -> Thing:
    if not edition_numbers(folder):
        return Thing({})
    edition = read_edition(folder)
    parts = {}
    for one in edition.checklists:
        terms = {("term", row["name"]): Thing(_without(row, "name")) for row in one["fields"]}
        parts["checklist", one["accession"]] = Thing(_without(one, "accession", "fields"), terms)
    return Thing({"version": edition.version}, parts)


def _catalog(path: Path) -> Thing:
    if not path.exists():
        return Thing({})
    document: Mapping[str, Any] = read_document(path)
    parts = {
        (kind, one["id"]): Thing(_without(one, "id"))
        for collection, kind in COLLECTIONS.items()
        for one in document[collection]
    }
    return Thing(_without(document, *COLLECTIONS), parts)


def _metrics(path: Path) -> Thing:
    if not path.exists():
        return Thing({})
    document: Mapping[str, Any] = read_document(path)
    parts = {}
    for one in document["metrics"]:
        points = {("point", date): Thing({"value": value}) for date, value in one["series"]}
        parts["metric", one["id"]] = Thing(_without(one, "id", "series"), points)
    return Thing(_without(document, "metrics"), parts)


def _releases(folder: Path) -> Iterator[tuple[tuple[str, str], Thing]]:
    for path in sorted(folder.glob("*.json")):
        document: Mapping[str, Any] = read_document(path)
        for one in document["releases"]:
            name = f"{document['channel']} {one['version']}"
            yield ("release", name), Thing(_without(one, "version"))


def _profiles(folder: Path) -> Iterator[tuple[tuple[str, str], Thing]]:
    for path in sorted(folder.glob("*.json")):
        document: Mapping[str, Any] = read_document(path)
        yield ("profile", path.stem), Thing(dict(_leaves("", document)))


def _leaves(place: str, value: object) -> Iterator[tuple[str, object]]:
    """Name each value of a document by its way from the root, without the part that all have in common."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(f"{place}.{key}" if place else str(key), inner)
    else:
        yield place.removeprefix("profile."), value


def _without(row: Mapping[str, Any], *keys: str) -> dict[str, object]:
    return {key: value for key, value in row.items() if key not in keys}
