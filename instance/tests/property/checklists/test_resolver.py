"""What the resolver of checklists keeps, whatever they are called."""

from hypothesis import given
from hypothesis import strategies as st
from seqfacility_instance.checklists.definition import Summary
from seqfacility_instance.checklists.rules import normalized_name, resolved

NAMES = st.text("abC 1-é", max_size=5)
SUMMARIES = st.builds(
    Summary,
    accession=st.text("AB1", min_size=1, max_size=3),
    name=NAMES,
    description=st.just(""),
    field_count=st.integers(0, 3),
    mandatory_count=st.just(0),
    deprecated=st.booleans(),
)
LISTS = st.lists(SUMMARIES, max_size=6, unique_by=lambda one: one.accession)


@given(LISTS)
def test_an_accession_is_found_before_every_name(candidates: list[Summary]) -> None:
    for one in candidates:
        assert resolved(one.accession.lower(), candidates) == one


@given(NAMES, LISTS)
def test_a_hit_has_the_query_in_its_name_or_as_its_accession(query: str, candidates: list[Summary]) -> None:
    found = resolved(query, candidates)

    if found is not None:
        by_accession = found.accession.casefold() == query.strip().casefold()
        assert by_accession or normalized_name(query) in normalized_name(found.name)


@given(NAMES, LISTS)
def test_equal_names_beat_longer_ones(query: str, candidates: list[Summary]) -> None:
    found = resolved(query, candidates)
    equal = [one for one in candidates if normalized_name(query) and same(one.name, query)]
    named = [one for one in candidates if one.accession.casefold() == query.strip().casefold()]

    if equal and not named:
        assert found in equal


@given(NAMES, LISTS)
def test_the_order_of_candidates_does_not_matter(query: str, candidates: list[Summary]) -> None:
    shuffled = sorted(candidates, key=lambda one: one.name)

    assert resolved(query, shuffled) == resolved(query, candidates)


@given(NAMES, LISTS)
def test_of_several_hits_none_has_more_fields(query: str, candidates: list[Summary]) -> None:
    found = resolved(query, candidates)
    equal = [one for one in candidates if found is not None and same(one.name, found.name)]
    named = found is not None and found.accession.casefold() == query.strip().casefold()

    if found is not None and not named:
        assert found.field_count == max(one.field_count for one in equal)


@given(NAMES)
def test_nothing_is_found_where_there_is_nothing(query: str) -> None:
    assert resolved(query, []) is None


@given(NAMES)
def test_a_name_reduced_twice_is_reduced_once(name: str) -> None:
    assert normalized_name(normalized_name(name)) == normalized_name(name)


def same(left: str, right: str) -> bool:
    return normalized_name(left) == normalized_name(right)
