"""The sample sheet of Illumina instruments, version 2: settings and the indexes that tell samples apart."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from seqfacility_instance.run_plans.sample_sheets.facts import (
    PlacedSample,
    PlannedRun,
    SampleSheet,
    text_value,
)

HEADER_KEYS: Final = ("RunName", "RunDescription", "InstrumentPlatform", "InstrumentType", "IndexOrientation")
READ_KEYS: Final = ("Read1Cycles", "Read2Cycles", "Index1Cycles", "Index2Cycles")
SETTING_KEYS: Final = (
    "SoftwareVersion",
    "AdapterRead1",
    "AdapterRead2",
    "BarcodeMismatchesIndex1",
    "BarcodeMismatchesIndex2",
    "OverrideCycles",
    "FastqCompressionFormat",
    "NoLaneSplitting",
    "CreateFastqForIndexReads",
    "AdapterBehavior",
    "MinimumAdapterOverlap",
    "MinimumTrimmedReadLength",
    "MaskShortReads",
    "TrimUMI",
)
DATA_COLUMNS: Final = (
    "Lane",
    "Sample_ID",
    "Index",
    "Index2",
    "Sample_Project",
    "OverrideCycles",
    "BarcodeMismatchesIndex1",
    "BarcodeMismatchesIndex2",
)

_BASES: Final = re.compile(r"[ACGTN]+")
_CYCLES: Final = re.compile(r"[1-9][0-9]{0,3}")
_MISMATCHES: Final = re.compile(r"[012]")
_FLAG: Final = re.compile(r"[01]")
_INTEGER: Final = re.compile(r"[0-9]{1,4}")
_TEXT: Final = re.compile(r"[ -+\--~]{1,255}")  # printable ASCII without the comma
_VALUES: Final[Mapping[str, tuple[re.Pattern[str], str]]] = {
    "IndexOrientation": (re.compile("Forward|ReverseComplement"), "must be Forward or ReverseComplement"),
    **dict.fromkeys(READ_KEYS, (_CYCLES, "must be a positive integer")),
    "SoftwareVersion": (re.compile(r"[0-9]+\.[0-9]+\.[0-9]+"), "must be like 4.3.13"),
    "AdapterRead1": (re.compile(r"[ACGT]+(?:\+[ACGT]+)*"), "must be bases"),
    "AdapterRead2": (re.compile(r"[ACGT]+(?:\+[ACGT]+)*"), "must be bases"),
    "BarcodeMismatchesIndex1": (_MISMATCHES, "must be 0, 1 or 2"),
    "BarcodeMismatchesIndex2": (_MISMATCHES, "must be 0, 1 or 2"),
    "FastqCompressionFormat": (re.compile("gzip|dragen"), "must be gzip or dragen"),
    "NoLaneSplitting": (re.compile("true|false"), "must be true or false"),
    "CreateFastqForIndexReads": (_FLAG, "must be 0 or 1"),
    "AdapterBehavior": (re.compile("trim|mask"), "must be trim or mask"),
    "MinimumAdapterOverlap": (re.compile("[123]"), "must be 1, 2 or 3"),
    "MinimumTrimmedReadLength": (_INTEGER, "must be an integer"),
    "MaskShortReads": (_INTEGER, "must be an integer"),
    "TrimUMI": (_FLAG, "must be 0 or 1"),
    "Lane": (re.compile("[1-8]"), "must be 1 to 8"),
    "Sample_ID": (re.compile(r"[A-Za-z0-9_-]{1,100}"), "must be letters, digits, - and _"),
    "Index": (_BASES, "must be bases"),
    "Index2": (_BASES, "must be bases"),
    "Sample_Project": (re.compile(r"[A-Za-z0-9_-]{1,100}"), "must be letters, digits, - and _"),
}
_SEGMENT: Final = re.compile(r"(?:[YIUN](?:[1-9][0-9]{0,3}|\*))+")
_SEGMENT_PART: Final = re.compile(r"([YIUN])([0-9]+|\*)")
_DUAL_INDEX: Final = re.compile(r"([acgtn]+)(?:[+-]([acgtn]+))?", re.IGNORECASE)

Section = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Sections:
    """The sections of a sheet; keys without a value are left out."""

    header: Section
    reads: Section
    settings: Section
    data: Sequence[Section]


def illumina_sheet(run: PlannedRun) -> SampleSheet:
    """Write the sheet of a run; its parameters and the custom fields of its places go by its keys.

    A place without `Index` takes it from its barcode when that is written in bases, `GAACTGAGCG+TCGTGGAGCG`.
    Index cycles that nobody gave are as many as the longest index. Where no place has a lane, the lanes of a
    sample come in one file: that is what a read of ours is.

    Decision: G300.
    """
    data = [data_row(sample) for sample in run.samples]
    header = {"FileFormatVersion": "2", "RunName": run.run_id, **_said(run.parameters, HEADER_KEYS)}
    reads = _said(run.parameters, READ_KEYS)
    for index, cycles in (("Index", "Index1Cycles"), ("Index2", "Index2Cycles")):
        longest = max((len(row.get(index, "")) for row in data), default=0)
        if longest and cycles not in reads:
            reads[cycles] = str(longest)
    settings = {"FastqCompressionFormat": "gzip"}
    if not any("Lane" in row for row in data):
        settings["NoLaneSplitting"] = "true"
    settings |= _said(run.parameters, SETTING_KEYS)
    sections = Sections(
        header,
        {key: reads[key] for key in READ_KEYS if key in reads},
        {key: settings[key] for key in SETTING_KEYS if key in settings},
        data,
    )
    return SampleSheet(_written(sections), problems(sections))


def problems(sheet: Sections) -> list[str]:
    """Return what the conversion software would refuse, by key; empty when it takes the sheet.

    Decision: G300.
    """
    return [*_problems_of_run(sheet), *_problems_of_data(sheet)]


def _problems_of_run(sheet: Sections) -> Iterable[str]:
    if sheet.header.get("FileFormatVersion") != "2":
        yield "Header.FileFormatVersion: must be 2"
    if "Read1Cycles" not in sheet.reads:
        yield "runParameters.Read1Cycles: is required"
    for key, value in {**sheet.header, **sheet.reads, **sheet.settings}.items():
        yield from _value_problems(f"runParameters.{key}", key, value)
    cycles = sheet.settings.get("OverrideCycles")
    if cycles is not None:
        yield from _cycles_problems("runParameters.OverrideCycles", cycles, sheet.reads)


def _problems_of_data(sheet: Sections) -> Iterable[str]:
    if not sheet.data:
        yield "assignments: at least one sample is required"
    seen: dict[tuple[str, str, str], int] = {}
    named: dict[tuple[str, str], int] = {}
    has_lanes = any("Lane" in row for row in sheet.data)
    for position, row in enumerate(sheet.data):
        where = f"assignments[{position}]"
        for key, value in row.items():
            yield from _value_problems(f"{where}.customFields.{key}", key, value)
        if "OverrideCycles" in row:
            yield from _cycles_problems(
                f"{where}.customFields.OverrideCycles", row["OverrideCycles"], sheet.reads
            )
        if has_lanes and "Lane" not in row:
            yield f"{where}.customFields.Lane: is required when other samples have one"
        yield from _index_problems(where, row, sheet)
        place = (row.get("Lane", ""), row.get("Index", ""), row.get("Index2", ""))
        if seen.setdefault(place, position) != position:
            yield f"{where}.barcode: has the indexes of assignments[{seen[place]}]"
        name = (row.get("Lane", ""), row.get("Sample_ID", ""))
        if named.setdefault(name, position) != position:
            yield f"{where}.sampleId: is already in assignments[{named[name]}]"


def _index_problems(where: str, row: Section, sheet: Sections) -> Iterable[str]:
    for index, cycles in (("Index", "Index1Cycles"), ("Index2", "Index2Cycles")):
        bases, given = row.get(index, ""), sheet.reads.get(cycles, "")
        if not bases and any(index in other for other in sheet.data):
            yield f"{where}.customFields.{index}: is required when other samples have one"
        if _CYCLES.fullmatch(given) and len(bases) > int(given):
            yield f"{where}.customFields.{index}: is longer than {cycles}"
    if "Index2" in row and "Index" not in row:
        yield f"{where}.customFields.Index: is required with Index2"
    if len(sheet.data) > 1 and "Index" not in row and not any("Index" in other for other in sheet.data):
        yield f"{where}.barcode: must be bases, such as GAACTGAGCG+TCGTGGAGCG"


def _cycles_problems(path: str, cycles: str, reads: Section) -> Iterable[str]:
    """Check a cycle mask: a segment for each read in the order read 1, index 1, index 2, read 2."""
    order = [key for key in ("Read1Cycles", "Index1Cycles", "Index2Cycles", "Read2Cycles") if key in reads]
    segments = cycles.split(";")
    if len(segments) != len(order) or not all(_SEGMENT.fullmatch(segment) for segment in segments):
        yield f"{path}: must have a segment of Y, I, U and N for each of {', '.join(order)}"
        return
    for key, segment in zip(order, segments, strict=True):
        parts = _SEGMENT_PART.findall(segment)
        wildcards = sum(number == "*" for _letter, number in parts)
        total = sum(int(number) for _letter, number in parts if number != "*")
        known = int(reads[key]) if _CYCLES.fullmatch(reads[key]) else total
        if wildcards > 1 or (total > known if wildcards else total != known):
            yield f"{path}: {segment} does not add up to the {reads[key]} cycles of {key}"


def _value_problems(path: str, key: str, value: str) -> Iterable[str]:
    pattern, reason = _VALUES.get(key, (_TEXT, "must be plain text without commas"))
    if not pattern.fullmatch(value):
        yield f"{path}: {reason}"


def data_row(sample: PlacedSample) -> dict[str, str]:
    place = {"Sample_ID": sample.code, **_said(sample.fields, DATA_COLUMNS)}
    indexes = _DUAL_INDEX.fullmatch(sample.barcode or "")
    if "Index" not in place and indexes is not None:
        place["Index"] = indexes[1].upper()
        if indexes[2] is not None:
            place.setdefault("Index2", indexes[2].upper())
    return {column: place[column] for column in DATA_COLUMNS if column in place}


def _said(values: Mapping[str, object], keys: Iterable[str]) -> dict[str, str]:
    return {key: text for key in keys if (text := text_value(values, key))}


def _written(sheet: Sections) -> str:
    columns = [column for column in DATA_COLUMNS if any(column in row for row in sheet.data)]
    table = [",".join(row.get(column, "") for column in columns) for row in sheet.data]
    blocks = [
        ["[Header]", *_lines(sheet.header)],
        ["[Reads]", *_lines(sheet.reads)],
        ["[BCLConvert_Settings]", *_lines(sheet.settings)],
        ["[BCLConvert_Data]", ",".join(columns), *table],
    ]
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def _lines(section: Section) -> list[str]:
    return [f"{key},{value}" for key, value in section.items()]
