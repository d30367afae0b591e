"""Queries on checklists."""

from seqfacility_instance.tables import MixsAvailability, MixsChecklist, MixsRegistry


def active_version() -> int:
    """Give the number of the active registry version; 0 before `seqfacility init` made one. Gap: G69."""
    row = MixsRegistry.select(MixsRegistry.active_version).first()
    return 0 if row is None else int(row.active_version_id)


def switched_off() -> set[str]:
    """Name the checklists that an admin switched off. Gap: G65, G70."""
    return {row.accession for row in MixsAvailability.select().where(~MixsAvailability.available)}


def accessions(version: int, *, with_deprecated: bool) -> list[str]:
    """Name the checklists of a version, sorted."""
    query = MixsChecklist.select(MixsChecklist.accession).where(MixsChecklist.mixs_version == version)
    if not with_deprecated:
        query = query.where(~MixsChecklist.deprecated)
    return [row.accession for row in query.order_by(MixsChecklist.accession)]
