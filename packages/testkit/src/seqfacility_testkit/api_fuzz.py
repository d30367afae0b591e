"""Requests that nobody would think of, made from an OpenAPI document and sent to a real server."""

import zlib
from collections.abc import Mapping
from typing import Any, Final

import requests
import schemathesis
from schemathesis import Case, CheckContext, Config, Response
from schemathesis.checks import CheckFunction
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

SEED: Final = 20_310_504
TIMEOUT_SECONDS: Final = 60

_OF_ANOTHER: Final = 502


def no_failure_of_ours(_context: CheckContext, response: Response, case: Case[Any]) -> bool | None:
    """Refuse every 5xx but a documented 502: it says that another service failed, not this one."""
    status = response.status_code
    is_told = str(status) in case.operation.definition.raw["responses"]
    assert status < 500 or (status == _OF_ANOTHER and is_told), (
        f"server error {status}: {response.text[:500]}"
    )
    return None


CHECKS: Final[list[CheckFunction]] = [
    no_failure_of_ours,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
"""What every answer keeps: no 5xx, and what the document says of its status, type, headers and schema."""


def described(document: dict[str, Any], examples: int) -> BaseSchema:
    """Read a document; each operation gets its own examples, every bound of its parameters, and `examples`
    random requests. The same numbers come each time.

    No API tokens are made up: the door would refuse each of them, and nothing behind it would be met.
    """
    config = Config.from_dict(
        {
            "seed": SEED,
            "generation": {"max-examples": examples, "deterministic": True, "database": "none"},
            "phases": {"stateful": {"enabled": False}},
        }
    )
    return schemathesis.openapi.from_dict(_without_tokens(document), config=config)


def _without_tokens(document: Mapping[str, Any]) -> dict[str, Any]:
    paths = {
        path: {
            key: {**one, "security": [way for way in one["security"] if "token" not in way]}
            if isinstance(one, dict) and "security" in one
            else one
            for key, one in item.items()
        }
        for path, item in document["paths"].items()
    }
    return {**document, "paths": paths}


def chance(text: object, of: int) -> bool:
    """Decide by the text itself, so that a request is treated alike each time: true in `of` - 1 of `of`."""
    return zlib.crc32(repr(text).encode("utf-8", "replace")) % of != 0


def with_ids(value: Any, ids: Mapping[str, str], always: Mapping[str, str]) -> Any:  # any JSON value
    """Put ids of what exists where a body names a thing, in most places. `ids` are by key of the body.

    What stands at the keys of `always` is put in at each place.
    """
    if isinstance(value, list):
        return [with_ids(entry, ids, always) for entry in value]
    if not isinstance(value, dict):
        return value
    return {key: _with_id(key, entry, ids, always) for key, entry in value.items()}


def _with_id(key: str, value: Any, ids: Mapping[str, str], always: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return always[key] if key in always else ids[key] if key in ids and chance(value, 4) else value
    single = key.removesuffix("s")
    if single in ids and isinstance(value, list) and value and isinstance(value[0], str):
        return [ids[single], *value[1:]]
    return with_ids(value, ids, always)


def send(case: Case[Any], base_url: str, session: requests.Session, headers: Mapping[str, str]) -> Response:
    """Send a request and hold its answer against the document; what it sets in `session` is forgotten."""
    session.trust_env = False
    answer = case.call(base_url=base_url, session=session, headers=dict(headers), timeout=TIMEOUT_SECONDS)
    session.cookies.clear()
    case.validate_response(answer, checks=CHECKS)
    return answer
