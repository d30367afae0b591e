"""What is taken out of an engine's message before anything of it is stored."""

from collections.abc import Mapping
from typing import Final

from seqfacility_instance.core.json_text import compact_json
from seqfacility_instance.runs.rules.log_text import HIDDEN, without_tokens

_SECRET_KEYS: Final = frozenset({"token", "basictoken", "authorization"})
_SIGNS: Final = ("token", "authorization")
"""One of them stands in everything that a token is taken out of; most messages have neither."""


def body_without_tokens(body: Mapping[str, object]) -> Mapping[str, object]:
    """Hide the tokens in the texts of a message, by the rule for logs; everything else stays as it is.

    An engine tells its own command line, and whoever started it by hand may have written the address of the
    weblog with its token into it. The text under a key such as `basicToken` is hidden whole.

    Decision: G170, G349, G350.
    """
    text = compact_json(body).lower()
    if not any(sign in text for sign in _SIGNS):
        return body
    return {without_tokens(key): _harmless(key, value) for key, value in body.items()}


def _harmless(key: str, value: object) -> object:
    match value:
        case str():
            return (
                HIDDEN if value and key.rpartition(".")[2].lower() in _SECRET_KEYS else without_tokens(value)
            )
        case dict():
            return {without_tokens(name): _harmless(name, part) for name, part in value.items()}
        case list():
            return [_harmless(key, part) for part in value]
        case _:
            return value
