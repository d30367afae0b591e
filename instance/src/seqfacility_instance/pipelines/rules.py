"""Pure decisions on pipelines: what a registry's answer says, and what keeps a pipeline from running."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from seqfacility_pipeline_package.documents import JsonObject, canonical_json
from seqfacility_pipeline_package.names import is_pipeline_id, is_pipeline_version, version_order
from seqfacility_pipeline_package.package import Package
from seqfacility_wire.versions import is_newer

from seqfacility_instance.pipelines.errors import (
    InvalidPipelineId,
    InvalidPipelineVersion,
    NeedsNewerRelease,
    NotInstallable,
    PackageNotFound,
    PackageRefused,
    PipelineWithdrawn,
)
from seqfacility_instance.pipelines.notices import yank_reason_of
from seqfacility_instance.pipelines.reference_data.rules import checked_against
from seqfacility_instance.version import RELEASE

AVAILABLE = "available"
WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class Offer:
    """One version of a pipeline that a registry hands out, and the digest that it announced.

    Decision: G290.
    """

    pipeline_id: str
    version: str
    sha256: str


def decision_tag(version: str | None, config: JsonObject, *, is_enabled: bool) -> str:
    """Return the entity tag of the decisions about a pipeline. Decision: G1094."""
    return sha256(canonical_json([version, is_enabled, config])).hexdigest()


def check_release(pipeline_id: str, version: str, wanted: object) -> None:
    """Raise `NeedsNewerRelease` for a package that needs a later release than this.

    Decision: G445.
    """
    if isinstance(wanted, str) and is_newer(wanted, RELEASE):
        raise NeedsNewerRelease(pipeline_id=pipeline_id, version=version, wanted=wanted, ours=RELEASE)


def check_names(pipeline_id: str | None, version: str | None) -> str:
    """Check what an admin wants to install; raises `InvalidPipelineId` or `InvalidPipelineVersion`.

    Decision: G144.
    """
    if pipeline_id is None or not is_pipeline_id(pipeline_id):
        raise InvalidPipelineId
    if version is not None and not is_pipeline_version(version):
        raise InvalidPipelineVersion
    return pipeline_id


def check_identity(package: Package, pipeline_id: str | None, version: str | None) -> None:
    """Raise `PackageRefused` unless a package has the requested id and version. Decision: G144."""
    if pipeline_id not in {None, package.id} or version not in {None, package.version}:
        raise PackageRefused(details=["payload: is another package than the one asked for"])


def chosen_offer(entry: Mapping[str, object], pipeline_id: str, version: str | None) -> Offer | None:
    """Choose the version to install from a registry's full entry; None when the entry makes no sense.

    Raises `PipelineWithdrawn`, `NotInstallable`, `NeedsNewerRelease` and `PackageNotFound`.

    Decision: G143, G144, G233, G235, G445, G932.
    """
    versions, latest = entry.get("versions"), entry.get("latestVersion")
    if entry.get("id") != pipeline_id or not isinstance(versions, list) or not isinstance(latest, str):
        return None
    wanted = version or latest
    found = [item for item in versions if isinstance(item, dict) and item.get("version") == wanted]
    if found and (reason := yank_reason_of(found[0])) is not None:
        raise PipelineWithdrawn(pipeline_id=pipeline_id, version=wanted, reason=reason)
    if not_installable_reason(entry) is not None:
        raise NotInstallable(pipeline_id=pipeline_id)
    if wanted == latest:
        check_release(pipeline_id, wanted, entry.get("minServiceVersion"))
    if not found:
        raise PackageNotFound
    if not found[0].get("downloadUrl"):
        raise NotInstallable(pipeline_id=pipeline_id)
    sha256 = found[0].get("sha256")
    if not is_pipeline_version(wanted) or not isinstance(sha256, str):
        return None
    return Offer(pipeline_id, wanted, sha256)


def not_installable_reason(entry: Mapping[str, object]) -> str | None:
    """Return why an entry of the index cannot be installed; None when it can. Decision: G143, G235."""
    status = entry.get("status")
    if status == WITHDRAWN:
        return "Every version of this pipeline was withdrawn"
    if status != AVAILABLE:
        return "The registry does not hand out this pipeline"
    versions = entry.get("versions")
    hosted = isinstance(versions, list) and any(
        isinstance(item, dict) and item.get("downloadUrl") for item in versions
    )
    return None if hosted or entry.get("downloadUrl") else "The registry does not host the package"


def highest(versions: Iterable[str]) -> str | None:
    """Return the highest of some versions; None without one. Decision: G442."""
    return max(versions, key=version_order, default=None)


def becomes_current(version: str, current: str | None, *, is_enabled: bool, is_requested: bool) -> bool:
    """Return whether a version that is being installed is what new runs use from now on.

    What is enabled changes only when an admin makes another version current. `is_requested` says that an
    admin installs it, and not a new release of the service.

    Decision: G442.
    """
    if current is None:
        return True
    return not is_enabled and (is_requested or version_order(version) > version_order(current))


def store_entry(
    entry: Mapping[str, object], installed_version: str | None, newest_installed: str | None
) -> dict[str, object] | None:
    """Add to an index entry what is installed here, and what its databases are checked against.

    `installed_version` is the one that new runs use, `newest_installed` the highest that was not withdrawn:
    it may be a later one that waits for an admin. None for an entry without a usable id.

    Decision: G143, G442, G452, G922.
    """
    pipeline_id, latest = entry.get("id"), entry.get("latestVersion")
    if not isinstance(pipeline_id, str) or not is_pipeline_id(pipeline_id):
        return None
    reason = not_installable_reason(entry) or _release_reason(entry)
    return {
        **entry,
        "databases": _with_check(entry.get("databases")),
        "installed": installed_version is not None,
        "installedVersion": installed_version,
        "updateAvailable": installed_version is not None
        and isinstance(latest, str)
        and is_pipeline_version(latest)
        and (newest_installed is None or version_order(latest) > version_order(newest_installed)),
        "installable": reason is None,
        "reason": reason,
    }


def _with_check(databases: object) -> list[dict[str, object]]:
    declared = databases if isinstance(databases, list) else []
    return [{**row, "checkedAgainst": checked_against(row)} for row in declared if isinstance(row, dict)]


def _release_reason(entry: Mapping[str, object]) -> str | None:
    release = entry.get("minServiceVersion")
    is_needed = isinstance(release, str) and is_newer(release, RELEASE)
    return f"The newest version needs release {release} or newer" if is_needed else None


def capability_flags(package: Package) -> dict[str, bool]:
    """Return the derived flags under their documented names.

    Spec: registry, Capability flags. Decision: G138, G985.
    """
    flags = package.capabilities
    of_run = {"requiresSequencingRun": True} if flags.requires_sequencing_run else {}
    return {
        "requiresLinkedReads": flags.requires_linked_reads,
        "writesCanonicalReadMetadata": flags.writes_canonical_read_metadata,
        "writesCanonicalReadFiles": flags.writes_canonical_read_files,
        "stagesReadCandidates": flags.stages_read_candidates,
        "requiresAdminReadPromotion": flags.requires_admin_read_promotion,
        **of_run,
    }
