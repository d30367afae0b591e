"""The columns of a sample table as a file: which ones a caller gets, and how a header is read."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from seqfacility_instance.core import limits
from seqfacility_instance.forms.custom_fields import CustomFields
from seqfacility_instance.forms.form import FormField
from seqfacility_instance.tables.orders import Sample

SAMPLE_ID: Final = "sampleId"
OWN_COLUMNS: Final[Mapping[str, str]] = {
    "sampleAlias": "sample_alias",
    "scientificName": "scientific_name",
    "taxId": "tax_id",
}
"""Columns of a sample that may be changed, by their header. Decision: G318."""

_TAKEN: Final = frozenset({SAMPLE_ID, *OWN_COLUMNS})


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column: its header, and the custom field behind it unless it is one of the sample's own."""

    header: str
    custom_field: str | None = None

    @property
    def path(self) -> str:
        """What the column is called in the body of a save, and so in what is wrong with it."""
        return self.header if self.custom_field is None else f"customFields.{self.custom_field}"

    def stored(self, sample: Sample, fields: CustomFields) -> object:
        """Return what a sample holds in this column, as far as the caller may see it."""
        if self.custom_field is not None:
            is_open = fields.readable is None or self.custom_field in fields.readable
            return sample.custom_fields.get(self.custom_field) if is_open else None
        if self.header == SAMPLE_ID:
            return sample.sample_code
        value: object = getattr(sample, OWN_COLUMNS[self.header])
        return None if self.header in fields.hidden_columns else value


@dataclass(frozen=True, slots=True)
class TableHeader:
    """What the header of a table means: columns by their place, from 1, and the texts that mean nothing."""

    columns: Mapping[int, TableColumn]
    unknown: list[str]


def columns_for(levels: Collection[CustomFields], samples: Iterable[Sample]) -> list[TableColumn]:
    """List the columns that a caller gets: the sample's own, fields of the forms in order, other answers.

    `levels` are the fields of all forms that concern the samples. A name that no header could carry back
    unchanged is left out.

    Decision: G318.
    """
    hidden = frozenset[str]().union(*(level.hidden_columns for level in levels))
    own = [TableColumn(header) for header in (SAMPLE_ID, *OWN_COLUMNS) if header not in hidden]
    asked: dict[str, FormField] = {}
    for level in levels:
        for name, field in reversed(list(level.fields.items())):
            if level.readable is None or name in level.readable:
                asked.setdefault(name, field)
    in_order = sorted(asked, key=lambda name: asked[name].order)
    return own + [_custom(name) for name in (*in_order, *_others(levels, samples, asked))]


def read_header(
    texts: Mapping[int, str], columns: Sequence[TableColumn], levels: Iterable[CustomFields]
) -> TableHeader:
    """Find the columns of a header without regard to case; the leftmost of a name counts.

    A column that no text names may be headed by the label of its question.

    Decision: G318, G611.
    """
    by_name = {column.header: column for column in columns}
    folded = {_folded(header): column for header, column in by_name.items()}
    by_label = {label: column for label, column in _labels(columns, levels).items() if label not in folded}
    in_order = sorted(texts.items())
    named = {text: by_name.get(text) or folded.get(_folded(text)) for text in texts.values()}
    labelled = {text: by_label.get(_folded(text)) for text in texts.values()}
    found: dict[int, TableColumn] = {}
    for column_of in (named, labelled):
        for place, text in in_order:
            column = column_of[text]
            if place not in found and column is not None and column not in found.values():
                found[place] = column
    unknown = [text for place, text in in_order if place not in found]
    return TableHeader(dict(sorted(found.items())), unknown)


def field_of(column: TableColumn, fields: CustomFields) -> FormField | None:
    """Return the question that a column answers, None for a column without one."""
    return None if column.custom_field is None else fields.fields.get(column.custom_field)


def _labels(columns: Iterable[TableColumn], levels: Iterable[CustomFields]) -> dict[str, TableColumn]:
    """Return columns by the label of their question, without labels that name two."""
    by_path = {column.path: column for column in columns}
    named: defaultdict[str, set[TableColumn]] = defaultdict(set)
    for level in levels:
        for path, label in level.labels.items():
            if path in by_path:
                named[_folded(label)].add(by_path[path])
    return {label: column for label, (column, *others) in named.items() if not others}


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _custom(name: str) -> TableColumn:
    return TableColumn(f"customFields.{name}" if name in _TAKEN else name, name)


def _others(levels: Collection[CustomFields], samples: Iterable[Sample], asked: Collection[str]) -> list[str]:
    everything = any(level.readable is None for level in levels)
    names = {name for sample in samples for name in sample.custom_fields} if everything else set()
    return sorted(name for name in names - set(asked) if name == " ".join(name.split()) and name)


def is_too_long_for(values: Iterable[object]) -> bool:
    """Return whether a column holds a text that no cell of a workbook takes."""
    return any(isinstance(value, str) and len(value) > limits.CELL_MAX_CHARACTERS for value in values)
