"""Request bodies as frozen pydantic models, refused with one line a cause."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Annotated, Any, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    ValidationError,
    WithJsonSchema,
    model_validator,
)
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError
from pydantic_core.core_schema import ValidatorFunctionWrapHandler
from seqfacility_wire.errors import ValidationFailed
from seqfacility_wire.plurals import counted
from seqfacility_wire.timestamps import parse_time

LINE_CHARACTERS = 255
LONG_TEXT_CHARACTERS = 20_000

_REASONS = {
    "missing": "is required",
    "string_type": "must be a string",
    "int_type": "must be an integer",
    "int_from_float": "must be an integer",
    "float_type": "must be a number",
    "finite_number": "must be a finite number",
    "bool_type": "must be true or false",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "list_type": "must be an array",
    "extra_forbidden": "is not a known key",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "greater_than": "must be greater than {gt}",
    "literal_error": "must be one of: {expected}",
    "enum": "must be one of: {expected}",
}
_COUNTS = {
    "string_too_short": ("at least", "min_length", "character", "characters"),
    "string_too_long": ("at most", "max_length", "character", "characters"),
    "too_short": ("at least", "min_length", "entry", "entries"),
    "too_long": ("at most", "max_length", "entry", "entries"),
}


class Nullable:
    """Marks a field that `null` clears; elsewhere `null` means left out.

    Decision: G1.
    """


class RequestModel(BaseModel):
    """A request body or a part of one: camelCase on the wire, unknown keys ignored, no silent conversion.

    Decision: G1, G8, G10.
    """

    model_config = ConfigDict(
        strict=True, frozen=True, extra="ignore", alias_generator=to_camel, populate_by_name=True
    )

    @model_validator(mode="wrap")
    @classmethod
    def _leave_out_nulls(cls, body: Any, handler: ValidatorFunctionWrapHandler) -> Self:
        if isinstance(body, dict):
            body = {key: value for key, value in body.items() if value is not None or cls._clears(key)}
        model: Self = handler(body)
        return model

    @classmethod
    def _clears(cls, key: str) -> bool:
        return any(
            key in {name, field.alias} and any(isinstance(note, Nullable) for note in field.metadata)
            for name, field in cls.model_fields.items()
        )

    @classmethod
    def read(cls, body: object) -> Self:
        """Check `body`; raises `ValidationFailed` with one line for each cause. Decision: G10."""
        try:
            return cls.model_validate(body, by_alias=True, by_name=False)
        except ValidationError as refused:
            raise ValidationFailed(validation_details(refused)) from refused


class KeyReportingModel(RequestModel, extra="allow"):
    """A request body that ignores unknown keys, and can list them.

    Decision: G461, G492.
    """

    def unknown_keys(self, answer_keys: Collection[str]) -> list[str]:
        """List the keys that are unknown here and in an answer, which may be sent back as it came."""
        return [key for key in self.model_extra or {} if key not in answer_keys]


def validation_details(refused: ValidationError) -> list[str]:
    """Write pydantic's findings as `<key path>: <reason>`, for example `samples[2].taxId: must be a string`.

    Decision: G10.
    """
    lines = []
    for finding in refused.errors(include_url=False, include_input=False):
        path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in finding["loc"])
        reason = _reason(finding["type"], finding["msg"], finding.get("ctx", {}))
        lines.append(f"{path.lstrip('.') or 'body'}: {reason}")
    return lines


def _reason(kind: str, otherwise: str, context: Mapping[str, Any]) -> str:
    if kind in _COUNTS:
        bound, key, one, many = _COUNTS[kind]
        return f"must have {bound} {counted(context[key], one, many)}"
    plain = {name: _plain(value) for name, value in context.items()}
    return _REASONS[kind].format(**plain) if kind in _REASONS else otherwise


def _plain(value: object) -> object:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value.replace("'", "").replace(" or ", ", ") if isinstance(value, str) else value


def _trimmed(value: object) -> object:
    return value.strip() if isinstance(value, str) else value


def _without_nul(value: str) -> str:
    if "\0" in value:
        raise PydanticCustomError("nul", "must not contain a NUL character")
    return value


def _length_limit(characters: int) -> AfterValidator:
    def check(value: str) -> str:
        if len(value) > characters:
            raise PydanticCustomError("long", f"must have at most {characters} characters")
        return value

    return AfterValidator(check)


def _not_empty(value: str) -> str:
    if not value:
        raise PydanticCustomError("empty", "must not be empty")
    return value


def _described(max_characters: int, least_characters: int = 0) -> WithJsonSchema:
    """Add the limits of the validators to the JSON Schema; a text is counted after trimming."""
    described: dict[str, object] = {"type": "string", "maxLength": max_characters}
    return WithJsonSchema({**described, "minLength": least_characters} if least_characters else described)


Text = Annotated[
    str,
    BeforeValidator(_trimmed),
    AfterValidator(_without_nul),
    _length_limit(LONG_TEXT_CHARACTERS),
    _described(LONG_TEXT_CHARACTERS),
]
"""A long text: trimmed, no NUL, at most 20,000 characters. Decision: G21."""

Line = Annotated[
    str,
    BeforeValidator(_trimmed),
    AfterValidator(_without_nul),
    _length_limit(LINE_CHARACTERS),
    _described(LINE_CHARACTERS),
]
"""A single-line text: trimmed, no NUL, at most 255 characters. Decision: G21."""

FilledLine = Annotated[Line, AfterValidator(_not_empty), _described(LINE_CHARACTERS, 1)]
"""A single-line text that says something."""

FilledText = Annotated[Text, AfterValidator(_not_empty), _described(LONG_TEXT_CHARACTERS, 1)]
"""A long text that says something."""


def _timestamp(value: object) -> object:
    if not isinstance(value, str):
        raise PydanticCustomError("moment", "must be a string")
    try:
        return parse_time(value.strip())
    except ValueError as unreadable:
        raise PydanticCustomError("moment", "must be an ISO 8601 timestamp") from unreadable


Timestamp = Annotated[datetime, BeforeValidator(_timestamp)]
"""A moment: ISO 8601 text on the wire, aware and in UTC here. Decision: G5."""
