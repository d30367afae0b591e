"""Answers about taxa."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqfacility_instance.taxa.rules import Suggestion

if TYPE_CHECKING:
    from seqfacility_schemas import answers


def taxon_shape(found: Suggestion) -> answers.Taxon:
    """Write a taxon that is suggested. Decision: G548."""
    taxon = found.taxon
    shape: answers.Taxon = {
        "taxId": taxon.tax_id,
        "scientificName": taxon.scientific_name,
        "source": taxon.source.value,
    }
    if taxon.rank is not None:
        shape["rank"] = taxon.rank
    if found.other_name is not None:
        shape["otherName"] = found.other_name
    return shape
