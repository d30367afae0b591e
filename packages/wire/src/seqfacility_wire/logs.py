"""One line an event on standard error, as text or JSON, with the request it belongs to and no secret."""

import logging
import re
import sys
from collections.abc import Mapping
from contextvars import ContextVar
from typing import Final

from seqfacility_wire.environment import InvalidVariable, value_of

FORMAT_VARIABLE: Final = "SEQFACILITY_LOG_FORMAT"
"""`text` (the default) or `json`: one object a line, for a log collector."""

LEVEL_VARIABLE: Final = "SEQFACILITY_LOG_LEVEL"
"""The least severe lines that are written: one of `LEVELS`; `info` is the default."""

LEVELS: Final = ("debug", "info", "warning", "error")

current_request: ContextVar[Mapping[str, str] | None] = ContextVar("current_request", default=None)
"""The request that this thread answers, as `requestId` and what the service tells of it, address and user.

Every line that is logged meanwhile carries these fields. Decision: G869.
"""

_TEXT: Final = "%(asctime)s %(levelname)s %(name)s %(message)s%(request)s"
_JSON: Final = "%(levelname)s %(name)s %(message)s"
_SECRETS: Final = (
    ("token=", re.compile(r"(?i)\b(token=)[^\s&\"']+")),
    ("service_session=", re.compile(r"(?i)\b(service_session=)[^\s;\"']+")),
    ("/d/", re.compile(r"(?i)(/d/)[a-z0-9_-]{16,}")),
    ("/invite/", re.compile(r"(?i)(/invite/)[^\s/?&\"']+")),
    ("authorization", re.compile(r"(?i)\b(authorization\"?: ?\"?(?:bearer|basic) )[^\s\"']+")),
    ("://", re.compile(r"(?i)(\b[a-z][a-z0-9+.-]*://[^\s:/@\"']*:)[^\s@\"']+(?=@)")),
)
"""A word without which there is nothing to hide, and how to find what is to be hidden: few lines have any.

The third is the address of a delivery link, the fourth that of an invite. Decision: G527, G832.
"""


def log_settings(environment: Mapping[str, str]) -> tuple[str, str]:
    """Read the form of the log, `text` or `json`, and its level; raises `InvalidVariable`. Decision: G465."""
    form = value_of(environment, FORMAT_VARIABLE) or "text"
    level = (value_of(environment, LEVEL_VARIABLE) or "info").lower()
    if form not in {"text", "json"}:
        raise InvalidVariable(FORMAT_VARIABLE, "must be text or json")
    if level not in LEVELS:
        raise InvalidVariable(LEVEL_VARIABLE, f"must be {', '.join(LEVELS[:-1])} or {LEVELS[-1]}")
    return form, level


def configure_logging(environment: Mapping[str, str]) -> None:
    """Send one line an event to standard error, in the form and of the levels that the environment asks for.

    Raises `InvalidVariable`.

    Decision: G267, G364, G471.
    """
    form, level = log_settings(environment)
    handler = _ScrubbedStream(sys.stderr)
    handler.addFilter(_add_request_text if form == "text" else _add_request)
    handler.setFormatter(_formatter(form))
    logging.basicConfig(level=level.upper(), handlers=[handler])
    # No line tells which code wrote it: to find that out is a fifth of what a line costs.
    logging._srcfile = None  # noqa: SLF001  # as the manual of `logging` does


def scrub(line: str) -> str:
    """Take tokens, cookies, credentials and passwords of URLs out of a line. Decision: G267."""
    lowered = line.casefold()
    for hint, secret in _SECRETS:
        if hint in lowered:
            line = secret.sub(r"\1[hidden]", line)
    return line


class _ScrubbedStream(logging.StreamHandler):  # type: ignore[type-arg]  # generic only in the stubs
    """Writes lines without secrets, tracebacks included: our own code logs none, a library might."""

    def format(self, record: logging.LogRecord) -> str:
        return scrub(super().format(record))


def _add_request(record: logging.LogRecord) -> bool:
    vars(record).update(current_request.get() or {})
    return True


def _add_request_text(record: logging.LogRecord) -> bool:
    fields = dict(current_request.get() or {})
    request_id = fields.pop("requestId", "")
    words = [request_id, *(f"{name}={value}" for name, value in fields.items())]
    record.request = " ".join(["", *filter(None, words)])
    return True


def _formatter(form: str) -> logging.Formatter:
    if form == "text":
        return logging.Formatter(_TEXT)
    from pythonjsonlogger.json import JsonFormatter

    return JsonFormatter(_JSON, timestamp="time", rename_fields={"levelname": "level", "name": "logger"})
