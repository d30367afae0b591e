"""What a release published and how it read, frozen in `schemas/releases/<version>`: nothing later breaks it.

    python -m seqfacility_testkit.frozen_releases 0.2.0

freezes this one: the answers of a small signed content, as an export has them, and the schemas by which an
instance of this release reads them (`consumer.json`). What has a tag is never frozen again. Decision: G973.
"""

import argparse
import json
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Final

from seqfacility_pipeline_package.names import version_order
from seqfacility_pipeline_package.published import write_lock
from seqfacility_schemas import consumer_schema, load_schema, routes, schema_names
from seqfacility_schemas.checking import problems_among
from seqfacility_wire.versions import is_newer

from seqfacility_testkit.contract import schema_of
from seqfacility_testkit.signed_registry import sign_registry

ROOT: Final = Path(__file__).resolve().parents[4]
RELEASES: Final = ROOT / "schemas/releases"
CONTENT: Final = ROOT / "registry_site/content"
ADDRESS: Final = "https://registry.invalid/api"
READ_BY_INSTANCES: Final = ("registry/", "pipeline_package/")
PROFILE: Final = "registry/resolved-install-profile"
"""What is applied as a whole: instances hold it against the schema as it stands. Decision: G974."""

PIPELINES: Final = {"fastq-checksum": ("1.0.1",), "mag": ("5.5.0.1", "5.5.0.2")}
WITHDRAWN: Final = ("mag", "5.5.0.1")
CHECKLISTS: Final = ("ERC000053", "MIXS:0010002")
"""Each version of the set changed one of them."""

PLATFORM: Final = "ont-minion"
METRICS_KEPT: Final = 2
POINTS_KEPT: Final = 3


@dataclass(frozen=True, slots=True)
class FrozenRelease:
    """One release: its folder, named as its version."""

    folder: Path

    @property
    def version(self) -> str:
        return self.folder.name

    @property
    def frozen_at(self) -> datetime:
        """When the frozen content was signed: an instance that reads it later has to set its clock back."""
        return datetime.fromisoformat(self._facts()["frozenAt"])

    @property
    def root(self) -> Path:
        """The root that an instance pins."""
        return self.folder / "api/trust/root.1.json"

    def answers(self) -> dict[str, bytes]:
        """Return what the registry of the release answered, by path."""
        files = (path for path in (self.folder / "api").rglob("*") if path.is_file())
        return {
            f"/{path.relative_to(self.folder).as_posix().removesuffix('/index.json')}": path.read_bytes()
            for path in sorted(files)
        }

    @property
    def schemas(self) -> Mapping[str, Any]:
        """The schemas by which instances of the release read, by name."""
        return _schemas(self.folder)

    def problems(self, name: str, document: object) -> list[str]:
        """List what an instance of the release could not read of a document; nothing if it says that."""
        if _needs_later(name, document, self.version):
            return []
        return problems_among(self.schemas, name, document)

    def _facts(self) -> dict[str, str]:
        facts: dict[str, str] = json.loads((self.folder / "release.json").read_text("utf-8"))
        return facts


@cache
def _schemas(folder: Path) -> Mapping[str, Any]:
    schemas: dict[str, Any] = json.loads((folder / "consumer.json").read_text("utf-8"))
    return schemas


def _needs_later(name: str, document: Any, release: str) -> bool:
    """Return whether a package or a profile names a later release than this one as the first for it."""
    part = document.get("manifest", {}) if name == "pipeline_package/payload" else document
    is_guarded = name in {"pipeline_package/payload", PROFILE}
    return is_guarded and is_newer(str(part.get("minServiceVersion", release)), release)


def frozen_releases() -> list[FrozenRelease]:
    """Return every release that is frozen, the oldest first."""
    folders = [folder for folder in RELEASES.iterdir() if folder.is_dir()]
    return [
        FrozenRelease(folder) for folder in sorted(folders, key=lambda folder: version_order(folder.name))
    ]


def answer_schema(path: str) -> str | None:
    """Return by which schema an instance reads the answer at a path; None for what it does not parse."""
    name = schema_of(routes("registry"), "GET", path, 200)
    return None if name in {None, "-"} else name


def freeze(folder: Path, now: datetime) -> None:
    """Write a release into a folder that is not there yet."""
    from seqfacility_registry.content_folder import read_publication
    from seqfacility_registry.export import exported_files

    with tempfile.TemporaryDirectory(prefix="seqfacility-freeze-") as temporary:
        content = Path(temporary, "content")
        small_content(content)
        sign_registry(content, Path(temporary, "keys"), now=now)
        for path, body in exported_files(read_publication(content), ADDRESS).items():
            if path.startswith("api/"):
                file = folder / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(body)
    write(folder / "consumer.json", reading_schemas())
    write(folder / "release.json", {"frozenAt": now.isoformat()})


def reading_schemas() -> dict[str, Any]:
    """Return the schemas by which instances of this release read, by name."""
    return {
        name: load_schema(name) if name == PROFILE else consumer_schema(load_schema(name))
        for name in schema_names()
        if name.startswith(READ_BY_INSTANCES)
    }


def has_tag(version: str) -> bool:
    """Return whether a release is tagged in this clone: then it is out, and frozen for good."""
    listed = ["git", "-C", str(ROOT), "tag", "--list", f"v{version}"]
    return bool(subprocess.run(listed, stdout=subprocess.PIPE, text=True, check=True).stdout.strip())


def small_content(folder: Path) -> None:
    """Write a content of two pipelines, one with a withdrawn version and an advisory, and of two lists."""
    shutil.copytree(CONTENT, folder, ignore=shutil.ignore_patterns("trust", "images"))
    (folder / "checklists/illustrations.json").write_text("{}\n", "utf-8")
    for pipeline in (path for path in (folder / "pipelines").iterdir() if path.is_dir()):
        if pipeline.name not in PIPELINES:
            shutil.rmtree(pipeline)
            continue
        for version in (pipeline / "versions").iterdir():
            if version.name not in PIPELINES[pipeline.name]:
                shutil.rmtree(version)
        change(pipeline / "entry.json", _small_entry)
    (folder / "pipelines/published.lock.json").unlink()
    write_lock(folder / "pipelines")
    for version in (folder / "checklists/versions").iterdir():
        change(version, _small_checklists)
    change(folder / "catalog/sequencing-tech.json", _small_catalog)
    change(folder / "research/snapshot.json", _small_metrics)
    for profile in (folder / "profiles").iterdir():
        change(profile, _small_profile)


def _small_entry(entry: dict[str, Any]) -> None:
    kept = PIPELINES[entry["id"]]
    entry["versions"] = [row for row in entry["versions"] if row["version"] in kept]
    if entry["id"] == WITHDRAWN[0]:
        entry["versions"][0] |= {"status": "yanked", "yankReason": "It names the assembly of another sample."}
        entry["advisories"] = [
            {
                "id": "SFA-2026-0001",
                "published": "2026-11-26",
                "severity": "high",
                "summary": "The assembly of another sample is named.",
                "affects": [WITHDRAWN[1]],
                "fixedIn": kept[-1],
            }
        ]


def _small_checklists(document: dict[str, Any]) -> None:
    document["checklists"] = [row for row in document["checklists"] if row["accession"] in CHECKLISTS]


def _small_catalog(document: dict[str, Any]) -> None:
    """Keep the platforms, whose families pipelines name, one device and what it works with; no pictures."""

    def keep(collection: str, wanted: set[str], key: str = "id") -> list[dict[str, Any]]:
        document[collection] = [item for item in document[collection] if item[key] in wanted]
        return list(document[collection])

    device = keep("devices", {PLATFORM}, "platformId")[0]
    document["devices"] = [device]
    keep("flowCells", set(device["compatibleFlowCells"]))
    keep("software", set(device["compatibleSoftware"]))
    barcoding = [
        kit.get("barcoding", {}) for kit in document["kits"] if kit["id"] in device["compatibleKits"]
    ]
    further = {name for one in barcoding for name in one.get("compatibleBarcodeKits", [])}
    kits = keep("kits", {*device["compatibleKits"], *further})
    sets = keep("barcodeSets", {kit.get("barcoding", {}).get("barcodeSetId") for kit in kits} - {None})
    keep("barcodeSchemes", {one["schemeId"] for one in sets})
    for items in document.values():
        for item in items if isinstance(items, list) else []:
            item.pop("image", None)
            item.pop("icon", None)


def _small_metrics(document: dict[str, Any]) -> None:
    flagships = [metric for metric in document["metrics"] if metric["flagship"]]
    document["metrics"] = flagships[:METRICS_KEPT]
    for metric in document["metrics"]:
        metric["series"] = metric["series"][-POINTS_KEPT:]
    used = {metric["category"] for metric in document["metrics"]}
    document["categories"] = {name: text for name, text in document["categories"].items() if name in used}


def _small_profile(document: dict[str, Any]) -> None:
    pipelines = document["profile"].get("pipelines")
    if pipelines is not None:
        document["profile"]["pipelines"] = [row for row in pipelines if row["id"] in PIPELINES]


def change(file: Path, edit: Any) -> None:
    document = json.loads(file.read_text("utf-8"))
    edit(document)
    write(file, document)


def write(file: Path, document: object) -> None:
    file.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", "utf-8")


def main() -> int:
    """Freeze this release under a version; one that is there and has no tag is replaced."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("version")
    version = parser.parse_args().version
    if has_tag(version):
        parser.error(f"v{version} has a tag: what it published stays as it is")
    folder = RELEASES / version
    shutil.rmtree(folder, ignore_errors=True)
    freeze(folder, datetime.now(UTC).replace(microsecond=0))
    print(f"frozen: {folder.relative_to(ROOT)}; commit it before the tag")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
