"""Answers on checklists."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, cast

from seqfacility_schemas.findings import Finding

from seqfacility_instance.checklists.definition import Checklist, Summary
from seqfacility_instance.checklists.differences import ChecklistChange, Difference
from seqfacility_instance.checklists.rules import template_field
from seqfacility_instance.checklists.validation import ValidatedSet
from seqfacility_instance.core import limits

if TYPE_CHECKING:
    from seqfacility_schemas import answers


def summary(one: Summary) -> answers.ChecklistSummary:
    """Write what a list shows. Spec: instance, MIxS checklists."""
    return {
        "name": one.name,
        "accession": one.accession,
        "description": one.description,
        "fieldCount": one.field_count,
        "mandatoryCount": one.mandatory_count,
        "deprecated": one.deprecated,
    }


def admin_summary(one: Summary, *, available: bool, studies: int) -> answers.AdminChecklistSummary:
    """Write what the admin's list shows. Decision: G70, G1043."""
    return {**summary(one), "available": available, "image": one.image, "studies": studies}


def definition(checklist: Checklist, version: int) -> answers.ChecklistDefinition:
    """Write a whole checklist. Decision: G64."""
    return {
        "accession": checklist.accession,
        "name": checklist.name,
        "description": checklist.description,
        "version": version,
        "checklistVersion": checklist.checklist_version,
        "source": checklist.source,
        "deprecated": checklist.deprecated,
        "fieldCount": len(checklist.fields),
        "mandatoryCount": checklist.mandatory_count,
        "fields": cast("list[answers.ChecklistField]", [field.document() for field in checklist.fields]),
    }


def template(checklist: Checklist, version: int) -> answers.ChecklistTemplate:
    """Write a checklist for the form builder. Decision: G68."""
    return {
        "name": checklist.name,
        "accession": checklist.accession,
        "description": checklist.description,
        "version": version,
        "fieldCount": len(checklist.fields),
        "fields": cast("list[answers.FormField]", [template_field(field) for field in checklist.fields]),
    }


def update(
    difference: Difference,
    remote: ValidatedSet,
    *,
    has_updates: bool,
    current_version: int,
    remote_version: int,
    switched_off: Collection[str],
) -> answers.ChecklistUpdate:
    """Write what an update would do. Decision: G70, G1042."""
    coming = [*difference.added, *(change.accession for change in difference.changed)]
    return {
        "hasUpdates": has_updates,
        "currentVersion": current_version,
        "remoteVersion": remote_version,
        "diff": {
            "added": list(difference.added),
            "removed": list(difference.removed),
            "changed": [_change(change) for change in difference.changed],
            "names": dict(difference.names),
            "keptOff": [accession for accession in coming if accession in switched_off],
        },
        "skipped": _findings(remote.skipped),
        "warnings": _findings(remote.warnings),
    }


def _change(change: ChecklistChange) -> answers.ChecklistChange:
    return {
        "accession": change.accession,
        "newFields": list(change.new_fields),
        "removedFields": list(change.removed_fields),
        "newlyRequired": list(change.newly_required),
        "labels": dict(change.labels),
        "values": cast("list[answers.ValueChange]", [asdict(one) for one in change.values]),
    }


def _findings(found: Sequence[Finding]) -> list[answers.Finding]:
    return [
        {"collection": one.collection, "id": one.item_id, "reason": one.reason_with_key}
        for one in found[: limits.FINDINGS_SHOWN]
    ]


def in_order(summaries: Sequence[Summary]) -> list[answers.ChecklistSummary]:
    """Write a list of checklists."""
    return [summary(one) for one in summaries]
