"""Closed sets of the catalog of sequencing technologies.

Decision: G224. Spec: registry, Catalog configuration.
"""

from enum import StrEnum


class CatalogAction(StrEnum):
    CHECK_UPDATES = "check-updates"
    APPLY_UPDATES = "apply-updates"
    RESET = "reset"


class ItemOrigin(StrEnum):
    """The origin of an item of the stored catalog. Decision: G1047."""

    REGISTRY = "registry"
    CHANGED = "changed"
    OWN = "own"


class ItemChangeKind(StrEnum):
    """What a sync does to an item that differs from the registry's. Decision: G1048."""

    NEW = "new"
    CHANGED = "changed"
    KEPT = "kept"


class CatalogCollection(StrEnum):
    TECHNOLOGIES = "technologies"
    DEVICES = "devices"
    FLOW_CELLS = "flowCells"
    KITS = "kits"
    SOFTWARE = "software"
    BARCODE_SCHEMES = "barcodeSchemes"
    BARCODE_SETS = "barcodeSets"
