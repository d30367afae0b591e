"""What a save of settings has changed, for the audit trail."""

from collections.abc import Mapping
from typing import Final

from seqfacility_instance.core.json_text import compact_json

_MAX_CHARACTERS: Final = 1000


def changed_values(before: Mapping[str, object], after: Mapping[str, object]) -> dict[str, object]:
    """Return each value that differs as `{"before", "after"}`; a long one is cut and becomes text.

    Decision: G868.
    """
    keys = [key for key in {**before, **after} if before.get(key) != after.get(key)]
    return {key: {"before": _bounded(before.get(key)), "after": _bounded(after.get(key))} for key in keys}


def _bounded(value: object) -> object:
    text = value if isinstance(value, str) else compact_json(value)
    return value if len(text) <= _MAX_CHARACTERS else f"{text[:_MAX_CHARACTERS]}…"
