"""Values of form fields: what may be stored, and what an order may be submitted with."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from seqfacility_wire.plurals import counted
from seqfacility_wire.timestamps import parse_date

from seqfacility_instance.core import limits
from seqfacility_instance.core.barcodes import normalised_barcode
from seqfacility_instance.core.json_text import is_deeper_than
from seqfacility_instance.core.patterns import PatternChecks, PatternTooSlow
from seqfacility_instance.core.vocabulary.forms import FieldType
from seqfacility_instance.forms.form import FormField

_GRANT_KEYS: Final = ("funder", "grantNumber", "grantTitle")
_BILLING_KEYS: Final = ("projectCode", "costCenter")
_TECHNOLOGY_TEXTS: Final = (
    "technologyId",
    "technologyName",
    "platformFamily",
    "readLengthClass",
    "deviceId",
    "deviceName",
    "flowCellId",
    "kitId",
    "barcodeKitId",
)
_TECHNOLOGY_LISTS: Final = ("supportedReadLayouts", "softwareIds")

_CHOICES: Final = frozenset({FieldType.SELECT, FieldType.MULTISELECT})
_NEEDED: Final[Mapping[FieldType, tuple[str, ...]]] = {
    FieldType.MIXS: ("checklist",),
    FieldType.SEQUENCING_TECH: ("technologyId",),
    FieldType.FUNDING: ("funder", "grantNumber"),
}
"""What an answer of several parts must not leave out when an order is submitted."""


class WrongValue(ValueError):
    """A value of the wrong type; the text says what it must be."""


def storable(value: object) -> object:
    """Trim the texts in a JSON value; raises `WrongValue` for a NUL and for what is nested without end.

    Decision: G21.
    """
    if is_deeper_than(value, limits.ANSWER_MAX_LEVELS):
        raise WrongValue("is nested too deeply")
    return _trimmed(value)


def _trimmed(value: object) -> object:
    if isinstance(value, str):
        if "\0" in value:
            raise WrongValue("must not contain a NUL character")
        return value.strip()
    if isinstance(value, list):
        return [_trimmed(entry) for entry in value]
    if isinstance(value, Mapping):
        return {str(_trimmed(key)): _trimmed(entry) for key, entry in value.items()}
    return value


def draft_value(field: FormField, value: object) -> object:
    """Check the type of a value as saving a draft does, and return what is stored.

    A select answer only has to be a string here. Raises `WrongValue`.

    Decision: G50, G63, G274.
    """
    return _READERS[field.type](storable(value))


def is_empty(value: object) -> bool:
    """Return whether a value is empty; `false` and `0` are not."""
    if isinstance(value, Mapping):
        return all(is_empty(part) for part in value.values())
    return value is None or value in ("", [])


def value_problem(field: FormField, value: object, patterns: PatternChecks) -> str | None:
    """Return why an order cannot be submitted with this value; None when it can.

    Decision: G76, G303, G309.
    """
    if is_empty(value):
        return "is required" if field.required else None
    try:
        draft_value(field, value)
    except WrongValue as wrong:
        return str(wrong)
    problem = next((problem for check in _CHECKS for problem in check(field, value)), None)
    return problem or _pattern_problem(field, value, patterns)


def _check_options(field: FormField, value: object) -> Iterable[str]:
    chosen = value if isinstance(value, list) else [value]
    if field.type in _CHOICES and any(entry not in field.options for entry in chosen):
        yield "is not one of the options"


def _check_bounds(field: FormField, value: object) -> Iterable[str]:
    bounds = field.validation
    if bounds is None or isinstance(value, bool) or not isinstance(value, int | float):
        return
    if bounds.min is not None and value < bounds.min:
        yield f"must be at least {bounds.min}"
    if bounds.max is not None and value > bounds.max:
        yield f"must be at most {bounds.max}"


def _check_text(field: FormField, value: object) -> Iterable[str]:
    bounds = field.validation
    if bounds is None or not isinstance(value, str):
        return
    if bounds.min_length is not None and len(value) < bounds.min_length:
        yield f"must have at least {counted(bounds.min_length, 'character')}"
    if bounds.max_length is not None and len(value) > bounds.max_length:
        yield f"must have at most {counted(bounds.max_length, 'character')}"


def _check_parts(field: FormField, value: object) -> Iterable[str]:
    for part in value if isinstance(value, list) else [value]:
        if isinstance(part, Mapping):
            yield from (
                f"{key} is required" for key in _NEEDED.get(field.type, ()) if is_empty(part.get(key))
            )


_CHECKS: Final = (_check_options, _check_bounds, _check_text, _check_parts)


def _pattern_problem(field: FormField, value: object, patterns: PatternChecks) -> str | None:
    """Match a text that is otherwise valid against the pattern of its field."""
    bounds = field.validation
    if bounds is None or bounds.pattern is None or not isinstance(value, str):
        return None
    try:
        matches = patterns.is_match(bounds.pattern, value)
    except PatternTooSlow:
        return f"took too long to check against {bounds.pattern}"
    return None if matches else bounds.pattern_message or f"must match {bounds.pattern}"


def _line(value: object) -> object:
    return _text(value, limits.SINGLE_LINE_MAX_CHARACTERS)


def _long_text(value: object) -> object:
    return _text(value, limits.LONG_TEXT_MAX_CHARACTERS)


def _text(value: object, max_characters: int) -> str:
    if not isinstance(value, str):
        raise WrongValue("must be a string")
    if len(value) > max_characters:
        raise WrongValue(f"must have at most {max_characters} characters")
    return value


def _texts(value: object) -> object:
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
        raise WrongValue("must be an array of strings")
    return value


def _flag(value: object) -> object:
    if not isinstance(value, bool):
        raise WrongValue("must be true or false")
    return value


def _number(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise WrongValue("must be a number")
    return value


def _date(value: object) -> object:
    text = _text(value, limits.SINGLE_LINE_MAX_CHARACTERS)
    try:
        return parse_date(text).isoformat()
    except ValueError as wrong:
        raise WrongValue("must be a date like 2031-05-04") from wrong


def _barcode(value: object) -> object:
    return normalised_barcode(_text(value, limits.SINGLE_LINE_MAX_CHARACTERS)) or ""


def _grants(value: object) -> object:
    if not isinstance(value, list):
        raise WrongValue("must be an array of objects")
    return [_texts_by_key(grant, _GRANT_KEYS) for grant in value]


def _technology(value: object) -> object:
    texts = _texts_by_key(value, _TECHNOLOGY_TEXTS)
    assert isinstance(value, Mapping)
    lists = {key: _texts(value[key]) for key in _TECHNOLOGY_LISTS if value.get(key) is not None}
    return {**texts, **lists}


def _texts_by_key(value: object, keys: Iterable[str]) -> dict[str, object]:
    if not isinstance(value, Mapping):
        raise WrongValue("must be an object")
    parts = {key: value[key] for key in keys if value.get(key) is not None}
    for key, part in parts.items():
        if not isinstance(part, str):
            raise WrongValue(f"{key} must be a string")
    return parts


_READERS: Final[Mapping[FieldType, Callable[[object], object]]] = {
    FieldType.TEXT: _line,
    FieldType.TEXTAREA: _long_text,
    FieldType.SELECT: _line,
    FieldType.MULTISELECT: _texts,
    FieldType.CHECKBOX: _flag,
    FieldType.NUMBER: _number,
    FieldType.DATE: _date,
    FieldType.BARCODE: _barcode,
    FieldType.ORGANISM: _long_text,
    FieldType.MIXS: lambda value: _texts_by_key(value, ("checklist",)),
    FieldType.FUNDING: _grants,
    FieldType.BILLING: lambda value: _texts_by_key(value, _BILLING_KEYS),
    FieldType.SEQUENCING_TECH: _technology,
}
