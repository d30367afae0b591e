"""Finding the sample that a name means."""

from seqfacility_instance.run_plans.samples import KnownSample, SampleIndex, Unresolved

A = KnownSample("1", "S-1", "Leaf", "INT-1")
B = KnownSample("2", "S-2", "leaf", "S-1")
C = KnownSample("3", "S-3", None, "Leaf")
D = KnownSample("4", "S-4", " Root ", "ROOT")
E = KnownSample("5", "S-5", "", "  ")
INDEX = SampleIndex([A, B, C, D, E])


def test_a_code_comes_before_an_alias_and_an_alias_before_an_internal_code() -> None:
    assert INDEX.find("S-1") == A
    assert INDEX.find("Leaf") == A
    assert INDEX.find("INT-1") == A


def test_exact_letters_come_before_any_letters() -> None:
    assert INDEX.find("leaf") == B
    assert INDEX.find("ROOT") == D
    assert INDEX.find("s-3") == C
    assert INDEX.find("root") == D


def test_a_name_without_case_that_fits_several_is_ambiguous() -> None:
    assert INDEX.find("LEAF") is Unresolved.AMBIGUOUS


def test_an_exact_alias_of_several_is_ambiguous() -> None:
    twins = SampleIndex([A, KnownSample("9", "S-9", "Leaf", None)])

    assert twins.find("Leaf") is Unresolved.AMBIGUOUS


def test_empty_names_fit_nothing() -> None:
    assert INDEX.find("") is Unresolved.UNKNOWN
    assert INDEX.find("S-6") is Unresolved.UNKNOWN
    assert SampleIndex([]).find("S-1") is Unresolved.UNKNOWN
