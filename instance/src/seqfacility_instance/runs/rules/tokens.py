"""Tokens of the weblog: who may report with them, and how they are kept out of logs and stored events."""

import base64
import binascii
import hashlib
import hmac
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from seqfacility_instance.core.json_text import compact_json
from seqfacility_instance.runs.errors import InvalidToken, RunIdRequired, WeblogNotConfigured


def run_token(secret: str, run_id: str, launch: int = 0) -> str:
    """Make the token of one run: it can be derived by us, and tells nothing about the secret.

    A run that is resumed gets a new one: with the token of an earlier launch nobody reports on a later one.

    Decision: G170, G711.
    """
    told = f"{run_id}#{launch}" if launch else run_id
    return hmac.new(secret.encode(), told.encode(), hashlib.sha256).hexdigest()


def offered_token(query_token: str | None, authorization: str | None) -> str:
    """Choose the token of a request: the query's, else a Bearer token, else the password of Basic.

    An empty query token counts as none; `""` means that nothing usable was offered.

    Decision: G170, G279.
    """
    if query_token:
        return query_token
    scheme, _, value = (authorization or "").strip().partition(" ")
    if scheme.lower() == "bearer":
        return value.strip()
    if scheme.lower() == "basic":
        try:
            decoded = base64.b64decode(value.strip(), validate=True).decode("utf-8")
        except (binascii.Error, ValueError):
            return ""
        return decoded.partition(":")[2]
    return ""


def check_token(
    secret: str | None, run_id: str | None, token: str, launch_of: Callable[[str], int] = lambda _run_id: 0
) -> str:
    """Let a sender pass and give the run id that it reports for; `launch_of` tells how often it was resumed.

    A missing secret comes first, then the token, then the run id: whoever does not know the secret
    learns nothing. Both comparisons are always made, each in constant time. Raises
    `WeblogNotConfigured`, `InvalidToken` or `RunIdRequired`.

    Spec: instance, Authentication 6. Decision: G169, G170.
    """
    if not secret:
        raise WeblogNotConfigured
    offered = token.encode("utf-8", "surrogateescape")
    is_secret = hmac.compare_digest(offered, secret.encode())
    expected = run_token(secret, run_id or "", launch_of(run_id or ""))
    is_run_token = hmac.compare_digest(offered, expected.encode())
    if not token or not (is_secret or (is_run_token and run_id)):
        raise InvalidToken
    if not run_id:
        raise RunIdRequired
    return run_id


HIDDEN: Final = "***"

_SIGNS: Final = ("token", "authorization")
"""One of them stands in everything that is hidden; the pattern itself takes far longer."""

_TOKENS: Final = re.compile(
    r"""
    (?P<before>
        (?:[?&]|&amp;|\\u0026)token=
        | \bAuthorization\W{1,4}(?:Bearer|Basic)[ ]
        | \bbasicToken\s*[=:]\s*["']?
    )
    [^\s&"'<>\\]+
    """,
    re.VERBOSE | re.IGNORECASE,
)


def without_tokens(text: str) -> str:
    """Hide the tokens that an address, a header or a configuration in a log carries.

    Our own commands keep the token of a run out of addresses; a pipeline may still print what it was given.

    Decision: G170, G349.
    """
    lowered = text.lower()
    if not any(sign in lowered for sign in _SIGNS):
        return text
    return _TOKENS.sub(lambda found: found["before"] + HIDDEN, text)


def parts_without_tokens(parts: Sequence[str]) -> list[str]:
    """Hide the tokens in parts that follow on each other, also one that lies across two of them.

    Decision: G726.
    """
    text = "".join(parts)
    lowered = text.lower()
    found = _TOKENS.finditer(text) if any(sign in lowered for sign in _SIGNS) else ()
    hidden = [(token.end("before"), token.end()) for token in found]
    shown, begin = [], 0
    for part in parts:
        end, at, kept = begin + len(part), begin, ""
        for first, last in hidden:
            if last > begin and first < end:
                kept += text[at : max(first, at)] + (HIDDEN if first >= begin else "")
                at = min(last, end)
        shown.append(kept + text[at:end])
        begin = end
    return shown


_SECRET_KEYS: Final = frozenset({"token", "basictoken", "authorization"})


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
