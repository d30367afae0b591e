"""What holds for every name, every file and every failure."""

import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from seqfacility_client.rules.fetching import Delivered, local_places
from seqfacility_client.rules.names import read_name, stem_of
from seqfacility_client.rules.pace import (
    LONGEST_ASKED_SECONDS,
    LONGEST_PAUSE_SECONDS,
    chunk_length,
    pause_seconds,
)
from seqfacility_client.rules.plan import planned
from seqfacility_client.rules.samples import Sample

WORDS = st.text("abAB12RLS_-. é", min_size=1, max_size=8).filter(lambda word: word.strip(" ._-") != "")
ALIASES = st.lists(WORDS, min_size=1, max_size=6, unique_by=lambda word: re.sub(r"[ ._-]", "_", word).lower())
ENDINGS = st.sampled_from(["_S1_L001_R1_001", "_S1_L001_R2_001", "_S7_R1_001", "_R1", "_R2", ".R2", "_1", ""])


@given(ALIASES, st.data())
def test_a_file_named_after_a_sample_never_goes_to_one_with_a_shorter_name(
    aliases: list[str], data: st.DataObject
) -> None:
    samples = [Sample(f"id{n}", f"S-{n:04}-XYZ", alias) for n, alias in enumerate(aliases)]
    meant = data.draw(st.sampled_from(samples))
    path = Path(f"{meant.alias}{data.draw(ENDINGS)}.fastq.gz")

    plan = planned([path], samples, [".fastq.gz"])

    assert len(plan.placed) + len(plan.problems) + len(plan.left_out) == 1
    for placed in plan.placed:
        assert placed.sample is not None
        assert len(placed.sample.alias or "") >= len(meant.alias or "")
        if len(aliases) == 1:
            assert placed.sample == meant


@given(ALIASES, st.sampled_from(["R1", "R2"]))
def test_a_name_in_illuminas_form_always_tells_its_mate(aliases: list[str], mate: str) -> None:
    for alias in aliases:
        assert read_name(f"{alias}_S1_L001_{mate}_001").mate == mate


@given(st.lists(st.tuples(WORDS, ENDINGS), max_size=8), ALIASES)
def test_no_sample_gets_two_files_of_one_mate(names: list[tuple[str, str]], aliases: list[str]) -> None:
    samples = [Sample(f"id{n}", f"S-{n:04}-XYZ", alias) for n, alias in enumerate(aliases)]
    files = sorted({Path("run", f"{word}{ending}.fq") for word, ending in names})

    plan = planned(files, samples, [".fq"])

    places = [(one.sample, one.role) for one in plan.placed]
    assert plan.problems or len(places) == len(set(places))


@given(st.integers(1, 10**7), st.integers(65_536, 10**7), st.none() | st.integers(50_000, 10**7))
def test_chunks_cover_a_file_once_and_none_is_too_large(
    size: int, recommended: int, maximum: int | None
) -> None:
    offset, lengths = 0, []
    while offset < size:
        lengths.append(chunk_length(offset, size, recommended, maximum))
        offset += lengths[-1]

    assert sum(lengths) == size
    assert min(lengths) > 0
    assert max(lengths) <= min(recommended, maximum or recommended)


@given(st.integers(0, 10**6), st.floats(0, 1), st.floats(0, 10**9))
def test_a_pause_is_never_endless(attempt: int, spread: float, asked: float) -> None:
    pause = pause_seconds(attempt, spread, asked)

    assert 0 < pause <= max(LONGEST_PAUSE_SECONDS, LONGEST_ASKED_SECONDS)


@given(st.lists(st.tuples(st.text(max_size=6), st.none() | st.text(max_size=4)), max_size=8))
def test_every_file_of_a_delivery_has_a_place_of_its_own_inside(
    named: list[tuple[str, str | None]],
) -> None:
    files = [Delivered(name, name, 1, None, code, "reads", "id1") for name, code in named]

    places = local_places(files)

    assert len(places) == len(files)
    assert len({str(place).lower() for place in places}) == len(files)
    for place in places:
        assert len(place.parts) == 3
        assert ".." not in place.parts


@given(st.text(max_size=20))
def test_reading_a_name_never_fails(name: str) -> None:
    stem = stem_of(name, [".fastq", ""])
    if stem is not None:
        start, end = read_name(stem).zone
        assert 0 <= start <= end <= len(stem)
