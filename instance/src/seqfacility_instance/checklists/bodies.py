"""Answers on checklists."""

from collections.abc import Sequence
from typing import TypedDict

from seqfacility_schemas.findings import Finding

from seqfacility_instance.checklists.definition import Checklist, Summary
from seqfacility_instance.checklists.rules import Difference, template_field
from seqfacility_instance.checklists.validation import ValidatedSet
from seqfacility_instance.core import limits


class SummaryShape(TypedDict):
    name: str
    accession: str
    description: str
    fieldCount: int
    mandatoryCount: int
    deprecated: bool


class AdminSummary(SummaryShape):
    available: bool
    image: str | None


class Definition(TypedDict):
    accession: str
    name: str
    description: str
    version: int
    checklistVersion: str | None
    source: str | None
    deprecated: bool
    fieldCount: int
    mandatoryCount: int
    fields: list[dict[str, object]]


class Template(TypedDict):
    name: str
    accession: str
    description: str
    version: int
    fieldCount: int
    fields: list[dict[str, object]]


class ChangeShape(TypedDict):
    accession: str
    newFields: list[str]
    removedFields: list[str]
    newlyRequired: list[str]


class FindingShape(TypedDict):
    """What is wrong with one checklist. Decision: G443."""

    collection: str
    id: str
    reason: str


class DifferenceShape(TypedDict):
    added: list[str]
    removed: list[str]
    changed: list[ChangeShape]


class UpdateShape(TypedDict):
    hasUpdates: bool
    currentVersion: int
    remoteVersion: int
    diff: DifferenceShape
    skipped: list[FindingShape]
    warnings: list[FindingShape]


def summary(one: Summary) -> SummaryShape:
    """Write what a list shows. Spec: instance, MIxS checklists."""
    return SummaryShape(
        name=one.name,
        accession=one.accession,
        description=one.description,
        fieldCount=one.field_count,
        mandatoryCount=one.mandatory_count,
        deprecated=one.deprecated,
    )


def admin_summary(one: Summary, *, available: bool) -> AdminSummary:
    """Write what the admin's list shows. Decision: G70."""
    return AdminSummary(**summary(one), available=available, image=one.image)


def definition(checklist: Checklist, version: int) -> Definition:
    """Write a whole checklist. Decision: G64."""
    return Definition(
        accession=checklist.accession,
        name=checklist.name,
        description=checklist.description,
        version=version,
        checklistVersion=checklist.checklist_version,
        source=checklist.source,
        deprecated=checklist.deprecated,
        fieldCount=len(checklist.fields),
        mandatoryCount=checklist.mandatory_count,
        fields=[field.document() for field in checklist.fields],
    )


def template(checklist: Checklist, version: int) -> Template:
    """Write a checklist for the form builder. Decision: G68."""
    return Template(
        name=checklist.name,
        accession=checklist.accession,
        description=checklist.description,
        version=version,
        fieldCount=len(checklist.fields),
        fields=[template_field(field) for field in checklist.fields],
    )


def update(
    difference: Difference,
    remote: ValidatedSet,
    *,
    has_updates: bool,
    current_version: int,
    remote_version: int,
) -> UpdateShape:
    """Write what an update would do. Decision: G70."""
    return UpdateShape(
        hasUpdates=has_updates,
        currentVersion=current_version,
        remoteVersion=remote_version,
        diff=DifferenceShape(
            added=list(difference.added),
            removed=list(difference.removed),
            changed=[
                ChangeShape(
                    accession=change.accession,
                    newFields=list(change.new_fields),
                    removedFields=list(change.removed_fields),
                    newlyRequired=list(change.newly_required),
                )
                for change in difference.changed
            ],
        ),
        skipped=_findings(remote.skipped),
        warnings=_findings(remote.warnings),
    )


def _findings(found: Sequence[Finding]) -> list[FindingShape]:
    return [
        FindingShape(collection=one.collection, id=one.item_id, reason=one.reason_with_key)
        for one in found[: limits.FINDINGS_SHOWN]
    ]


def in_order(summaries: Sequence[Summary]) -> list[SummaryShape]:
    """Write a list of checklists."""
    return [summary(one) for one in summaries]
