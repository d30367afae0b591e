"""Which indexes are too alike, which cycles stay dark, and what a set of barcodes holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from seqfacility_instance.catalog.shipped import shipped_catalog
from seqfacility_instance.run_plans.assignments import Place
from seqfacility_instance.run_plans.checking import Checked, CheckedPlace, RunFacts, checked
from seqfacility_instance.run_plans.indexes.barcode_sets import (
    BarcodeSet,
    SetBarcode,
    barcode_sets,
    names_between,
    set_of_run,
)
from seqfacility_instance.run_plans.indexes.collisions import Level
from seqfacility_instance.run_plans.indexes.colours import channels_of
from seqfacility_instance.run_plans.indexes.sequences import Bases

BASES = st.text("ACGT", min_size=1, max_size=24)


def bases(text: str) -> Bases:
    read = Bases.read(text)
    assert read is not None
    return read


def check(*barcodes: str | None, facts: RunFacts | None = None, **fields: object) -> Checked:
    """Check one run of samples with these barcodes; each takes the custom fields."""
    places = [
        CheckedPlace(row, "RUN_7", f"lake-{row + 1}", Place(barcode, fields))
        for row, barcode in enumerate(barcodes)
    ]
    return checked(places, {"RUN_7": facts or RunFacts()})


def found(result: Checked) -> list[tuple[Level, tuple[int, ...]]]:
    return [(pair.level, pair.distances) for pair in result.pairs]


@given(BASES, BASES)
def test_a_distance_is_the_number_of_bases_that_differ_over_the_common_length(one: str, other: str) -> None:
    expected = sum(first != second for first, second in zip(one, other, strict=False))

    assert bases(one).distance(bases(other)) == bases(other).distance(bases(one)) == expected


def test_an_unknown_base_agrees_with_every_other() -> None:
    assert bases("ANGN").distance(bases("ACGT")) == 0


@pytest.mark.parametrize("text", ["", "barcode01", "ACG U", "AC-GT"])
def test_a_name_is_no_sequence(text: str) -> None:
    assert Bases.read(text) is None


def test_indexes_that_differ_in_two_bases_are_warned_of_and_in_three_are_not() -> None:
    assert found(check("ACGTACGT", "ACGTACCA")) == [(Level.WARNING, (2,))]
    assert found(check("ACGTACGT", "ACGTAGCA")) == []


def test_equal_indexes_are_an_error() -> None:
    result = check("ACGTACGT+TTTTCCCC", "ACGTACGT+TTTTCCCC")

    assert found(result) == [(Level.ERROR, (0, 0))]
    assert result.pairs[0].message == "Same bases in i7 and i5: no read can be told apart"
    assert (result.errors, result.warnings) == (1, 0)


def test_a_pair_of_indexes_is_told_apart_by_either_of_them() -> None:
    assert found(check("ACGTACGT+TTTTCCCC", "ACGTACGT+AAATCCCC")) == []


def test_two_indexes_that_are_each_a_little_different_do_not_add_up() -> None:
    result = check("ACGTACGT+TTTTCCCC", "ACGTACCA+TTTTCCGG")

    assert found(result) == [(Level.WARNING, (2, 2))]
    assert result.pairs[0].message == (
        "Differ by 2 bases in i7, 2 bases in i5; at least 3 in i7 or 3 in i5 are needed to tell reads apart"
    )


def test_a_single_index_is_compared_by_the_index_that_both_have() -> None:
    assert found(check("ACGTACGT+TTTTCCCC", "ACGTACGA")) == [(Level.WARNING, (1,))]


def test_a_longer_index_is_compared_over_the_common_length() -> None:
    assert found(check("ACGTAC", "ACGTACGGGG")) == [(Level.ERROR, (0,))]


def test_mismatches_that_the_run_forgives_move_the_threshold() -> None:
    strict = RunFacts(parameters={"barcodemismatchesindex1": 0})
    lax = RunFacts(parameters={"BarcodeMismatchesIndex1": "2"})

    assert found(check("ACGTACGT", "ACGTACGA", facts=strict)) == []
    assert found(check("ACGTACGT", "ACGTTGCA", facts=lax)) == [(Level.WARNING, (4,))]


def test_samples_in_different_lanes_or_runs_never_meet() -> None:
    def place(row: int, run_id: str, lane: str) -> CheckedPlace:
        return CheckedPlace(row, run_id, "lake", Place("ACGTACGT", {"Lane": lane} if lane else {}))

    apart = [place(0, "A", "1"), place(1, "A", "2"), place(2, "B", "1")]
    in_all = [place(0, "A", "1"), place(1, "A", "")]

    assert found(checked(apart, {"A": RunFacts(), "B": RunFacts()})) == []
    assert found(checked(in_all, {"A": RunFacts()})) == [(Level.ERROR, (0,))]


def test_barcodes_without_bases_are_compared_by_name_and_named() -> None:
    result = check("barcode01", "barcode01", "barcode02")

    assert found(result) == [(Level.ERROR, ())]
    assert result.without_sequence == ["barcode01", "barcode02"]


def test_bases_that_the_catalog_has_are_compared() -> None:
    known = BarcodeSet(
        "s", "Set", "", [], [SetBarcode("U1", "u1", "ACGTACGT"), SetBarcode("U2", "u2", "ACGTACGA")]
    )

    result = check("u1", "u2", "u3", facts=RunFacts(barcode_set=known))

    assert found(result) == [(Level.WARNING, (1,))]
    assert [(one.row, one.message) for one in result.problems] == [(2, "u3 is not in Set")]
    assert result.without_sequence == ["u3"]


def test_a_sample_that_is_not_alone_wants_a_barcode_and_bases_are_bases() -> None:
    assert check(None).problems == []
    assert [(one.row, one.field) for one in check("ACGT", None).problems] == [(1, "barcode")]
    wrong = check("x", Index="ACGU")
    assert [(one.field, one.level) for one in wrong.problems] == [("Index", Level.ERROR)]


@pytest.mark.parametrize(
    ("instrument", "lights"),
    [
        ("NextSeq 550", {"red": "AC", "green": "AT"}),
        ("NovaSeq 6000 #2", {"red": "AC", "green": "AT"}),
        ("NextSeq 2000", {"blue": "AC", "green": "CT"}),
        ("NovaSeq X Plus", {"blue": "AC", "green": "CT"}),
        ("MiSeq i100 Plus", {"blue": "AC", "green": "CT"}),
        ("iSeq 100", {"first image": "AT", "second image": "CT"}),
    ],
)
def test_an_instrument_with_two_colours_is_known_by_its_name(instrument: str, lights: dict[str, str]) -> None:
    channels = channels_of(instrument, {})

    assert channels is not None
    assert {name: "".join(sorted(lit)) for name, lit in channels.items()} == lights


@pytest.mark.parametrize("instrument", ["MiSeq", "HiSeq 4000", "GridION", "AVITI", None])
def test_other_instruments_have_no_dark_base(instrument: str | None) -> None:
    assert channels_of(instrument, {}) is None


def test_a_cycle_of_only_g_and_a_channel_without_signal_are_told() -> None:
    facts = RunFacts(instrument="NextSeq 550")

    result = check("GTAC", "GGCA", facts=facts)

    assert [(one.cycles, one.message) for one in result.dark] == [
        ((1,), "i7, cycle 1: only G, which gives no signal at all"),
        ((2,), "i7, cycle 2: no base gives a signal in the red channel"),
    ]
    assert check("GTAC", "GGCA").dark == []


def test_the_second_index_is_looked_at_as_the_instrument_reads_it() -> None:
    turned = RunFacts(instrument="NextSeq 550")
    as_written = RunFacts(instrument="NextSeq 550", parameters={"IndexOrientation": "ReverseComplement"})

    dark = check("ACAC+AAAC", "TACA+TTTC", facts=turned).dark
    assert [one.message for one in dark] == ["i5, cycle 1: only G, which gives no signal at all"]
    dark = check("ACAC+AAAC", "TACA+TTTC", facts=as_written).dark
    assert [one.message for one in dark] == ["i5, cycle 4: no base gives a signal in the green channel"]


@pytest.mark.parametrize(
    ("first", "last", "count", "some"),
    [
        ("BC01", "BC96", 96, {0: "BC01", 95: "BC96"}),
        ("NB13", "NB24", 12, {0: "NB13", 11: "NB24"}),
        ("D701+D501", "D712+D508", 96, {0: "D701+D501", 1: "D701+D502", 95: "D712+D508"}),
        ("BC01", "RLB12A", 12, {0: "BC01", 10: "BC11", 11: "RLB12A"}),
    ],
)
def test_the_names_of_a_range_are_known(first: str, last: str, count: int, some: dict[int, str]) -> None:
    names = names_between(first, last, count)

    assert len(names) == count
    assert {place: names[place] for place in some} == some


@pytest.mark.parametrize(
    ("first", "last", "count"),
    [("AR001", "AR027", 24), ("x", "y", 2), ("A1", "A999999999", 999999999), ("A1", "A2", -1)],
)
def test_a_range_that_does_not_hold_its_count_gives_no_names(first: str, last: str, count: int) -> None:
    assert names_between(first, last, count) == []


def test_the_kit_of_a_run_names_its_set_as_minknow_writes_barcodes() -> None:
    catalog = shipped_catalog()
    assert catalog is not None
    sets = barcode_sets(catalog.document_items())

    native = set_of_run(sets, "", "SQK-NBD114-24")
    expansion = set_of_run(sets, "", "SQK-LSK109 EXP-NBD114")

    assert native is not None
    assert [native.barcodes[0].name, native.barcodes[0].barcode, len(native.barcodes)] == [
        "NB01",
        "barcode01",
        24,
    ]
    assert expansion is not None
    assert expansion.barcodes[0].barcode == "barcode13"
    assert set_of_run(sets, "illumina-ud-a", "SQK-NBD114-24") == next(
        one for one in sets if one.id == "illumina-ud-a"
    )
    assert set_of_run(sets, "", "") is None
