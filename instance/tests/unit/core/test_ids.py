"""Ids, codes and numbers have their form, and ids keep their order."""

import re
from datetime import UTC, datetime, timedelta

from seqfacility_instance.core import ids

NOON = datetime(2031, 5, 4, 12, 0, 0, 123_000, tzinfo=UTC)


def test_an_id_is_safe_in_a_path_and_as_a_file_name() -> None:
    assert all(re.fullmatch(r"[0-9a-z]{26}", ids.new_id()) for _ in range(100))


def test_ids_of_one_millisecond_grow_and_differ() -> None:
    maker = ids.IdMaker()

    made = [maker.make(NOON) for _ in range(10_000)]

    assert made == sorted(made)
    assert len(set(made)) == len(made)


def test_ids_grow_when_the_clock_is_set_back() -> None:
    maker = ids.IdMaker()

    earlier = maker.make(NOON)
    later = maker.make(NOON - timedelta(hours=1))

    assert earlier < later


def test_ids_of_two_makers_sort_by_time() -> None:
    assert ids.IdMaker().make(NOON) < ids.IdMaker().make(NOON + timedelta(milliseconds=1))


def test_a_sample_code_has_its_form() -> None:
    assert re.fullmatch(r"S-1935662400123-[A-Z0-9]{6}", ids.new_sample_code(NOON))


def test_run_numbers_have_their_forms() -> None:
    assert re.fullmatch(r"READS-QC-1935662400123-[a-z0-9]{5}", ids.provisional_run_number("reads-qc", NOON))
    assert ids.canonical_run_number("reads-qc", NOON, 7) == "READS-QC-20310504-007"
    assert ids.canonical_run_number("reads-qc", NOON, 1234) == "READS-QC-20310504-1234"


def test_an_order_number_has_at_least_four_digits() -> None:
    assert ids.order_number(NOON, 1) == "ORD-20310504-0001"
    assert ids.order_number(NOON, 12345) == "ORD-20310504-12345"
