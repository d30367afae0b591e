"""Which column of a plan means what."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from seqfacility_instance.workbooks.columns import column_letters


class Field(StrEnum):
    """What a column can mean, by its name in a preview. Spec: instance, Sequencing run-plan import."""

    RUN_ID = "runId"
    SAMPLE_CODE = "sampleCode"
    BARCODE = "barcode"
    MATERIAL = "material_body_site"
    SAMPLING_DATE = "sampling_date"
    CONCENTRATION = "concentration_ng_ul"
    STORAGE_BOX = "storage_box"
    STORAGE_POSITION = "storage_position"
    STORAGE_BUFFER = "storage_buffer"


CUSTOM_FIELDS: Final = (
    Field.MATERIAL,
    Field.SAMPLING_DATE,
    Field.CONCENTRATION,
    Field.STORAGE_BOX,
    Field.STORAGE_POSITION,
    Field.STORAGE_BUFFER,
)
"""The fields whose values go to `customFields`, in the order of the documents."""

SAMPLE_FIELDS: Final = frozenset(CUSTOM_FIELDS) - {Field.CONCENTRATION}
"""Those that belong to the sample and not to its place in a run. Decision: G204."""

ACCEPTED_HEADERS: Final[Mapping[Field, tuple[str, ...]]] = {
    Field.RUN_ID: ("Run", "Run ID", "Run name", "Sequencing run"),
    Field.SAMPLE_CODE: (
        "Sample",
        "Sample ID",
        "Sample code",
        "Patient",
        "Patient ID",
        "Internal sample code",
    ),
    Field.BARCODE: ("Barcode", "Barcode ID", "Barcode name"),
    Field.MATERIAL: ("Material", "Body site"),
    Field.SAMPLING_DATE: ("Date", "Sampling date"),
    Field.CONCENTRATION: ("DNA ng/µl", "Concentration ng/µl"),
    Field.STORAGE_BOX: ("Storage box",),
    Field.STORAGE_POSITION: ("Storage position",),
    Field.STORAGE_BUFFER: ("Buffer",),
}
"""Spec: instance, Sequencing run-plan import."""

WRITTEN_HEADERS: Final[Mapping[Field, str]] = {
    Field.RUN_ID: "Run ID",
    Field.SAMPLE_CODE: "Sample ID",
    Field.BARCODE: "Barcode",
    Field.MATERIAL: "Material",
    Field.SAMPLING_DATE: "Sampling date",
    Field.CONCENTRATION: "DNA ng/µl",
    Field.STORAGE_BOX: "Storage box",
    Field.STORAGE_POSITION: "Storage position",
    Field.STORAGE_BUFFER: "Buffer",
}
"""The header of each field in the workbooks that we write. Decision: G88."""


def normalised_header(text: str) -> str:
    """Reduce a header to what counts: `Run-ID`, `run id` and `RunID` are equal, and both micro signs are `u`.

    Decision: G202.
    """
    folded = unicodedata.normalize("NFKC", text).replace("\u03bc", "u").lower()
    return "".join(letter for letter in folded if letter.isalnum())


_FIELDS: Final = {
    normalised_header(header): field for field, headers in ACCEPTED_HEADERS.items() for header in headers
}


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a plan, counted from 1: which field stands where, and the others by name."""

    fields: Mapping[Field, int]
    unmapped: Mapping[int, str]
    keys: Mapping[int, str]
    """A name for each unmapped column that no other one has."""


def read_columns(headers: Mapping[int, str], last_column: int) -> Columns:
    """Sort the columns 1 to `last_column` by their headers; the leftmost of a field counts.

    A filled column without a header, as beside a merged header cell, goes by its letter; the second column
    of a name by that name and `(2)`.

    Decision: G202, G293.
    """
    fields: dict[Field, int] = {}
    unmapped: dict[int, str] = {}
    for column in range(1, last_column + 1):
        text = headers.get(column, "")
        field = _FIELDS.get(normalised_header(text))
        if field is not None and field not in fields:
            fields[field] = column
        else:
            unmapped[column] = text or column_letters(column)
    return Columns(fields, unmapped, _different(unmapped))


def _different(names: Mapping[int, str]) -> dict[int, str]:
    keys: dict[int, str] = {}
    taken = set(names.values())
    used: set[str] = set()
    for column, name in names.items():
        key, count = name, 1
        while key in used or (count > 1 and key in taken):
            count += 1
            key = f"{name} ({count})"
        used.add(key)
        keys[column] = key
    return keys
