"""The taxa that come with the service."""

from functools import cache
from importlib.resources import files
from typing import Final

from seqfacility_instance.taxa.rules import Taxon, TaxonIndex, TaxonSource

FILE_NAME: Final = "ncbi_taxa.tsv"


@cache
def shipped_taxa() -> TaxonIndex:
    """Read the shipped taxa, whose source is in the head of their file. Decision: G548."""
    text = files(__package__).joinpath(FILE_NAME).read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return TaxonIndex(
        [
            Taxon(tax_id, name, rank or None, TaxonSource(source), tuple(filter(None, others.split("|"))))
            for tax_id, name, rank, source, others in rows
        ]
    )
