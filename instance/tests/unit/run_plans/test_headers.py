"""Which column means what."""

import pytest
from seqfacility_instance.run_plans.headers import (
    ACCEPTED_HEADERS,
    WRITTEN_HEADERS,
    Field,
    normalised_header,
    read_columns,
)
from seqfacility_instance.workbooks.columns import column_letters, column_number


@pytest.mark.parametrize(
    ("text", "reduced"),
    [
        ("Run-ID", "runid"),
        ("run id", "runid"),
        ("RunID", "runid"),
        ("DNA ng/\u00b5l", "dnangul"),
        ("DNA ng/\u03bcl", "dnangul"),
        ("DNA [NG/\u00b5L]", "dnangul"),
        ("\uff32\uff35\uff2e", "run"),
        ("Größe", "größe"),
        (" - ", ""),
    ],
)
def test_a_header_is_reduced_to_its_letters_and_digits(text: str, reduced: str) -> None:
    assert normalised_header(text) == reduced


def test_no_header_is_accepted_for_two_fields() -> None:
    every = [normalised_header(header) for headers in ACCEPTED_HEADERS.values() for header in headers]

    assert len(every) == len(set(every))


def test_every_header_that_is_written_is_read_back() -> None:
    headers = dict(enumerate(WRITTEN_HEADERS.values(), start=1))

    columns = read_columns(headers, len(headers))

    assert dict(columns.fields) == {field: column for column, field in enumerate(WRITTEN_HEADERS, start=1)}
    assert set(columns.fields) == set(Field)
    assert columns.unmapped == {}


def test_columns_of_one_name_get_keys_that_differ() -> None:
    headers = {1: "Note", 2: "Note (2)", 3: "Note", 4: "Note"}

    columns = read_columns(headers, 4)

    assert list(columns.unmapped.values()) == ["Note", "Note (2)", "Note", "Note"]
    assert list(columns.keys.values()) == ["Note", "Note (2)", "Note (3)", "Note (4)"]


@pytest.mark.parametrize(
    ("column", "letters"), [(1, "A"), (26, "Z"), (27, "AA"), (702, "ZZ"), (16384, "XFD")]
)
def test_columns_are_counted_in_letters(column: int, letters: str) -> None:
    assert (column_letters(column), column_number(letters)) == (letters, column)
