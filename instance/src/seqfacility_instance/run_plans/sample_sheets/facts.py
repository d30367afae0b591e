"""What a run and its places say to a sample sheet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum


class SheetFormat(StrEnum):
    """The sample sheets that are written. Decision: G295."""

    MINKNOW = "minknow"
    ILLUMINA = "illumina"


@dataclass(frozen=True, slots=True)
class PlacedSample:
    """A sample in the run; `fields` are the custom fields of its place."""

    code: str
    barcode: str | None
    fields: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """A run with its samples, in the order in which the sheet lists them."""

    run_id: str
    parameters: Mapping[str, object]
    samples: Sequence[PlacedSample]


@dataclass(frozen=True, slots=True)
class SampleSheet:
    """A sheet as text, and what its rules say against it; empty when it may be used."""

    text: str
    problems: list[str]


def text_value(values: Mapping[str, object], key: str) -> str:
    """Return the value of a key as text, whatever the case of the key; empty when there is none."""
    for name, value in values.items():
        if name.lower() != key.lower():
            continue
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, str | int | float):
            return str(value).strip()
    return ""
