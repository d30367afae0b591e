"""What holds for every sample code and every output pattern."""

from hypothesis import given
from hypothesis import strategies as st
from seqfacility_pipeline_package.sample_names import BORDERS, sample_of
from seqfacility_pipeline_package.wildcards import OutputPattern

CODES = st.text(st.sampled_from("S10-A"), min_size=1, max_size=8)
ENDINGS = st.sampled_from(["", ".fq.gz", "_R1.fastq.gz", "-contigs.fa"])


@given(code=CODES, longer=st.text(st.sampled_from("S10-A"), min_size=1, max_size=4), ending=ENDINGS)
def test_a_code_never_takes_the_files_of_a_longer_code(code: str, longer: str, ending: str) -> None:
    other = code + longer

    assert sample_of(other + ending, [code, other]) == other


@given(codes=st.lists(CODES, min_size=1, unique=True), name=st.text(st.sampled_from("S10-A._"), max_size=20))
def test_a_code_that_is_found_stands_alone_and_no_longer_one_does(codes: list[str], name: str) -> None:
    found = sample_of(name, codes)
    if found is None:
        return
    places = [at for at in range(len(name)) if name.startswith(found, at)]
    ends = [(name[at - 1 : at] if at else "", name[at + len(found) : at + len(found) + 1]) for at in places]

    assert any(left in BORDERS | {""} and right in BORDERS | {""} for left, right in ends)


@given(st.lists(st.from_regex(r"[a-z][a-z.]{0,5}", fullmatch=True), min_size=1, max_size=5))
def test_a_path_is_taken_by_itself_and_by_a_double_star(names: list[str]) -> None:
    path = "/".join(names)

    assert OutputPattern.parse(path).matches(path)
    assert OutputPattern.parse(f"**/{names[-1]}").matches(path)
    assert OutputPattern.parse("**/*").matches(path)
