"""How a row of samples is laid over what is stored."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from seqfacility_schemas import object_keys

from seqfacility_instance.forms.custom_fields import CustomFields
from seqfacility_instance.forms.values import WrongValue, storable
from seqfacility_instance.orders.sample_bodies import SampleRow

CHECKLIST_KEYS_MAX: Final = 1000
"""More than any checklist has fields (the largest combination has about 260)."""

_NOT_OF_THIS_ORDER: Final = "not a sample of this order"


@dataclass(frozen=True, slots=True)
class StoredSample:
    """The part of a sample that a row may change."""

    sample_alias: str | None = None
    scientific_name: str | None = None
    tax_id: str | None = None
    checklist_data: Mapping[str, object] | None = None
    checklist_units: Mapping[str, object] | None = None
    custom_fields: Mapping[str, object] | None = None


class Identity(NamedTuple):
    """What identifies a sample; `name` is what messages call it."""

    name: str
    alias: object
    tax_id: object


def identity_problems(samples: Sequence[Identity]) -> Iterator[tuple[int, str, str]]:
    """Yield position, key and reason for each alias that several samples share, and each malformed tax id.

    Aliases are compared exactly, as files are matched to samples (G205): `a1` and `A1` are two aliases.

    Decision: G460.
    """
    by_alias: dict[object, list[Identity]] = {}
    for sample in samples:
        by_alias.setdefault(sample.alias, []).append(sample)
    for position, sample in enumerate(samples):
        sharing = by_alias[sample.alias]
        if sample.alias and len(sharing) > 1:
            other = sharing[1] if sharing[0] is sample else sharing[0]
            yield position, "sampleAlias", f"is also the alias of {other.name}"
        if sample.tax_id and not re.fullmatch("[0-9]+", str(sample.tax_id)):
            yield position, "taxId", "must be a taxonomy id, which has only digits"


def lookalike_aliases(samples: Sequence[Identity]) -> Iterator[tuple[int, str]]:
    """Yield position and reason for each alias that differs from another one only in capital letters.

    A file is matched without case when no alias is its name exactly, and then two samples are meant (G205).

    Decision: G546.
    """
    by_alias: dict[str, dict[str, Identity]] = {}
    for sample in samples:
        alias = str(sample.alias or "")
        by_alias.setdefault(alias.casefold(), {}).setdefault(alias, sample)
    for position, sample in enumerate(samples):
        alias = str(sample.alias or "")
        others = [one for other, one in by_alias[alias.casefold()].items() if other != alias]
        if others:
            yield position, f"differs only in capital letters from the alias of {others[0].name}"


@dataclass(frozen=True, slots=True)
class References:
    """Which sample each row means (its id, or None for a new one), and what is wrong with the naming."""

    sample_ids: list[str | None]
    problems: list[str]


def resolved_references(rows: Sequence[SampleRow], known: Mapping[str, str]) -> References:
    """Find the sample of each row; `known` gives the database id of every id and code of the order.

    Decision: G4, G79.
    """
    sample_ids: list[str | None] = []
    problems = []
    first_use: dict[str, int] = {}
    for position, row in enumerate(rows):
        named = {"id": row.id, "sampleId": row.sample_id}
        found = {key: known.get(name) for key, name in named.items() if name}
        wrong = next((key for key, sample_id in found.items() if sample_id is None), None)
        sample_id = next(iter(found.values()), None)
        if wrong is None and len(set(found.values())) > 1:
            wrong = "sampleId"
        if wrong is not None:
            problems.append(f"samples[{position}].{wrong}: {_NOT_OF_THIS_ORDER}")
        elif sample_id is not None and first_use.setdefault(sample_id, position) != position:
            problems.append(
                f"samples[{position}].{next(iter(found))}: is already in samples[{first_use[sample_id]}]"
            )
        sample_ids.append(sample_id)
    return References(sample_ids, problems)


def merged_columns(
    stored: StoredSample, row: SampleRow, fields: CustomFields
) -> tuple[dict[str, object], list[str]]:
    """Lay a row over a sample; return every column that a row may change, and a line a refusal.

    Decision: G9, G58, G79.
    """
    custom_fields, problems = fields.merged(stored.custom_fields or {}, row.custom_fields or {})
    columns: dict[str, object] = {
        "sample_alias": _text(stored.sample_alias, row.sample_alias, "sampleAlias", fields),
        "scientific_name": _text(stored.scientific_name, row.scientific_name, "scientificName", fields),
        "tax_id": _text(stored.tax_id, row.tax_id, "taxId", fields),
        "custom_fields": custom_fields,
    }
    maps = (
        ("checklist_data", "checklistData", stored.checklist_data, row.checklist_data),
        ("checklist_units", "checklistUnits", stored.checklist_units, row.checklist_units),
    )
    for column, path, before, changes in maps:
        columns[column], refused = merged_map(before or {}, changes or {}, path)
        problems += refused
    problems += [
        f"checklistUnits.{key}: must be a string"
        for key, value in (row.checklist_units or {}).items()
        if value is not None and not isinstance(value, str)
    ]
    return columns, problems


def merged_map(
    stored: Mapping[str, object], changes: Mapping[str, object], path: str
) -> tuple[dict[str, object], list[str]]:
    """Merge a map per key, `null` removing one; return the result and a line a refusal. Decision: G9."""
    merged = dict(stored)
    problems = []
    for key, value in changes.items():
        if value is None:
            merged.pop(key, None)
            continue
        try:
            merged[str(storable(key))] = storable(value)
        except WrongValue as wrong:
            problems.append(f"{path}.{key}: {wrong}")
    if len(merged) > max(CHECKLIST_KEYS_MAX, len(stored)):
        problems.append(f"{path}: must have at most {CHECKLIST_KEYS_MAX} keys")
    return merged, problems


def sample_keys() -> frozenset[str]:
    """Return the keys that a sample has in any answer: who sends one back as it came is not warned.

    Decision: G461.
    """
    parts = "instance/order-parts"
    return object_keys(parts, "WholeSample") | object_keys(parts, "PlateSample")


def row_warnings(row: SampleRow, stored: StoredSample, fields: CustomFields) -> list[str]:
    """List what of a row is not taken because nothing has that name, `<path>: <reason>`. Decision: G461."""
    keys = row.unknown_keys(sample_keys())
    return fields.warnings(keys, stored.custom_fields or {}, row.custom_fields or {})


def bulk_problems(position: int, problems: Sequence[str]) -> list[str]:
    """Name the row in what is wrong with it. Decision: G10."""
    return [f"samples[{position}].{line}" for line in problems]


def _text(stored: str | None, value: str | None, column: str, fields: CustomFields) -> str | None:
    return stored if value is None or column in fields.hidden_columns else value or None
