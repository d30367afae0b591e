"""`import-nf-core`: the package of one workflow at one tag, written beside those that are published."""

import itertools
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seqfacility_pipeline_package.documents import (
    Fields,
    JsonObject,
    NotStrictJson,
    canonical_json,
    read_json,
    readable_json,
)
from seqfacility_pipeline_package.package import check_package
from seqfacility_pipeline_package.published import read_lock
from seqfacility_schemas import problems
from seqfacility_wire.command_line.refusal import Refused
from seqfacility_wire.versions import Version

from seqfacility_registry_tools.nf_core.building import Findings, package_documents
from seqfacility_registry_tools.nf_core.source import Source

CURATION = "curation.json"


class ImportProblems(Refused):
    """The curation and the workflow do not fit each other."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__("\n  ".join(["nothing was written:", *lines]))


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did: the version that stands there now, and whether it was written by this import."""

    version: str
    is_new: bool


def import_package(folder: Path, source: Source, today: str) -> Imported:
    """Build the package of a workflow and write it, unless the newest version says the same already.

    `folder` is that of all pipelines. A version that is not locked yet is written again; after one that is
    published a correction gets a fourth number, and the date of today.

    Raises `Refused` for a pipeline without curation and `ImportProblems` for what does not fit; nothing is
    written then.

    Decision: G945, G947, G957.
    """
    home = folder / source.name
    curation, listing = _curation(home / CURATION), _listing(home / "entry.json", source)
    locked = Fields(read_lock(folder)).mapping(source.name)
    rows = Fields(listing).parts("versions")
    taken = [row.text("version") for row in rows]
    listed = [row.text("version") for row in rows if _has_package(home, row)]
    of_this_tag = [version for version in listed if _is_of(version, source)]
    if listed and listed[-1] not in of_this_tag and _number(listed[-1]) >= _number(source.tag):
        raise Refused(f"{source.name} {source.tag} is not newer than {listed[-1]}")
    if of_this_tag and _standing(home, of_this_tag[-1]) == _built(source, curation, of_this_tag[-1]):
        return Imported(of_this_tag[-1], is_new=False)
    open_versions = [version for version in of_this_tag if version not in locked]
    version = open_versions[-1] if open_versions else _next(source.tag, taken)
    documents = _built(source, curation, version)
    if version not in of_this_tag:
        date = source.date if version == source.tag else today
        listing["versions"] = [*(dict(row.values) for row in rows), {"version": version, "releaseDate": date}]
    listing["source"] = Fields(listing).mapping("source") | {"refDefault": source.tag}
    if Fields(listing).part("verification").values.get("version") != version:
        listing.pop("verification", None)
        listing["verified"] = False
    _write(home, version, documents, listing)
    return Imported(version, is_new=True)


def _built(source: Source, curation: Mapping[str, Any], version: str) -> dict[str, bytes]:
    findings = Findings()
    documents = package_documents(source, curation, version, findings)
    if findings.lines:
        raise ImportProblems(findings.lines)
    return {path: canonical_json(document) for path, document in sorted(documents.items())}


def _standing(home: Path, version: str) -> dict[str, bytes]:
    place = home / "versions" / version / home.name
    return {
        path.relative_to(place).as_posix(): canonical_json(_read(path))
        for path in sorted(place.rglob("*.json"))
    }


def _write(home: Path, version: str, documents: Mapping[str, bytes], listing: JsonObject) -> None:
    """Write a package that keeps all rules, and its entry; both are whole before either gets its place."""
    if faults := problems("pipeline_package/listing", listing):
        raise ImportProblems([f"entry.json: {line}" for line in faults])
    with tempfile.TemporaryDirectory(prefix=".import-", dir=home) as room:
        place = Path(room) / version / home.name
        for path, content in documents.items():
            target = place / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(readable_json(read_json(content)), encoding="utf-8")
        if faults := [str(fault) for fault in check_package(place)]:
            raise ImportProblems(faults)
        entry = Path(room) / "entry.json"
        entry.write_text(readable_json(listing), encoding="utf-8")
        target = home / "versions" / version
        target.parent.mkdir(exist_ok=True)
        if target.exists():
            target.rename(Path(room) / "before")
        place.parent.rename(target)
        entry.replace(home / "entry.json")


def _curation(path: Path) -> JsonObject:
    if not path.exists():
        raise Refused(f"{path}: there is none")
    curation = _read(path)
    if faults := problems("pipeline_package/nf-core-curation", curation):
        raise ImportProblems([f"{CURATION}: {line}" for line in faults])
    return curation


def _listing(path: Path, source: Source) -> JsonObject:
    if path.exists():
        return _read(path)
    return {
        "id": source.name,
        "status": "available",
        "verified": False,
        "featured": False,
        "source": {
            "kind": "github",
            "label": f"nf-core/{source.name} on GitHub",
            "repository": source.repository,
            "refDefault": source.tag,
            "descriptorPath": "nextflow_schema.json",
            "includeWorkflow": False,
        },
        "versions": [],
    }


def _read(path: Path) -> JsonObject:
    try:
        document = read_json(path.read_bytes())
    except NotStrictJson as broken:
        raise Refused(f"{path}: {broken}") from broken
    if not isinstance(document, dict):
        raise Refused(f"{path}: is not a JSON object")
    return document


def _is_of(version: str, source: Source) -> bool:
    """Return whether a version is the tag itself or a correction of its package."""
    rest = version.removeprefix(source.tag)
    return version.startswith(source.tag) and (not rest or (rest[0] == "." and rest[1:].isdigit()))


def _number(version: str) -> Version:
    return Version.parse(version) or Version(())


def _has_package(home: Path, row: Fields) -> bool:
    """Return whether a version is ours: what somebody else published has a reason and no package."""
    return "status" not in row.values or (home / "versions" / row.text("version")).is_dir()


def _next(tag: str, taken: Collection[str]) -> str:
    """Return the first version of a tag that nobody has published."""
    revisions = (f"{tag}.{number}" for number in itertools.count(1))
    return next(version for version in itertools.chain([tag], revisions) if version not in taken)
