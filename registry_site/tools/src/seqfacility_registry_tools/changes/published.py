"""The content of a registry as things with facts and parts, so that two of them can be compared alike."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from seqfacility_registry.answers import read_document
from seqfacility_registry.checklists.editions import edition_numbers, read_edition


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that is published: what is said of it, and what it consists of, by kind and name."""

    facts: Mapping[str, object]
    parts: Mapping[tuple[str, str], "Thing"] = field(default_factory=dict)


Things = Mapping[tuple[str, str], Thing]

COLLECTIONS = {
    "technologies": "technology",
    "devices": "device",
    "flowCells": "flow cell",
    "kits": "kit",
    "software": "software",
    "barcodeSchemes": "barcode scheme",
    "barcodeSets": "barcode set",
}
PARAMETER_FACTS = ("type", "title", "x-group", "default", "enum", "minimum", "maximum", "pattern")
OUTPUT_FACTS = ("label", "pattern", "required", "destination", "matchSample", "artifactType", "primary")
DATABASE_FACTS = ("label", "version", "fileName", "downloadUrl", "configKey", "size", "sha256", "md5")
COLUMN_FACTS = ("source", "value", "required", "map")
TERM_FACTS = ("label", "level", "type", "section", "units", "options", "pattern", "helpText")
ENTRY_FACTS = ("status", "verified", "featured", "isPrivate", "licenseRequired")


def read_content(folder: Path) -> dict[str, Thing]:
    """Read every section of a content folder by its title.

    Raises `BrokenContent` or `BrokenEdition` for what cannot be read; a section that is not there is empty.
    """
    return {
        "Pipelines": Thing({}, dict(_pipelines(folder / "pipelines"))),
        "Checklists": _checklists(folder / "checklists"),
        "Catalog": _catalog(folder / "catalog" / "sequencing-tech.json"),
        "Research metrics": Thing({}, dict(_metrics(folder / "research" / "snapshot.json"))),
        "Releases": Thing({}, dict(_releases(folder / "releases"))),
        "Install profiles": Thing({}, dict(_profiles(folder / "profiles"))),
    }


def _pipelines(folder: Path) -> Iterator[tuple[tuple[str, str], Thing]]:
    for path in sorted(folder.glob("*/entry.json")):
        name = path.parent.name
        entry: Mapping[str, Any] = read_document(path)
        versions = entry["versions"]
        packages = path.parent / "versions"
        newest = [row["version"] for row in versions if (packages / row["version"]).is_dir()][-1]
        package = packages / newest / name
        parts = {
            ("version", row["version"]): Thing({key: row[key] for key in row if key != "version"})
            for row in versions
        }
        facts = {key: entry.get(key) for key in ENTRY_FACTS} | {"newest version": newest}
        yield ("pipeline", name), Thing(facts | _package_facts(package), parts | dict(_package(package)))


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
        **{key: execution.get(key) for key in ("defaultParams", "cores", "memoryGb")},
    }


def _package(package: Path) -> Iterator[tuple[tuple[str, str], Thing]]:
    manifest: Mapping[str, Any] = read_document(package / "manifest.json")
    descriptor: Mapping[str, Any] = read_document(package / "registry.json")
    sheet: Mapping[str, Any] = read_document(package / "samplesheet.json")
    schema = descriptor["configSchema"]
    for key, one in schema["properties"].items():
        facts = _chosen(one, PARAMETER_FACTS) | {"mandatory": key in schema.get("required", ())}
        default = descriptor["defaultConfig"].get(key, one.get("default"))
        yield ("parameter", key), Thing(facts | {"default": default})
    for one in manifest["outputs"]:
        yield ("output", one["id"]), Thing(_chosen(one, OUTPUT_FACTS))
    for one in descriptor["databases"]:
        yield ("database", one["id"]), Thing(_chosen(one, DATABASE_FACTS))
    for one in descriptor["tools"]:
        yield ("tool", one["name"]), Thing({"version": one.get("version")})
    for one in sheet["columns"]:
        yield ("sample sheet column", one["name"]), Thing(_chosen(one, COLUMN_FACTS))


def _checklists(folder: Path) -> Thing:
    if not edition_numbers(folder):
        return Thing({})
    edition = read_edition(folder)
    parts = {}
    for one in edition.checklists:
        terms = {("term", row["name"]): Thing(_chosen(row, TERM_FACTS)) for row in one["fields"]}
        facts = _chosen(one, ("name", "checklistVersion", "deprecated", "description"))
        parts["checklist", one["accession"]] = Thing(facts, terms)
    return Thing({"version": edition.version}, parts)


def _catalog(path: Path) -> Thing:
    if not path.exists():
        return Thing({})
    document: Mapping[str, Any] = read_document(path)
    parts = {
        (kind, one["id"]): Thing({key: value for key, value in one.items() if key != "id"})
        for collection, kind in COLLECTIONS.items()
        for one in document[collection]
    }
    return Thing({"version": document["version"]}, parts)


def _metrics(path: Path) -> Iterator[tuple[tuple[str, str], Thing]]:
    if path.exists():
        document: Mapping[str, Any] = read_document(path)
        for one in document["metrics"]:
            facts = _chosen(one, ("label", "category", "source", "unit", "flagship", "cadence"))
            points = {("point", date): Thing({"value": value}) for date, value in one["series"]}
            yield ("metric", one["id"]), Thing(facts, points)


def _releases(folder: Path) -> Iterator[tuple[tuple[str, str], Thing]]:
    for path in sorted(folder.glob("*.json")):
        document: Mapping[str, Any] = read_document(path)
        for one in document["releases"]:
            name = f"{document['channel']} {one['version']}"
            yield ("release", name), Thing({key: value for key, value in one.items() if key != "version"})


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


def _chosen(row: Mapping[str, Any], keys: tuple[str, ...]) -> dict[str, object]:
    return {key: row.get(key) for key in keys}


def plain(value: object) -> str:
    """Write a value as its document does."""
    return json.dumps(value, ensure_ascii=False)
