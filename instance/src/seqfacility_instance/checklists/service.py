"""Use cases of checklists."""

from dataclasses import dataclass

from seqfacility_instance.checklists import store


@dataclass(frozen=True, slots=True)
class Checklists:
    """Definitions of checklists, and which of them are offered."""

    def current_accessions(self) -> list[str]:
        """Name the checklists of the active version that are offered. Gap: G54."""
        off = store.switched_off()
        current = store.accessions(store.active_version(), with_deprecated=False)
        return [accession for accession in current if accession not in off]

    def known_accessions(self) -> set[str]:
        """Name every checklist of the active version. Gap: G55."""
        return set(store.accessions(store.active_version(), with_deprecated=True))
