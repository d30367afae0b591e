"""Illumina sample sheets, version 2, against their published rules."""

from dataclasses import replace

import pytest
from seqfacility_instance.run_plans.sample_sheets.facts import PlacedSample, PlannedRun
from seqfacility_instance.run_plans.sample_sheets.illumina import Sections, illumina_sheet, problems

GOOD = Sections(
    header={
        "FileFormatVersion": "2",
        "RunName": "facility-2026-031",
        "InstrumentPlatform": "NovaSeqXSeries",
        "InstrumentType": "NovaSeqX",
        "IndexOrientation": "Forward",
    },
    reads={"Read1Cycles": "151", "Read2Cycles": "151", "Index1Cycles": "10", "Index2Cycles": "10"},
    settings={
        "SoftwareVersion": "4.3.13",
        "FastqCompressionFormat": "gzip",
        "NoLaneSplitting": "false",
        "OverrideCycles": "Y151;I10;I10;Y151",
    },
    data=[
        {
            "Lane": "1",
            "Sample_ID": "S01",
            "Index": "GAACTGAGCG",
            "Index2": "TCGTGGAGCG",
            "Sample_Project": "a",
        },
        {
            "Lane": "1",
            "Sample_ID": "S02",
            "Index": "AGGTCAGATA",
            "Index2": "CTACAAGATA",
            "Sample_Project": "a",
        },
        {
            "Lane": "2",
            "Sample_ID": "S03",
            "Index": "GAACTGAGCG",
            "Index2": "TCGTGGAGCG",
            "Sample_Project": "b",
        },
    ],
)


def with_row(**change: str) -> Sections:
    row = {key: value for key, value in {**GOOD.data[1], **change}.items() if value}
    return replace(GOOD, data=[GOOD.data[0], row, GOOD.data[2]])


def test_a_sheet_as_it_is_published_has_no_problems() -> None:
    assert problems(GOOD) == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"OverrideCycles": "Y151;I10;I10"}, "must have a segment of Y, I, U and N for each of"),
        ({"OverrideCycles": "Y151;I10;I10;Y150"}, "Y150 does not add up to the 151 cycles of Read2Cycles"),
        ({"OverrideCycles": "Y151;I8;I10;Y151"}, "I8 does not add up to the 10 cycles of Index1Cycles"),
        ({"OverrideCycles": "Y152N*;I10;I10;Y151"}, "Y152N* does not add up"),
        ({"SoftwareVersion": "4.3"}, "runParameters.SoftwareVersion: must be like 4.3.13"),
        ({"FastqCompressionFormat": "zip"}, "runParameters.FastqCompressionFormat: must be gzip or dragen"),
        ({"NoLaneSplitting": "no"}, "runParameters.NoLaneSplitting: must be true or false"),
        ({"BarcodeMismatchesIndex1": "3"}, "runParameters.BarcodeMismatchesIndex1: must be 0, 1 or 2"),
        ({"TrimUMI": "true"}, "runParameters.TrimUMI: must be 0 or 1"),
        ({"AdapterRead1": "ACGX"}, "runParameters.AdapterRead1: must be bases"),
    ],
)
def test_a_setting_outside_its_rule_is_a_problem(change: dict[str, str], problem: str) -> None:
    found = problems(replace(GOOD, settings={**GOOD.settings, **change}))

    assert len(found) == 1
    assert problem in found[0]


@pytest.mark.parametrize("cycles", ["Y151;I10;I10;Y151", "U5Y146;I8N2;N10;Y*", "N*Y100;I*;U10;Y150N1"])
def test_masks_that_add_up_are_taken(cycles: str) -> None:
    assert problems(replace(GOOD, settings={**GOOD.settings, "OverrideCycles": cycles})) == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"Sample_ID": "S 02"}, "assignments[1].customFields.Sample_ID: must be letters, digits, - and _"),
        ({"Index": "AXG"}, "assignments[1].customFields.Index: must be bases"),
        ({"Index": "ACGTACGTACG"}, "assignments[1].customFields.Index: is longer than Index1Cycles"),
        ({"Index2": ""}, "assignments[1].customFields.Index2: is required when other samples have one"),
        ({"Lane": ""}, "assignments[1].customFields.Lane: is required when other samples have one"),
        ({"Lane": "9"}, "assignments[1].customFields.Lane: must be 1 to 8"),
        (
            {"Sample_Project": "a/b"},
            "assignments[1].customFields.Sample_Project: must be letters, digits, - and _",
        ),
        ({"Sample_ID": "S01"}, "assignments[1].sampleId: is already in assignments[0]"),
        (
            {"Index": "GAACTGAGCG", "Index2": "TCGTGGAGCG"},
            "assignments[1].barcode: has the indexes of assignments[0]",
        ),
    ],
)
def test_a_row_outside_its_rule_is_a_problem(change: dict[str, str], problem: str) -> None:
    assert problems(with_row(**change)) == [problem]


def test_read_one_and_the_version_are_required() -> None:
    found = problems(replace(GOOD, header={"RunName": "x"}, reads={"Index1Cycles": "10"}, settings={}))

    assert found[:2] == ["Header.FileFormatVersion: must be 2", "runParameters.Read1Cycles: is required"]


def test_text_that_would_break_a_line_is_a_problem() -> None:
    for name in ("a,b", "a\nb", "é"):
        found = problems(replace(GOOD, header={**GOOD.header, "RunName": name}))
        assert found == ["runParameters.RunName: must be plain text without commas"]


def test_several_samples_need_indexes_and_a_single_one_does_not() -> None:
    parameters = {"Read1Cycles": 100}
    one = PlannedRun("R", parameters, [PlacedSample("S-1", None, {})])
    two = PlannedRun(
        "R", parameters, [PlacedSample("S-1", "barcode01", {}), PlacedSample("S-2", "barcode02", {})]
    )

    assert illumina_sheet(one).problems == []
    assert (
        "assignments[0].barcode: must be bases, such as GAACTGAGCG+TCGTGGAGCG" in illumina_sheet(two).problems
    )


def test_lanes_of_a_sample_come_in_one_file_unless_somebody_chose_lanes_or_otherwise() -> None:
    def settings(fields: dict[str, object], **parameters: object) -> str:
        samples = [PlacedSample("S-1", "ACGTACGT", fields)]
        sheet = illumina_sheet(PlannedRun("R", {"Read1Cycles": 100, **parameters}, samples))
        assert sheet.problems == []
        return sheet.text.split("[BCLConvert_Settings]\n")[1].split("\n\n")[0]

    assert settings({}) == "FastqCompressionFormat,gzip\nNoLaneSplitting,true"
    assert settings({"lane": 1}) == "FastqCompressionFormat,gzip"
    assert settings({}, NoLaneSplitting=False) == "FastqCompressionFormat,gzip\nNoLaneSplitting,false"
    assert settings({"Lane": 1}, NoLaneSplitting="true").endswith("NoLaneSplitting,true")


def test_a_single_index_is_taken_from_a_barcode_of_bases() -> None:
    samples = [PlacedSample("S-1", "acgtacgt", {"Lane": 1}), PlacedSample("S-2", "ttgtacgt", {"lane": "1"})]

    sheet = illumina_sheet(PlannedRun("R", {"Read1Cycles": 100}, samples))

    assert sheet.problems == []
    assert sheet.text.endswith("[BCLConvert_Data]\nLane,Sample_ID,Index\n1,S-1,ACGTACGT\n1,S-2,TTGTACGT\n")
    assert "Index1Cycles,8\n" in sheet.text
