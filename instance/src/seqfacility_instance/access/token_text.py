"""The text of an API token: what secret scanners look for, and can check without asking anybody."""

import secrets
import zlib
from enum import StrEnum
from typing import Final

_DIGITS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_RANDOM_BYTES: Final = 32
_RANDOM_CHARACTERS: Final = 43
_CHECK_CHARACTERS: Final = 6


class TokenKind(StrEnum):
    """Whose token it is, as its prefix says."""

    PERSON = "sqf_p"
    MACHINE = "sqf_m"


def new_token(kind: TokenKind) -> str:
    """Make the text of a token: prefix, 256 random bits, and a CRC-32 of both in base 62. Decision: G800."""
    number = int.from_bytes(secrets.token_bytes(_RANDOM_BYTES))
    text = kind.value + _base62(number, _RANDOM_CHARACTERS)
    return text + _checksum(text)


def is_token_text(text: str) -> bool:
    """Return whether a text can be a token of ours; whoever guesses is refused without a query."""
    body, check = text[:-_CHECK_CHARACTERS], text[-_CHECK_CHARACTERS:]
    is_known = body.startswith(tuple(TokenKind)) and text.isascii()
    return (
        is_known and len(text) == len("sqf_p") + _RANDOM_CHARACTERS + len(check) and _checksum(body) == check
    )


def _checksum(text: str) -> str:
    return _base62(zlib.crc32(text.encode("ascii")), _CHECK_CHARACTERS)


def _base62(number: int, width: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return digits.rjust(width, _DIGITS[0])
