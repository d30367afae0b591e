"""Queries on checklists; writes the tables of checklists, their versions and their availability.

Decision: G67.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import cast

from peewee import Expression, fn

from seqfacility_instance.checklists.definition import Checklist, ChecklistField, Summary
from seqfacility_instance.checklists.rules import normalized_name
from seqfacility_instance.core.ids import new_id
from seqfacility_instance.tables.site import MixsAvailability, MixsChecklist, MixsRegistry, MixsVersion
from seqfacility_instance.tables.studies import Study

REGISTRY_ROW = "mixs"
_ROWS_PER_STATEMENT = 50


def active_version() -> int:
    """Return the number of the active registry version; 0 before `seqfacility init` made one.

    Decision: G69.
    """
    row = MixsRegistry.select(MixsRegistry.active_version).first()
    return 0 if row is None else int(row.active_version_id)


def last_checked_at() -> datetime | None:
    row = MixsRegistry.select(MixsRegistry.last_checked_at).first()
    return None if row is None else row.last_checked_at


def versions() -> list[int]:
    return sorted(int(row.version) for row in MixsVersion.select(MixsVersion.version))


def switched_off() -> set[str]:
    """Return the accessions that an admin switched off. Decision: G65, G70."""
    return {row.accession for row in MixsAvailability.select().where(~MixsAvailability.available)}


def study_counts() -> dict[str, int]:
    """Count the studies of each checklist, whichever version they use. Decision: G1043."""
    query = (
        Study.select(Study.checklist_type, fn.COUNT(Study.id))
        .where(Study.checklist_type.is_null(False))
        .group_by(Study.checklist_type)
    )
    return dict(cast("Iterable[tuple[str, int]]", query.tuples()))


def summaries(version: int) -> list[Summary]:
    """List the checklists of a version without their fields, by accession."""
    columns = (
        MixsChecklist.accession,
        MixsChecklist.name,
        MixsChecklist.description,
        MixsChecklist.field_count,
        MixsChecklist.mandatory_count,
        MixsChecklist.deprecated,
        MixsChecklist.image,
    )
    rows = MixsChecklist.select(*columns).where(MixsChecklist.mixs_version == version)
    found = [
        Summary(
            row.accession,
            row.name,
            row.description,
            row.field_count,
            row.mandatory_count,
            row.deprecated,
            row.image,
        )
        for row in rows
    ]
    return sorted(found, key=lambda summary: summary.accession)


def find_definition(version: int, accession: str) -> Checklist | None:
    """Read one checklist as it was in a version."""
    found = _definitions((MixsChecklist.mixs_version == version) & (MixsChecklist.accession == accession))
    return found[0] if found else None


def definitions(version: int) -> list[Checklist]:
    return sorted(
        _definitions(MixsChecklist.mixs_version == version), key=lambda checklist: checklist.accession
    )


def _definitions(condition: Expression) -> list[Checklist]:
    return [
        Checklist.model_construct(
            accession=row.accession,
            name=row.name,
            description=row.description,
            checklist_version=row.checklist_version,
            source=row.source,
            deprecated=row.deprecated,
            image=row.image,
            fields=[ChecklistField.model_validate(field) for field in row.fields],
        )
        for row in MixsChecklist.select().where(condition)
    ]


def add_version(version: int, source: str | None, checklists: Sequence[Checklist], now: datetime) -> bool:
    """Store a version with its checklists; False when it is already there."""
    made = MixsVersion.insert(version=version, source=source, activated_at=now).on_conflict_ignore()
    if not made.as_rowcount().execute():
        return False
    rows = [_row(version, checklist) for checklist in checklists]
    for start in range(0, len(rows), _ROWS_PER_STATEMENT):
        MixsChecklist.insert_many(rows[start : start + _ROWS_PER_STATEMENT]).execute()
    return True


def _row(version: int, checklist: Checklist) -> dict[str, object]:
    return {
        "id": new_id(),
        "mixs_version": version,
        "accession": checklist.accession,
        "name": checklist.name,
        "normalized_name": normalized_name(checklist.name),
        "description": checklist.description,
        "checklist_version": checklist.checklist_version,
        "source": checklist.source,
        "deprecated": checklist.deprecated,
        "field_count": len(checklist.fields),
        "mandatory_count": checklist.mandatory_count,
        "fields": [field.document() for field in checklist.fields],
        "image": checklist.image,
    }


def claim_first_version(version: int, now: datetime) -> bool:
    """Make a version the active one where there is none; False when there is one."""
    made = MixsRegistry.insert(id=REGISTRY_ROW, active_version=version, updated_at=now).on_conflict_ignore()
    return bool(made.as_rowcount().execute())


def claim_active_version(seen: int, version: int, now: datetime) -> bool:
    """Move the active version from the one that was seen; False when somebody else moved it.

    Decision: G70.
    """
    changed = (
        MixsRegistry.update(active_version=version, last_checked_at=now, updated_at=now)
        .where((MixsRegistry.id == REGISTRY_ROW) & (MixsRegistry.active_version == seen))
        .execute()
    )
    return cast("int", changed) == 1


def set_active_version(version: int, now: datetime) -> None:
    """Make a stored version the active one, whichever was. Decision: G444."""
    MixsRegistry.update(active_version=version, updated_at=now).where(
        MixsRegistry.id == REGISTRY_ROW
    ).execute()


def note_check(now: datetime) -> None:
    MixsRegistry.update(last_checked_at=now).where(MixsRegistry.id == REGISTRY_ROW).execute()


def set_available(accession: str, now: datetime, *, available: bool) -> None:
    """Switch a checklist on or off, for all versions. Decision: G70."""
    (
        MixsAvailability.insert(accession=accession, available=available, updated_at=now)
        .on_conflict(
            conflict_target=[MixsAvailability.accession], update={"available": available, "updated_at": now}
        )
        .execute()
    )
