"""Use cases of taxa."""

from dataclasses import dataclass

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.forms.custom_fields import ORGANISM_COLUMNS
from seqfacility_instance.forms.service import Forms
from seqfacility_instance.taxa import store
from seqfacility_instance.taxa.rules import Suggestion, Taxon, TaxonSource, suggestions
from seqfacility_instance.taxa.shipped import shipped_taxa


@dataclass(frozen=True, slots=True)
class Taxa:
    """Taxa for the samples of an order."""

    forms: Forms

    def suggest(self, caller: SignedIn, typed: str) -> list[Suggestion]:
        """Suggest taxa for what somebody types, with what a caller's own orders used, an admin's all.

        Decision: G548.
        """
        return suggestions(shipped_taxa(), self._used(caller), typed)

    def _used(self, caller: SignedIn) -> list[Taxon]:
        """Return what recent orders used; nothing to somebody who may not see organisms."""
        fields = self.forms.in_force().sample_fields(None, is_admin=caller.is_admin)
        if ORGANISM_COLUMNS & fields.hidden_columns:
            return []
        used = {}
        for tax_id, name in sorted(store.recent_taxa(caller), key=lambda one: (one[0], one[1] or "")):
            known = shipped_taxa().find(tax_id)
            if known is not None:
                used[tax_id] = Taxon(
                    tax_id, known.scientific_name, known.rank, TaxonSource.USED, known.other_names
                )
            elif name and tax_id.isascii() and tax_id.isdigit():
                used.setdefault(tax_id, Taxon(tax_id, name, None, TaxonSource.USED))
        return list(used.values())
