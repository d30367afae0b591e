"""Pure decisions of the pipeline registry: what may be asked, and what index and entry say of a package."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from seqfacility_pipeline_package.documents import Fields, JsonObject
from seqfacility_pipeline_package.names import version_order
from seqfacility_pipeline_package.package import Capabilities, Package

from seqfacility_registry.pipelines.errors import InvalidPipelineId, InvalidPipelineVersion

INDEX_VERSION = "1.0.0"
"""Spec: registry, Versioning: schema version of the index document."""

CATEGORIES: tuple[Mapping[str, str], ...] = (
    {
        "id": "metagenomics",
        "name": "Metagenomics",
        "description": "Assemble, bin and profile the communities of a sample.",
    },
    {
        "id": "submission",
        "name": "Submission",
        "description": "Prepare reads and metadata for a public archive.",
    },
    {
        "id": "quality-control",
        "name": "Quality control",
        "description": "Measure, check and clean reads before they are used.",
    },
    {
        "id": "order-utilities",
        "name": "Order utilities",
        "description": "Work on the files of one order while it is being delivered.",
    },
)

_ID = re.compile(r"[a-z0-9-]+")
_VERSION = re.compile(r"[a-z0-9]+(\.[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class PublishedVersion:
    """One version as the entry lists it; `sha256` is None where the registry hosts no payload.

    `yank_reason` is why it was withdrawn, None for a version that was not. What somebody else published under
    our name has a yank reason alone.
    """

    version: str
    release_date: str
    sha256: str | None
    yank_reason: str | None = None


@dataclass(frozen=True, slots=True)
class PackageFacts:
    """What the entry takes from a package: its documents, and what follows from them."""

    manifest: JsonObject
    definition: JsonObject
    descriptor: JsonObject
    capabilities: Capabilities


def check_pipeline_id(text: str) -> None:
    """Refuse an id that fails its pattern, before anything is looked up; raises `InvalidPipelineId`.

    Spec: registry, Pipeline registry.
    """
    if not _ID.fullmatch(text):
        raise InvalidPipelineId


def check_pipeline_version(text: str) -> None:
    """Refuse a version that fails its pattern; raises `InvalidPipelineVersion`.

    Spec: registry, Pipeline registry.
    """
    if not _VERSION.fullmatch(text):
        raise InvalidPipelineVersion


def entry_problems(listing: JsonObject, package: Package, families: Collection[str]) -> list[str]:
    """List what the newest version of a pipeline that is handed out must not be published with.

    A fetched workflow has a commit; a platform family is one of the catalog's `families`; and an entry is
    verified when it says by which run, of this version, with all outputs that are required.

    Decision: G451, G453, G455.
    """
    found = []
    execution = package.manifest.execution
    if execution.repository is not None and execution.commit is None:
        found.append(f"version {package.version}: its workflow has no commit")
    found += [
        f"version {package.version}: platform family {family} is not in the catalog"
        for family in package.manifest.compatibility.platform_families
        if family not in families
    ]
    record = Fields(listing).part("verification")
    if listing["verified"] is not bool(record.values):
        found.append("verified: needs a verification, and only then is true")
    if record.values:
        found += _verification_problems(record, package)
    return found


def notice_problems(listing: JsonObject) -> list[str]:
    """List what is contradictory in the withdrawn versions and the advisories of an entry.

    Decision: G930, G931.
    """
    rows = Fields(listing).parts("versions")
    offered = {row.text("version") for row in rows if "status" not in row.values}
    yanked = {row.text("version") for row in rows} - offered
    found = []
    if not offered and listing["status"] == "available":
        found.append("status: every version is yanked, so nothing is installable: say withdrawn")
    if offered and listing["status"] == "withdrawn":
        found.append(f"status: is withdrawn, but {_last(offered)} is not yanked")
    advisories = Fields(listing).parts("advisories")
    names = [advisory.text("id") for advisory in advisories]
    found += [f"advisory {name} stands twice" for name in sorted(set(names)) if names.count(name) > 1]
    for advisory in advisories:
        where, affected = f"advisory {advisory.text('id')}", set(advisory.texts("affects"))
        found += [f"{where}: there is no version {name}" for name in sorted(affected - offered - yanked)]
        fixed = advisory.optional_text("fixedIn")
        if fixed is not None and fixed not in offered - affected:
            found.append(f"{where}: fixedIn {fixed} is yanked, affected or unknown")
    return found


def unsigned_databases(package: Package) -> list[str]:
    """Name the reference databases of which a package has no digest. Decision: G954."""
    return [
        f"version {package.version}: database {database.id} has no digest, so no signature covers its file"
        for database in package.descriptor.databases
        if database.sha256 is None and database.md5 is None
    ]


def newest_offered(versions: Sequence[PublishedVersion]) -> PublishedVersion:
    """Return the newest version that was not withdrawn, else the newest that has a package, else the newest.

    `versions` are newest first.

    Decision: G930, G922.
    """
    offered = [version for version in versions if version.yank_reason is None]
    return next(iter(offered or [version for version in versions if version.sha256] or versions))


def _last(versions: Iterable[str]) -> str:
    return max(versions, key=version_order)


def _verification_problems(record: Fields, package: Package) -> Iterator[str]:
    if record.text("version") != package.version:
        yield f"verification: is of {record.text('version')}, the newest version is {package.version}"
    if record.text("engine") != package.manifest.execution.engine.value:
        yield f"verification: {record.text('engine')} is not the engine of the package"
    outputs = package.manifest.outputs
    seen = set(record.texts("outputs"))
    for name in sorted(seen - {output.id for output in outputs}):
        yield f"verification: {name} is no output of the package"
    for name in sorted({output.id for output in outputs if output.required} - seen):
        yield f"verification: the required output {name} was not found"


def index_entry(
    listing: JsonObject, facts: PackageFacts, versions: Sequence[PublishedVersion], base_url: str
) -> dict[str, object]:
    """Make the entry of a pipeline in the index; `versions` are sorted, newest first.

    Spec: registry, Pipeline registry index. Decision: G233.
    """
    descriptor = facts.descriptor
    manifest = Fields(facts.manifest)
    optional: dict[str, object] = {
        key: listing[key]
        for key in ("isPrivate", "licenseRequired", "verification", "advisories")
        if key in listing
    }
    if "topics" in descriptor:
        optional["topics"] = descriptor["topics"]
    workflow = manifest.part("execution").mapping("workflow")
    if "repository" in workflow:
        optional["workflow"] = workflow
    return {
        "id": listing["id"],
        "name": descriptor["name"],
        "shortName": descriptor["shortName"],
        "shortDescription": descriptor["shortDescription"],
        "category": descriptor["category"],
        "tags": descriptor["tags"],
        "author": descriptor["author"],
        "provider": manifest.part("package").text("provider"),
        "latestVersion": newest_offered(versions).version,
        "versions": [_index_version(str(listing["id"]), version, base_url) for version in versions],
        "verified": listing["verified"],
        "featured": listing["featured"],
        "status": listing["status"],
        "icon": descriptor["icon"],
        **optional,
        **(
            {"minServiceVersion": release} if (release := manifest.optional_text("minServiceVersion")) else {}
        ),
        "targets": facts.manifest["targets"],
        "capabilities": _capabilities(facts.capabilities),
        "sequencingCompatibility": facts.manifest["sequencingCompatibility"],
        "source": listing["source"],
        "databases": descriptor["databases"],
    }


def full_entry(
    listing: JsonObject, facts: PackageFacts, versions: Sequence[PublishedVersion], base_url: str
) -> dict[str, object]:
    """Make the full entry of a pipeline: the index entry and what its newest package says. Decision: G233."""
    entry = index_entry(listing, facts, versions, base_url)
    identity = Fields(facts.manifest).part("package")
    entry["versions"] = [
        {
            **_index_version(str(listing["id"]), version, base_url),
            "releaseDate": version.release_date,
        }
        for version in versions
    ]
    optional = {key: identity.values[key] for key in ("license", "homepage") if key in identity.values}
    return {
        **entry,
        "description": facts.descriptor["description"],
        **optional,
        **{key: facts.descriptor[key] for key in ("requirements", "features", "tools")},
        "steps": _only(Fields(facts.definition).parts("steps"), "id", "name", "description", "dependsOn"),
        "inputs": _only(Fields(facts.manifest).parts("inputs"), "id", "source", "required"),
        "outputs": [
            {
                "id": output.text("id"),
                "label": output.text("label"),
                "required": output.flag("required", default=True),
                "destination": output.text("destination"),
            }
            for output in Fields(facts.manifest).parts("outputs")
        ],
        **{key: facts.descriptor[key] for key in ("configSchema", "defaultConfig")},
    }


def index_document(
    entries: Iterable[Mapping[str, object]], last_updated: str, base_url: str
) -> dict[str, object]:
    """Make the index of all entries, sorted by id; `last_updated` is a date.

    Spec: registry, Pipeline registry index.
    """
    return {
        "version": INDEX_VERSION,
        "lastUpdated": last_updated,
        "baseUrl": f"{base_url}/registry",
        "pipelines": sorted(entries, key=lambda entry: str(entry["id"])),
        "categories": [dict(category) for category in CATEGORIES],
    }


def _index_version(pipeline_id: str, version: PublishedVersion, base_url: str) -> dict[str, object]:
    listed: dict[str, object] = {"version": version.version}
    if version.sha256 is not None:
        listed["downloadUrl"] = f"{base_url}/registry/pipelines/{pipeline_id}/{version.version}/download"
        listed["sha256"] = version.sha256
    if version.yank_reason is not None:
        listed |= {"status": "yanked", "yankReason": version.yank_reason}
    return listed


def _capabilities(flags: Capabilities) -> dict[str, bool]:
    """Three flags on every entry, the others only where they apply.

    Spec: registry, Capability flags. Decision: G138, G985.
    """
    always = {
        "requiresLinkedReads": flags.requires_linked_reads,
        "writesCanonicalReadMetadata": flags.writes_canonical_read_metadata,
        "writesCanonicalReadFiles": flags.writes_canonical_read_files,
    }
    where_they_apply = {
        "stagesReadCandidates": flags.stages_read_candidates,
        "requiresAdminReadPromotion": flags.requires_admin_read_promotion,
        "requiresSequencingRun": flags.requires_sequencing_run,
    }
    return always | {key: True for key, applies in where_they_apply.items() if applies}


def _only(items: Iterable[Fields], *keys: str) -> list[dict[str, object]]:
    return [{key: item.values[key] for key in keys} for item in items]
