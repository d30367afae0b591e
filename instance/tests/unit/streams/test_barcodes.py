"""Which barcode a file has, and whose it is."""

import pytest
from seqfacility_instance.streams.rules.barcodes import barcode_of, mapped_sample, needs_warning
from seqfacility_instance.streams.rules.requests import lowered_map
from seqfacility_wire.errors import ValidationFailed


@pytest.mark.parametrize(
    ("path", "barcode"),
    [
        ("fastq_pass/barcode03/a.fastq", "barcode03"),
        ("fastq_pass/Barcode03/a.fastq", "barcode03"),
        ("BC3/a.fastq", "bc3"),
        ("fastq_pass/unclassified/a.fastq", "unclassified"),
        ("barcode01/deeper/barcode02/x/a.fastq", "barcode02"),
        ("soil7/a.fastq", "soil7"),
        ("SOIL7/a.fastq", "soil7"),
        ("fastq_pass/FBA_pass_barcode03_9c1e77d0_51ab20fe_0.fastq.gz", "barcode03"),
        ("barcode05/FBA_pass_barcode03_0.fastq.gz", "barcode05"),
        ("fastq_pass/xbarcode03.fastq", ""),
        ("fastq_pass/barcode03x_1.fastq", ""),
        ("mixed/a.fastq", ""),
        ("barcode/a.fastq", ""),
        ("a.fastq", ""),
        ("soil7.fastq", ""),
    ],
)
def test_the_nearest_folder_decides_and_then_the_name(path: str, barcode: str) -> None:
    assert barcode_of(path, {"soil7": "S-1"}) == barcode


@pytest.mark.parametrize(
    ("path", "barcode"),
    [
        ("fastq_pass/S-1-AB/FBA_pass_S-1-AB_9c1e77d0_0.fastq.gz", "barcode01"),
        ("fastq_pass/FBA_pass_S-1-AB_9c1e77d0_0.fastq.gz", "barcode01"),
        ("fastq_pass/s-1-ab/a.fastq", "barcode01"),
        ("S-1-AB/pool/run/fastq_pass/a.fastq", ""),
        ("S-1-AB/pool/run/fastq_pass/barcode02/a.fastq", "barcode02"),
        ("fastq_pass/S-1-ABC/a.fastq", ""),
        ("fastq_pass/FBA_pass_S-1-ABC_0.fastq", ""),
        ("fastq_pass/FBA_pass_S-1_0.fastq", "barcode02"),
    ],
)
def test_an_alias_that_is_a_sample_code_stands_for_its_barcode(path: str, barcode: str) -> None:
    assert barcode_of(path, {"barcode01": "S-1-AB", "barcode02": "S-1", "barcode03": "S-1-AB"}) == barcode


@pytest.mark.parametrize(
    ("barcode", "code"),
    [
        ("barcode01", "S-1"),
        ("bc1", "S-1"),
        ("bc01", "S-9"),
        ("barcode2", None),
        ("unclassified", None),
        ("", None),
    ],
)
def test_the_map_is_asked_for_the_name_and_then_for_its_one_spelling(barcode: str, code: str | None) -> None:
    assert mapped_sample(barcode, {"barcode01": "S-1", "bc01": "S-9"}) == code


@pytest.mark.parametrize(("barcode", "wants"), [("barcode02", True), ("unclassified", False), ("", False)])
def test_only_a_real_barcode_without_a_sample_is_worth_telling(barcode: str, wants: bool) -> None:
    assert needs_warning(barcode, {"barcode01": "S-1"}) is wants


def test_keys_are_lowered_and_otherwise_kept() -> None:
    assert lowered_map({"BC1": "S-1", " Soil 7 ": "S-2"}) == {"bc1": "S-1", " soil 7 ": "S-2"}


def test_keys_that_become_equal_are_refused() -> None:
    with pytest.raises(ValidationFailed) as refused:
        lowered_map({"bc1": "S-1", "BC1": "S-2"})

    assert refused.value.details == ["barcodeMap.BC1: is there twice when written in lower case"]
