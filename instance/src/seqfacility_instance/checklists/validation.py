"""What of a registry's set of checklists is taken: those that people can fill in."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import ValidationError
from seqfacility_schemas.checklist_rules import COLLECTION, checklist_findings, repeated
from seqfacility_schemas.findings import Finding

from seqfacility_instance.checklists.definition import Checklist, ChecklistSet, RemoteSet

NAMELESS = "?"


class RepeatedName(ValueError):
    """An accession occurs twice in a set, or a field name twice in a checklist."""


@dataclass(frozen=True, slots=True)
class ValidatedSet:
    """A registry's set without what was wrong with it: checklists left out, and lesser faults.

    Decision: G443.
    """

    checklists: ChecklistSet
    skipped: tuple[Finding, ...] = ()
    warnings: tuple[Finding, ...] = ()

    @property
    def version(self) -> int:
        return self.checklists.version

    @property
    def skipped_accessions(self) -> frozenset[str]:
        """Which checklists are left out: what is stored of them stays as it is."""
        return frozenset(fault.item_id for fault in self.skipped)


def validated(document: Mapping[str, object]) -> ValidatedSet:
    """Read a registry's set; a checklist that is unsound is left out, the others are taken.

    Raises `ValidationError` for what is no set, and `RepeatedName`.

    Decision: G440, G443.
    """
    remote = RemoteSet.model_validate(document)
    if repeated([str(row.get("accession")) for row in remote.checklists if "accession" in row]):
        raise RepeatedName
    taken: list[Checklist] = []
    found: list[Finding] = []
    for row in remote.checklists:
        try:
            checklist = Checklist.model_validate(row)
        except ValidationError as unsound:
            found.append(_shape_finding(row, unsound))
            continue
        if repeated([field.name for field in checklist.fields]):
            raise RepeatedName(checklist.accession)
        faults = list(checklist_findings(checklist.model_dump(mode="json", by_alias=True)))
        found.extend(faults)
        if not any(fault.is_harmful for fault in faults):
            taken.append(checklist)
    return ValidatedSet(
        ChecklistSet(version=remote.version, checklists=taken),
        skipped=tuple(fault for fault in found if fault.is_harmful),
        warnings=tuple(fault for fault in found if not fault.is_harmful),
    )


def _shape_finding(row: Mapping[str, object], unsound: ValidationError) -> Finding:
    accession, error = row.get("accession"), unsound.errors(include_url=False, include_context=False)[0]
    return Finding(
        COLLECTION,
        accession if isinstance(accession, str) else NAMELESS,
        error["msg"],
        ".".join(str(step) for step in error["loc"]),
        is_harmful=True,
    )
