"""Whatever an answer is, the cell that shows it says nothing new when it comes back."""

from hypothesis import given
from hypothesis import strategies as st
from seqfacility_instance.orders.table_files import BOUNDS, SHEET_NAME
from seqfacility_instance.orders.table_values import says, shown
from seqfacility_instance.workbooks.csv_tables import read_csv, table_csv
from seqfacility_instance.workbooks.reading import read_sheet
from seqfacility_instance.workbooks.writing import table_workbook

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40).map(str.strip)
PLAIN = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
    | st.sampled_from(["=1+1", "'=x", "''-y", "+", "@a", "#N/A", "_x000D_", "1e5", "TRUE", "007", "a;b"])
)  # fmt: skip
ANSWERS = PLAIN | st.lists(PLAIN, max_size=4) | st.dictionaries(TEXTS, PLAIN, max_size=3)


@given(answers=st.lists(ANSWERS, min_size=1, max_size=4))
def test_an_answer_survives_csv(answers: list[object]) -> None:
    content = table_csv(["n", "answer"], [("row", shown(answer)) for answer in answers])

    rows = read_csv(content, BOUNDS)[1:]

    assert [says(answer, row.cells.get(2)) for answer, row in zip(answers, rows, strict=True)] == [
        True
    ] * len(answers)


@given(answers=st.lists(ANSWERS, min_size=1, max_size=4))
def test_an_answer_survives_a_workbook(answers: list[object]) -> None:
    content = table_workbook(SHEET_NAME, ["n", "answer"], [("row", shown(answer)) for answer in answers])

    rows = read_sheet(content, BOUNDS).rows[1:]

    assert [says(answer, row.cells.get(2)) for answer, row in zip(answers, rows, strict=True)] == [
        True
    ] * len(answers)
