"""Closed sets of forms and checklists. Decision: G50, G64, G70."""

from enum import StrEnum


class FieldType(StrEnum):
    TEXT = "text"
    TEXTAREA = "textarea"
    SELECT = "select"
    MULTISELECT = "multiselect"
    CHECKBOX = "checkbox"
    NUMBER = "number"
    DATE = "date"
    BARCODE = "barcode"
    ORGANISM = "organism"
    MIXS = "mixs"
    FUNDING = "funding"
    BILLING = "billing"
    SEQUENCING_TECH = "sequencing-tech"


class FormSource(StrEnum):
    """Which study form applies. Decision: G61."""

    DEFAULT = "default"
    GLOBAL = "global"
    STUDY = "study"


class ChecklistFieldType(StrEnum):
    TEXT = "text"
    NUMBER = "number"
    DATE = "date"
    SELECT = "select"
    TAXON = "taxon"


class ChecklistLevel(StrEnum):
    MANDATORY = "mandatory"
    RECOMMENDED = "recommended"
    OPTIONAL = "optional"


class ChecklistAction(StrEnum):
    CHECK_UPDATES = "check-updates"
    APPLY_UPDATES = "apply-updates"
    SET_AVAILABLE = "set-available"
    ACTIVATE_VERSION = "activate-version"
    RESET = "reset"
