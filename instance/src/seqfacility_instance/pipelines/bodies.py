"""Bodies of the pipeline endpoints: what admins send, and the shapes that are answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypedDict, cast

from pydantic import ConfigDict
from pydantic.alias_generators import to_camel
from seqfacility_pipeline_package.descriptor import merged_config
from seqfacility_pipeline_package.documents import JsonObject
from seqfacility_pipeline_package.manifest import Execution
from seqfacility_pipeline_package.package import Package
from seqfacility_wire.timestamps import format_time

from seqfacility_instance.core.request_model import RequestModel
from seqfacility_instance.pipelines.changes import NamedChanges, PackageChanges, package_changes
from seqfacility_instance.pipelines.package_store import Loaded
from seqfacility_instance.pipelines.rules import capability_flags
from seqfacility_instance.tables.pipelines import PipelineConfig, PipelinePackage

if TYPE_CHECKING:
    from seqfacility_schemas import answers


class Noticed(TypedDict, total=False):
    """The keys that a version has when the registry warns of it. Decision: G932, G982, G923."""

    yankReason: str
    yankSeenAt: str
    otherSha256: str
    advisories: list[answers.Advisory]


class Decision(RequestModel):
    """What an admin changes about a pipeline; an unknown key is an error here. Decision: G8, G142."""

    model_config = ConfigDict(
        strict=True, frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True
    )

    enabled: bool | None = None
    config: dict[str, object] | None = None
    current_version: str | None = None


class RepositoryRequest(RequestModel):
    """What to import: a package folder of a git repository at a tag, a branch or a commit.

    Decision: G8, G336.
    """

    model_config = ConfigDict(
        strict=True, frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True
    )

    repository: str
    ref: str = "HEAD"
    descriptor_path: str = ""
    include_workflow: bool = True
    key: str | None = None
    allow_downgrade: bool = False


def pipeline(package: Package, config: Mapping[str, object], reasons: list[str]) -> answers.Pipeline:
    """Write a pipeline; `defaultConfig` includes the admin's values. Decision: G141."""
    manifest, descriptor = package.manifest, package.descriptor
    return {
        "id": package.id,
        "name": descriptor.name,
        "shortName": descriptor.short_name,
        "description": descriptor.description,
        "category": descriptor.category.value,
        "topics": [{"id": topic.id, "label": topic.label} for topic in descriptor.topics],
        "icon": descriptor.icon,
        "version": package.version,
        "engine": manifest.execution.engine.value,
        "targets": [target.value for target in manifest.targets],
        "readLayouts": [layout.value for layout in manifest.compatibility.read_layouts],
        "platformFamilies": list(manifest.compatibility.platform_families),
        "capabilities": capability_flags(package),
        "configSchema": dict(descriptor.config_schema),
        "defaultConfig": dict(merged_config(descriptor.default_config, as_json(config))),
        "available": not reasons,
        "unavailableReasons": reasons,
    }


def admin_pipeline(
    loaded: Loaded, decision: PipelineConfig | None, reasons: list[str], versions: Sequence[Loaded]
) -> answers.AdminPipeline:
    """Write an installed pipeline with what was decided about it; a broken one keeps its place.

    `versions` are all that are installed, `loaded` among them.

    Decision: G142, G442, G932, G1041.
    """
    current = next((one for one in versions if one.row.is_current), None)
    config = {} if decision is None else decision.config
    shown = (
        pipeline(loaded.package, config, reasons)
        if loaded.package is not None
        else _broken(loaded.row.pipeline_id, loaded.row.version)
    )
    return {
        **shown,
        "enabled": decision is not None and decision.enabled,
        "config": config,
        "packageConfig": {} if loaded.package is None else dict(loaded.package.descriptor.default_config),
        "origin": loaded.row.origin.value,
        "source": cast("answers.AdminPipelineSource | None", loaded.row.source),
        "workflow": None if loaded.package is None else _fetched_workflow(loaded.package.manifest.execution),
        "installedAt": format_time(loaded.row.installed_at),
        "sha256": loaded.row.sha256,
        "problems": list(loaded.problems),
        "currentVersion": None if current is None else current.row.version,
        "versions": [_installed_version(one, current) for one in versions],
        **noticed(loaded.row),
    }


def installed_notices(row: PipelinePackage) -> dict[str, object]:
    """Write the warnings about the installed version of an entry of the store. Decision: G932."""
    notices = {"installedYankReason": row.yank_reason, "installedAdvisories": row.advisories}
    return {key: value for key, value in notices.items() if value}


def noticed(row: PipelinePackage) -> Noticed:
    """Write the warnings about an installed version. Decision: G932, G982."""
    notices: Noticed = {}
    if row.yank_reason is not None:
        notices["yankReason"] = row.yank_reason
        if row.yank_seen_at is not None:
            notices["yankSeenAt"] = format_time(row.yank_seen_at)
    if row.other_sha256 is not None:
        notices["otherSha256"] = row.other_sha256
    if row.advisories:
        notices["advisories"] = cast("list[answers.Advisory]", row.advisories)
    return notices


def _installed_version(loaded: Loaded, current: Loaded | None) -> answers.InstalledVersion:
    before, after = None if current is None else current.package, loaded.package
    changes = None
    if before is not None and after is not None and not loaded.row.is_current:
        changes = _changes(package_changes(before, after))
    return {
        "version": loaded.row.version,
        "current": loaded.row.is_current,
        "origin": loaded.row.origin.value,
        "installedAt": format_time(loaded.row.installed_at),
        "sha256": loaded.row.sha256,
        "changes": changes,
        **noticed(loaded.row),
    }


def _changes(found: PackageChanges) -> answers.PipelineChanges:
    return {
        "execution": {
            key: {"before": change.before, "after": change.after} for key, change in found.execution.items()
        },
        "files": _named(found.files),
        "databases": _named(found.databases),
        "configKeys": _named(found.config_keys),
    }


def _named(found: NamedChanges) -> answers.NamedChanges:
    return {"added": list(found.added), "removed": list(found.removed), "changed": list(found.changed)}


def definition(package: Package) -> answers.PipelineDefinitionAnswer:
    """Write the steps of a pipeline. Decision: G141."""
    return {
        "id": package.id,
        "name": package.descriptor.name,
        "version": package.version,
        "steps": [
            {
                "id": step.id,
                "name": step.name,
                "description": step.description,
                "dependsOn": list(step.depends_on),
            }
            for step in package.definition.steps
        ],
    }


def as_json(config: Mapping[str, object]) -> JsonObject:
    """Take a stored or parsed JSON object for what it is."""
    return dict(config)  # type: ignore[arg-type]  # it came out of a JSON parser


def _fetched_workflow(execution: Execution) -> answers.FetchedWorkflow | None:
    if execution.repository is None or execution.revision is None:
        return None
    return {
        "repository": execution.repository,
        "revision": execution.revision,
        "commit": execution.commit,
    }


def _broken(pipeline_id: str, version: str) -> answers.Pipeline:
    """Stand in for a package that cannot be read: listed with its problems, not offered. Decision: G129."""
    return {
        "id": pipeline_id,
        "name": pipeline_id,
        "shortName": pipeline_id,
        "description": "",
        "category": "",
        "topics": [],
        "icon": "",
        "version": version,
        "engine": "",
        "targets": [],
        "readLayouts": [],
        "platformFamilies": [],
        "capabilities": {},
        "configSchema": {},
        "defaultConfig": {},
        "available": False,
        "unavailableReasons": ["The package is broken"],
    }
