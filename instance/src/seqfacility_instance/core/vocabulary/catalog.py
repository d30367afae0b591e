"""Words on the catalog of sequencing technologies."""

from enum import StrEnum


class CatalogAction(StrEnum):
    """Decision: G224."""

    CHECK_UPDATES = "check-updates"
    APPLY_UPDATES = "apply-updates"
    RESET = "reset"


class CatalogCollection(StrEnum):
    """Spec: registry, Catalog configuration."""

    TECHNOLOGIES = "technologies"
    DEVICES = "devices"
    FLOW_CELLS = "flowCells"
    KITS = "kits"
    SOFTWARE = "software"
    BARCODE_SCHEMES = "barcodeSchemes"
    BARCODE_SETS = "barcodeSets"
