"""JSON as text, in the two spellings that we store: compact and canonical."""

import json


def compact_json(value: object) -> str:
    """Write `value` as JSON without spaces, keys in their own order, text as it is.

    Raises `ValueError` for NaN and infinities, which JSON does not know, and
    `TypeError` for values that have no JSON form.

    Decision: G8, G279.
    """
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def canonical_json(value: object) -> str:
    """Write `value` as JSON without spaces and with sorted keys: equal values give equal text.

    Decision: G177, G234.
    """
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=True)


def parsed_json(text: str) -> object:
    """Read JSON text that this service wrote itself; raises `ValueError` when it is broken."""
    value: object = json.loads(text)
    return value


def is_deeper_than(value: object, levels: int) -> bool:
    """Return whether arrays and objects in a JSON value lie in one another more than `levels` deep.

    Level by level and not by recursion: what is asked is whether recursion is safe.
    """
    layer = [value]
    for _level in range(levels + 1):
        layer = [part for outer in layer for part in _parts(outer)]
        if not layer:
            return False
    return True


def shallow(value: object, levels: int) -> object:
    """Return a JSON value with null in the place of the arrays and objects that lie deeper than `levels`."""
    if not isinstance(value, dict | list):
        return value
    if levels < 0:
        return None
    if isinstance(value, list):
        return [shallow(part, levels - 1) for part in value]
    return {key: shallow(part, levels - 1) for key, part in value.items()}


def _parts(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
