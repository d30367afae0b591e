"""Which taxa are suggested, and that what is shipped is sound."""

import re

import pytest
from seqfacility_instance.taxa.rules import Taxon, TaxonSource, suggestions
from seqfacility_instance.taxa.shipped import shipped_taxa


def best(typed: str, *used: Taxon) -> list[str]:
    return [found.taxon.scientific_name for found in suggestions(shipped_taxa(), used, typed)]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("human", "Homo sapiens"),
        ("Mouse", "Mus musculus"),
        ("E. coli", "Escherichia coli"),
        ("e coli", "Escherichia coli"),
        ("E. faecalis", "Enterococcus faecalis"),
        ("soil", "soil metagenome"),
        ("metagenome soil", "soil metagenome"),
        ("gut met", "gut metagenome"),
        ("9606", "Homo sapiens"),
        ("41065", "soil metagenome"),
        ("Lactobacillus plantarum", "Lactiplantibacillus plantarum"),
        ("  HOMO   s", "Homo sapiens"),
    ],
)
def test_names_words_synonyms_and_ids_find_a_taxon(typed: str, first: str) -> None:
    assert best(typed)[0] == first


def test_a_beginning_within_a_word_finds_nothing() -> None:
    assert best("apiens") == []


def test_the_name_that_fits_is_told_when_it_is_not_the_scientific_one() -> None:
    found = suggestions(shipped_taxa(), [], "baker")[0]

    assert (found.taxon.tax_id, found.other_name) == ("4932", "baker's yeast")
    assert suggestions(shipped_taxa(), [], "saccharomyces cer")[0].other_name is None


def test_at_most_twenty_are_suggested() -> None:
    assert len(best("m")) == 20


def test_what_was_used_comes_first_among_equals_and_alone_when_nothing_is_typed() -> None:
    used = Taxon("999999999", "soil of our garden and of nothing else", None, TaxonSource.USED)

    assert best("soil", used)[:2] == [used.scientific_name, "soil metagenome"]
    assert best("410658", used) == ["soil metagenome"]
    assert best("", used) == [used.scientific_name]


def test_a_used_taxon_that_is_shipped_is_suggested_once() -> None:
    used = Taxon("410658", "soil metagenome", "species", TaxonSource.USED)

    found = suggestions(shipped_taxa(), [used], "soil m")

    assert [one.taxon for one in found if one.taxon.tax_id == "410658"] == [used]


def test_each_shipped_taxon_has_an_id_of_digits_and_a_name_of_its_own() -> None:
    taxa = shipped_taxa().starting_with("")

    assert len(taxa) > 800
    assert (
        len({taxon.tax_id for taxon in taxa}) == len({taxon.scientific_name for taxon in taxa}) == len(taxa)
    )
    for taxon in taxa:
        assert re.fullmatch("[1-9][0-9]*", taxon.tax_id)
        assert not taxon.scientific_name.startswith(" ")
        assert taxon.source is not TaxonSource.USED
