"""Closed sets of the catalog of sequencing technologies.

Decision: G224. Spec: registry, Catalog configuration.
"""

from enum import StrEnum


class CatalogAction(StrEnum):
    CHECK_UPDATES = "check-updates"
    APPLY_UPDATES = "apply-updates"
    RESET = "reset"


class CatalogCollection(StrEnum):
    TECHNOLOGIES = "technologies"
    DEVICES = "devices"
    FLOW_CELLS = "flowCells"
    KITS = "kits"
    SOFTWARE = "software"
    BARCODE_SCHEMES = "barcodeSchemes"
    BARCODE_SETS = "barcodeSets"
