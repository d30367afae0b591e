"""Whether stored JSON names a person by an e-mail or a name, as a whole and not as a part of a longer one."""

import re
from collections.abc import Collection, Iterator
from typing import Any, Final

_BETWEEN: Final = re.compile(r"[^\w@.!#$%&'*+/=?^`{|}~-]+")
"""What is in no e-mail."""


def mentions_email(value: object, emails: Collection[str]) -> bool:
    """Return whether one of some e-mails stands in the keys or texts of a JSON value."""
    wanted = {email.casefold() for email in emails}
    return any(wanted & set(_words(text)) for text in _strings(value))


def mentions_name(value: object, name: str) -> bool:
    """Return whether a person's whole name stands in the keys or texts of a JSON value."""
    wanted = re.compile(rf"(?<!\w){re.escape(name.casefold())}(?!\w)")
    return any(wanted.search(text.casefold()) for text in _strings(value))


def _words(text: str) -> list[str]:
    return [word.strip(".'") for word in _BETWEEN.split(text.casefold())]


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)
