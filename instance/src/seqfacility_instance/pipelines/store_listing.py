"""The store's view of a registry entry: what would be installed and run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, cast

from seqfacility_pipeline_package.documents import Fields, JsonObject
from seqfacility_pipeline_package.names import is_pipeline_version, version_order

from seqfacility_instance.pipelines.notices import yank_reason_of
from seqfacility_instance.pipelines.reference_data.rules import checked_against

if TYPE_CHECKING:
    from seqfacility_schemas import answers

Signer = Callable[[str, str], str | None]
"""Maps pipeline id and version to the role that signs the package; None when it is not signed or verified."""


def offer(entry: Mapping[str, object], installed: Collection[str], signer: Signer) -> answers.StoreOffer:
    """Write what an entry offers; `installed` are the versions of the pipeline that are installed.

    The entry may come from a registry of a later release: a value of an unexpected type counts as missing.

    Decision: G1040.
    """
    fields = Fields(cast("JsonObject", dict(entry)))
    pipeline_id = fields.text("id")
    workflow, verification = fields.part("workflow"), fields.part("verification")
    repository, revision = workflow.optional_text("repository"), workflow.optional_text("revision")
    versions = [
        _version(pipeline_id, version, listed, installed, signer)
        for listed in fields.parts("versions")
        if is_pipeline_version(version := listed.optional_text("version") or "")
    ]
    return {
        "name": fields.optional_text("name") or pipeline_id,
        "summary": fields.optional_text("shortDescription") or "",
        "author": fields.optional_text("author"),
        "provider": fields.optional_text("provider"),
        "category": fields.optional_text("category"),
        "tags": list(fields.texts("tags")),
        "latestVersion": fields.optional_text("latestVersion"),
        "workflow": None
        if repository is None or revision is None
        else {"repository": repository, "revision": revision, "commit": workflow.optional_text("commit")},
        "verifiedWith": _verification(verification) if fields.flag("verified") else None,
        "versions": sorted(versions, key=lambda one: version_order(one["version"]), reverse=True),
        "databases": [_database(declared) for declared in fields.parts("databases")],
    }


def _version(
    pipeline_id: str, version: str, listed: Fields, installed: Collection[str], signer: Signer
) -> answers.StoreVersion:
    return {
        "version": version,
        "sha256": listed.optional_text("sha256"),
        "hosted": listed.optional_text("downloadUrl") is not None,
        "installed": version in installed,
        "yankReason": yank_reason_of(cast("Mapping[str, object]", listed.values)),
        "signer": signer(pipeline_id, version),
    }


def _verification(verification: Fields) -> answers.StoreVerification | None:
    """Return the verification run of the registry; None for an incomplete record."""
    version, date = verification.optional_text("version"), verification.optional_text("date")
    engine, test = verification.optional_text("engineVersion"), verification.optional_text("test")
    if version is None or date is None or engine is None or test is None:
        return None
    return {"version": version, "date": date, "engineVersion": engine, "test": test}


def _database(declared: Fields) -> answers.StoreDatabase:
    return {
        "label": declared.optional_text("label") or declared.optional_text("id") or "",
        "version": declared.optional_text("version"),
        "downloadUrl": declared.optional_text("downloadUrl"),
        "size": declared.whole_number("size"),
        "checkedAgainst": checked_against(declared.values).value,
    }
