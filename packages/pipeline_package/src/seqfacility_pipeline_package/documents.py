"""JSON documents as Python holds them: strict reading, canonical writing, typed access to checked objects."""

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NoReturn, TypeAlias

JsonValue: TypeAlias = bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"] | None
JsonObject: TypeAlias = dict[str, JsonValue]

MAX_DEPTH = 64
MAX_VALUES = 2_000_000
"""The largest document that is published, all checklists, has a tenth of it. Decision: G440."""

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


class NotStrictJson(ValueError):
    """A text is not JSON that every reader understands alike and every store can hold. One line says why."""


def read_json(content: bytes) -> JsonValue:
    """Parse the bytes of a JSON file whose canonical form has a digest.

    Raises `NotStrictJson` as `read_foreign_json` does, and for a byte-order mark or a whole number that is
    written with a fraction or an exponent.

    Decision: G234.
    """
    return _parsed(_text(content, "utf-8"), _plain_fraction)


def read_foreign_json(content: bytes) -> JsonValue:
    """Parse the bytes of a document that somebody else publishes; a byte-order mark is skipped.

    Raises `NotStrictJson` for what is not UTF-8, `NaN` and numbers beyond double precision, a key twice in
    one object, halves of surrogate pairs and NUL characters, and for more than `MAX_DEPTH` levels or
    `MAX_VALUES` values.

    Decision: G440.
    """
    text = _text(content, "utf-8-sig")
    # Marks within texts count as well. A list of empty lists takes thirty times as much memory as bytes.
    if text.count(",") + text.count("[") + text.count("{") > MAX_VALUES:
        raise NotStrictJson(f"holds more than {MAX_VALUES} values")
    return _parsed(text, float)


def check_value(value: JsonValue) -> None:
    """Refuse what `read_foreign_json` refuses in a value that is parsed already."""
    level: list[JsonValue] = [value]
    for _ in range(MAX_DEPTH + 1):
        for item in level:
            if isinstance(item, str) and (bad := _UNSTORABLE.search(item)):
                raise NotStrictJson(
                    "holds a NUL character" if bad[0] == "\0" else "holds half a surrogate pair"
                )
            if isinstance(item, float) and not math.isfinite(item):
                raise NotStrictJson("holds a number that is too large")
        level = [
            inner
            for item in level
            if isinstance(item, list | dict)
            for inner in (item if isinstance(item, list) else (*item, *item.values()))
        ]
        if not level:
            return
    raise NotStrictJson("is nested too deeply")


def canonical_json(value: JsonValue) -> bytes:
    """Write a value so that equal values give equal bytes: UTF-8, sorted keys, no spaces. Decision: G234."""
    return json.dumps(
        value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    ).encode("utf-8")


def readable_json(value: JsonValue) -> str:
    """Write a value for people: two spaces, keys in order, a line break at the end."""
    return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


@dataclass(frozen=True, slots=True)
class Fields:
    """Typed access to one object of a document that its schema has already accepted."""

    values: Mapping[str, JsonValue]

    def text(self, key: str) -> str:
        value = self.values[key]
        assert isinstance(value, str), key
        return value

    def optional_text(self, key: str) -> str | None:
        """Return a text, or None when it is absent."""
        value = self.values.get(key)
        return value if isinstance(value, str) else None

    def flag(self, key: str, default: bool = False) -> bool:
        value = self.values.get(key, default)
        return value if isinstance(value, bool) else default

    def whole_number(self, key: str) -> int | None:
        """Return an integer, or None when it is absent."""
        value = self.values.get(key)
        return int(value) if isinstance(value, int | float) else None

    def number(self, key: str) -> float | None:
        value = self.values.get(key)
        return float(value) if isinstance(value, int | float) else None

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts, empty when it is absent."""
        value = self.values.get(key)
        return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()

    def mapping(self, key: str) -> JsonObject:
        """Return an object as it stands, empty when it is absent."""
        value = self.values.get(key)
        return value if isinstance(value, dict) else {}

    def part(self, key: str) -> "Fields":
        """Return an object for typed access, empty when it is absent."""
        return Fields(self.mapping(key))

    def parts(self, key: str) -> tuple["Fields", ...]:
        """Return a list of objects for typed access, empty when it is absent."""
        value = self.values.get(key)
        return (
            tuple(Fields(item) for item in value if isinstance(item, dict)) if isinstance(value, list) else ()
        )


def _text(content: bytes, encoding: str) -> str:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        raise NotStrictJson("is not UTF-8 text") from None


def _parsed(text: str, parse_float: Callable[[str], float]) -> JsonValue:
    try:
        value: JsonValue = json.loads(
            text,
            parse_constant=_refuse_constant,
            parse_float=parse_float,
            parse_int=_whole_number,
            object_pairs_hook=_object_without_repeats,
        )
    except json.JSONDecodeError as error:
        raise NotStrictJson(f"is not JSON: {error.msg} in line {error.lineno}") from None
    except RecursionError:
        raise NotStrictJson("is nested too deeply") from None
    check_value(value)
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise NotStrictJson(f"holds {name}, which is not JSON")


def _whole_number(text: str) -> int:
    if math.isinf(float(text)):
        raise NotStrictJson("holds a number that is too large")
    return int(text)


def _plain_fraction(text: str) -> float:
    """Refuse `1.0`: languages write it back in different ways, and digests would differ. Decision: G234."""
    value = float(text)
    if value.is_integer():
        raise NotStrictJson(f"writes the whole number {text} with a fraction or exponent")
    return value


def _object_without_repeats(pairs: list[tuple[str, JsonValue]]) -> JsonObject:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise NotStrictJson("names a key twice in one object")
    return result
