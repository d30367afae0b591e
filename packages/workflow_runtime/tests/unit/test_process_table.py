"""Reading the kernel's list of processes."""

from hypothesis import given
from hypothesis import strategies as st
from seqfacility_workflow_runtime.processes.table import ProcessEntry, descendants, read_stat_line

REST = "S 41 42 42 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 777 1000 10"


@given(st.text(alphabet=st.characters(codec="ascii", exclude_characters="\0"), max_size=15))
def test_a_program_may_have_any_name(name: str) -> None:
    assert read_stat_line(f"43 ({name}) {REST}") == ProcessEntry(43, 41, "S", 777)


def test_descendants_are_found_at_every_depth() -> None:
    tree = [(2, 1), (3, 2), (4, 3), (5, 1), (6, 9)]
    entries = [ProcessEntry(pid, parent, "S", 0) for pid, parent in tree]

    assert {entry.pid for entry in descendants(entries, [2])} == {3, 4}
    assert {entry.pid for entry in descendants(entries, [1])} == {2, 3, 4, 5}


def test_a_list_that_was_read_while_numbers_changed_hands_does_not_loop_for_ever() -> None:
    entries = [ProcessEntry(2, 3, "S", 0), ProcessEntry(3, 2, "S", 0)]

    assert {entry.pid for entry in descendants(entries, [2])} == {2, 3}
