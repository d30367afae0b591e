"""Whatever stands in a trace, and however it is cut, reading loses nothing and never fails."""

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from seqfacility_workflow_runtime import trace

HEADER = "process\ttag\tstatus\tattempt\n"
TAGS = st.lists(
    st.text(alphabet="abcü '-", min_size=1, max_size=6).filter(lambda tag: tag.strip(" -")), max_size=20
)


@settings(max_examples=60)
@given(TAGS, st.lists(st.integers(0, 400), max_size=6))
def test_rows_arrive_once_and_in_order_however_the_writing_is_cut(tags: list[str], cuts: list[int]) -> None:
    content = (HEADER + "".join(f"MAP\t{tag}\tCOMPLETED\t1\n" for tag in tags)).encode()
    seen: list[str | None] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.txt"
        offset = 0
        for end in [*sorted(min(cut, len(content)) for cut in cuts), len(content)]:
            path.write_bytes(content[:end])
            reading = trace.read_trace(path, offset)
            offset = reading.offset
            seen += [row.tag for row in reading.rows]

    assert seen == [tag.strip() for tag in tags]


@given(st.lists(st.text(max_size=20), max_size=20), st.text(max_size=200))
def test_no_line_breaks_the_reader(columns: list[str], line: str) -> None:
    row = trace.read_row(columns + list(trace.COLUMNS), line)

    assert row is None or row.attempt >= 1


@given(st.text(max_size=40))
def test_no_text_breaks_the_readers_of_cells(text: str) -> None:
    for value in (trace.read_duration(text), trace.read_size(text), trace.read_percent(text)):
        assert value is None or value >= 0
    trace.read_timestamp(text)
    trace.read_int(text)


@given(st.integers(0, 2**62))
def test_whole_milliseconds_and_bytes_are_read_exactly_up_to_what_a_float_holds(number: int) -> None:
    size = trace.read_size(str(number))

    assert size is not None
    assert abs(size - number) <= number // 2**52
