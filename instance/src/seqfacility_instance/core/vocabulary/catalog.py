"""Closed sets of the catalog of sequencing technologies.

Decision: G224. Spec: registry, Catalog configuration.
"""

from enum import StrEnum


class CatalogAction(StrEnum):
    CHECK_UPDATES = "check-updates"
    APPLY_UPDATES = "apply-updates"
    RESET = "reset"


class ItemOrigin(StrEnum):
    """Where an item of the stored catalog comes from. Decision: G1047."""

    REGISTRY = "registry"
    CHANGED = "changed"
    OWN = "own"


class ItemChangeKind(StrEnum):
    """What a sync makes of an item that is not as the registry has it. Decision: G1048."""

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
