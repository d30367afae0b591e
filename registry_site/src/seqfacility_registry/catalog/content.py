"""The sequencing-technology catalog of one publication."""

from collections.abc import Iterator
from pathlib import Path

from seqfacility_registry.answers import Answer, Source, read_source


class CatalogContent:
    """The whole unfiltered catalog, as in the file. Spec: registry, Catalog sync source."""

    def __init__(self, source: Source) -> None:
        self.catalog = Answer("catalog", "registry/sequencing-tech", lambda _base_url: source.document())

    def answers(self) -> Iterator[Answer]:
        yield self.catalog


def read_catalog(folder: Path) -> CatalogContent:
    """Read the catalog below `folder`; a broken one is kept as broken. Decision: G232."""
    return CatalogContent(read_source(folder / "sequencing-tech.json", "catalog"))
