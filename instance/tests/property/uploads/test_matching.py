"""What holds for every name that a file may have."""

import re

from hypothesis import given
from hypothesis import strategies as st
from seqfacility_instance.uploads.matching.names import read_name, stem_of
from seqfacility_instance.uploads.matching.plan import Intake, Kind, NamedFile, planned
from seqfacility_instance.uploads.matching.samples import Sample, SampleWords

WORDS = st.text("abAB12RLS_-. é", min_size=1, max_size=8).filter(lambda word: word.strip(" ._-") != "")
ALIASES = st.lists(WORDS, min_size=1, max_size=6, unique_by=lambda word: re.sub(r"[ ._-]", "_", word).lower())
ENDINGS = st.sampled_from(["_S1_L001_R1_001", "_S1_L001_R2_001", "_S7_R1_001", "_R1", "_R2", ".R2", "_1", ""])


def named(aliases: list[str]) -> list[Sample]:
    return [Sample(f"id{n}", f"S-{n:04}-XYZ", alias) for n, alias in enumerate(aliases)]


@given(ALIASES, st.data())
def test_a_file_named_after_a_sample_never_goes_to_one_with_a_shorter_name(
    aliases: list[str], data: st.DataObject
) -> None:
    samples = named(aliases)
    meant = data.draw(st.sampled_from(samples))
    file = NamedFile(f"{meant.alias}{data.draw(ENDINGS)}.fastq.gz", 1)

    plan = planned([file], SampleWords(samples), Intake([".fastq.gz"]))

    assert len(plan.placed) == sum(verdict.kind is Kind.UPLOAD for verdict in plan.verdicts)
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
    files = [NamedFile(f"run/{word}{ending}.fq", 1) for word, ending in names]

    plan = planned(files, SampleWords(named(aliases)), Intake([".fq"]))

    places = [(one.sample, one.role) for one in plan.placed]
    assert len(places) == len(set(places))


@given(st.text(max_size=20))
def test_reading_a_name_never_fails(name: str) -> None:
    stem = stem_of(name, [".fastq", ""])
    if stem is not None:
        start, end = read_name(stem).zone
        assert 0 <= start <= end <= len(stem)
