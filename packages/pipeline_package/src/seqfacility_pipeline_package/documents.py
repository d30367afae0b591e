"""JSON documents as Python holds them: strict reading, canonical writing, typed access to checked objects."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn, TypeAlias

JsonValue: TypeAlias = bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"] | None
JsonObject: TypeAlias = dict[str, JsonValue]

MAX_DEPTH = 64


class NotStrictJson(ValueError):
    """A text is not JSON as this format takes it: UTF-8, finite numbers, no key twice, not too deep."""


def read_json(content: bytes) -> JsonValue:
    """Parse the bytes of a JSON file.

    Raises `NotStrictJson`, with one line that says why, for anything that two readers could
    understand differently.
    """
    try:
        value: JsonValue = json.loads(
            content.decode("utf-8"),
            parse_constant=_refuse_constant,
            parse_float=_plain_fraction,
            object_pairs_hook=_object_without_repeats,
        )
    except UnicodeDecodeError:
        raise NotStrictJson("is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise NotStrictJson(f"is not JSON: {error.msg} in line {error.lineno}") from None
    except RecursionError:
        raise NotStrictJson("is nested too deeply") from None
    check_finite(value)
    return value


def check_finite(value: JsonValue, depth: int = 0) -> None:
    """Refuse numbers beyond double precision (`1e999`), texts that are no Unicode, and deep nesting."""
    if depth > MAX_DEPTH:
        raise NotStrictJson("is nested too deeply")
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        raise NotStrictJson("holds a number that is too large")
    if isinstance(value, str) and any("\ud800" <= char <= "\udfff" for char in value):
        raise NotStrictJson("holds half a surrogate pair")
    if isinstance(value, list):
        for item in value:
            check_finite(item, depth + 1)
    if isinstance(value, dict):
        for key, item in value.items():
            check_finite(key, depth + 1)
            check_finite(item, depth + 1)


def canonical_json(value: JsonValue) -> bytes:
    """Write a value so that equal values give equal bytes: UTF-8, sorted keys, no spaces. Gap: G234."""
    return json.dumps(
        value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    ).encode("utf-8")


def readable_json(value: JsonValue) -> str:
    """Write a value for people: two spaces, keys as they stand, a line break at the end."""
    return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


@dataclass(frozen=True, slots=True)
class Fields:
    """Typed access to one object of a document that its schema has already accepted."""

    values: Mapping[str, JsonValue]

    def text(self, key: str) -> str:
        """Give a required text."""
        value = self.values[key]
        assert isinstance(value, str), key
        return value

    def optional_text(self, key: str) -> str | None:
        """Give a text, or None when it is absent."""
        value = self.values.get(key)
        return value if isinstance(value, str) else None

    def flag(self, key: str, default: bool = False) -> bool:
        """Give a yes or no."""
        value = self.values.get(key, default)
        return value if isinstance(value, bool) else default

    def whole_number(self, key: str) -> int | None:
        """Give an integer, or None when it is absent."""
        value = self.values.get(key)
        return int(value) if isinstance(value, int | float) else None

    def number(self, key: str) -> float | None:
        """Give a number, or None when it is absent."""
        value = self.values.get(key)
        return float(value) if isinstance(value, int | float) else None

    def texts(self, key: str) -> tuple[str, ...]:
        """Give a list of texts, empty when it is absent."""
        value = self.values.get(key)
        return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()

    def mapping(self, key: str) -> JsonObject:
        """Give an object as it stands, empty when it is absent."""
        value = self.values.get(key)
        return value if isinstance(value, dict) else {}

    def part(self, key: str) -> "Fields":
        """Give an object for typed access, empty when it is absent."""
        return Fields(self.mapping(key))

    def parts(self, key: str) -> tuple["Fields", ...]:
        """Give a list of objects for typed access, empty when it is absent."""
        value = self.values.get(key)
        return (
            tuple(Fields(item) for item in value if isinstance(item, dict)) if isinstance(value, list) else ()
        )


def _refuse_constant(name: str) -> NoReturn:
    raise NotStrictJson(f"holds {name}, which is not JSON")


def _plain_fraction(text: str) -> float:
    """Refuse `1.0`: languages write it back in different ways, and digests would differ. Gap: G234."""
    value = float(text)
    if value.is_integer():
        raise NotStrictJson(f"writes the whole number {text} with a fraction or exponent")
    return value


def _object_without_repeats(pairs: list[tuple[str, JsonValue]]) -> JsonObject:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise NotStrictJson("names a key twice in one object")
    return result
