"""What keeps an order from being submitted."""

from typing import Any

from seqfacility_instance.forms.form import FormField
from seqfacility_instance.orders.sample_bodies import SampleRow
from seqfacility_instance.orders.sample_rules import merged_map, resolved_references
from seqfacility_instance.orders.submission import Filled, FilledSample, Problem, submission_problems


def field(name: str, kind: str = "text", **more: Any) -> FormField:
    return FormField.model_validate(
        {"id": name, "name": name, "type": kind, "label": name, "order": 0, "required": True, **more}
    )


def sample(code: str, columns: dict[str, str] | None = None, **answers: object) -> FilledSample:
    filled = Filled(columns or {}, answers)
    return FilledSample(code, code, code, 1, (columns or {}).get("sampleAlias"), filled)


def lines(problems: list[Problem]) -> list[str]:
    return [problem.line for problem in problems]


def test_an_order_needs_a_sample() -> None:
    assert lines(submission_problems(Filled({}, {}), [], [])) == ["samples: at least one sample is required"]


def test_a_column_answers_a_field_with_a_system_key() -> None:
    title = field("title", systemKey="name")

    assert submission_problems(Filled({"name": "x"}, {}), [sample("S")], [title]) == []
    problems = submission_problems(Filled({}, {"title": "x"}), [sample("S")], [title])
    assert lines(problems) == ["title: is required"]


def test_an_organism_is_named_by_id_or_by_name() -> None:
    organism = field("organism", "organism", perSample=True)
    samples = [
        sample("a", {"taxId": "562"}),
        sample("b", {"scientificName": "E. coli"}),
        sample("c", {"taxId": ""}),
    ]

    found = submission_problems(Filled({}, {}), samples, [organism])
    assert lines(found) == ["c.organism: is required"]


def test_problems_come_by_sample_in_the_order_of_the_form() -> None:
    fields = [field("first", perSample=True), field("second", "number", perSample=True), field("top")]

    found = submission_problems(
        Filled({}, {}), [sample("a", second="x"), sample("b", first="y", second=1)], fields
    )

    assert lines(found) == ["top: is required", "a.first: is required", "a.second: must be a number"]


def test_a_long_list_of_problems_is_cut() -> None:
    samples = [sample(f"s{number}") for number in range(1500)]

    found = submission_problems(Filled({}, {}), samples, [field("a", perSample=True)])

    assert len(found) == 1001
    assert found[-1].line == "samples: 500 more problems"


def test_aliases_are_compared_as_files_are_matched_with_case() -> None:
    aliases = ["a1", "A1", "a1", "b", "a1"]
    samples = [sample(f"S-{row}", {"sampleAlias": alias}) for row, alias in enumerate(aliases, 1)]

    assert lines(submission_problems(Filled({}, {}), samples, [])) == [
        "S-1.sampleAlias: is also the alias of S-3",
        "S-3.sampleAlias: is also the alias of S-1",
        "S-5.sampleAlias: is also the alias of S-1",
    ]
    assert submission_problems(Filled({}, {}), samples, [], {"sampleAlias"}) == []


def test_samples_without_alias_and_tax_id_share_nothing() -> None:
    samples = [sample("S-1"), sample("S-2"), sample("S-3", {"sampleAlias": "", "taxId": ""}), sample("S-4")]

    assert submission_problems(Filled({}, {}), samples, []) == []


def test_a_tax_id_has_only_digits() -> None:
    tax_ids = ["562", "408170", "x1", "9606.0", "\u0661", "-5"]
    samples = [sample(tax_id, {"taxId": tax_id}) for tax_id in tax_ids]

    assert lines(submission_problems(Filled({}, {}), samples, [])) == [
        f"{tax_id}.taxId: must be a taxonomy id, which has only digits" for tax_id in tax_ids[2:]
    ]


def test_a_row_names_its_sample_by_id_or_code() -> None:
    known = {"id1": "id1", "S-1": "id1", "id2": "id2", "S-2": "id2"}
    rows = [
        SampleRow(),
        SampleRow(sample_id="S-1"),
        SampleRow(id="id2", sample_id="S-2"),
        SampleRow(id="id2", sample_id="S-1"),
        SampleRow(sample_id="id1"),
        SampleRow(id="S-9"),
    ]

    found = resolved_references(rows, known)

    assert found.sample_ids[:3] == [None, "id1", "id2"]
    assert found.problems == [
        "samples[3].sampleId: not a sample of this order",
        "samples[4].sampleId: is already in samples[1]",
        "samples[5].id: not a sample of this order",
    ]


def test_a_map_merges_by_key() -> None:
    merged, problems = merged_map({"a": 1, "b": 2}, {"b": None, "c": " x ", "d": "a\0"}, "checklistData")

    assert merged == {"a": 1, "c": "x"}
    assert problems == ["checklistData.d: must not contain a NUL character"]


def test_a_map_does_not_grow_without_end() -> None:
    _merged, problems = merged_map({}, {str(number): 1 for number in range(1001)}, "checklistData")

    assert problems == ["checklistData: must have at most 1000 keys"]
