"""Holds every answer of an application against its JSON Schema."""

import gzip
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from falcon import Request, Response
from seqfacility_schemas import problems

_CONVERTER = re.compile(r":[a-z]+(\([^)]*\))?}")
_PLACE = re.compile(r"\\{[^/]*?\\}")


class ContractCheck:
    """Falcon middleware that collects what is wrong with answers; a test asserts that nothing was.

    `routes` is the contract table: (method, path template, status) to schema name. An answer without a line
    is a violation too; refusals without a line of their own are held against `error_schema`. A schema named
    `-` marks an answer that is no JSON document.
    """

    def __init__(self, routes: Mapping[tuple[str, str, int], str], error_schema: str) -> None:
        self._routes = routes
        self._error_schema = error_schema
        self.violations: list[str] = []
        self.seen: set[tuple[str, str, int]] = set()

    def process_response(self, req: Request, resp: Response, resource: object, _succeeded: bool) -> None:
        if resource is None or req.method == "OPTIONS" or resp.status_code == 304:
            return
        template = _CONVERTER.sub("}", req.uri_template or "")
        # A HEAD is answered like its GET, the body left out.
        key = ("GET" if req.method == "HEAD" else req.method, template, resp.status_code)
        self.seen.add(key)
        schema = self._routes.get(key, self._error_schema if resp.status_code >= 400 else None)
        where = f"{req.method} {template} {resp.status_code}"
        if schema is None:
            self.violations.append(f"{where}: no schema in the contract table")
        elif schema != "-":
            self.violations.extend(f"{where}: {line}" for line in problems(schema, _document(resp)))


def _document(resp: Response) -> object:
    if resp.data is not None:
        zipped = resp.get_header("Content-Encoding") == "gzip"
        return json.loads(gzip.decompress(resp.data) if zipped else resp.data)
    if resp.text is not None:
        return json.loads(resp.text)
    return json.loads(json.dumps(resp.media))


def answer_of(document: Mapping[str, Any], operation: Mapping[str, Any], status: int) -> Mapping[str, Any]:
    """Return what an OpenAPI document says of one answer of an operation; raises `KeyError`."""
    answer: Mapping[str, Any] = operation["responses"][str(status)]
    reference = answer.get("$ref")
    if reference is None:
        return answer
    shared: Mapping[str, Any] = document["components"]["responses"][reference.rpartition("/")[2]]
    return shared


def undocumented_answers(seen: Iterable[tuple[str, str, int]], document: Mapping[str, Any]) -> list[str]:
    """Name the answers (method, path template, status) that an OpenAPI document does not tell of.

    405 belongs to no operation of a path.
    """
    paths = document["paths"]
    return sorted(
        f"{method} {template} {status}: not in the OpenAPI document, see `operations/*.json` of the schemas"
        for method, template, status in seen
        if status != 405 and str(status) not in paths[template].get(method.lower(), {}).get("responses", {})
    )


def live_answer_problems(
    routes: Mapping[tuple[str, str, int], str],
    error_schema: str,
    method: str,
    path: str,
    status: int,
    document: object,
) -> list[str]:
    """Hold a JSON answer that came over a real connection against the contract table."""
    schema = schema_of(routes, method, path, status) or (error_schema if status >= 400 else None)
    where = f"{method} {path} {status}"
    if schema is None:
        return [f"{where}: no schema in the contract table"]
    return [f"{where}: {line}" for line in problems(schema, document)] if schema != "-" else []


def schema_of(routes: Mapping[tuple[str, str, int], str], method: str, path: str, status: int) -> str | None:
    """Return the schema of an answer by the contract table; None where it has no line."""
    named = {
        template: schema
        for (a_method, template, a_status), schema in routes.items()
        if (a_method, a_status) == (method, status)
        and (re.fullmatch(_PLACE.sub("[^/]+", re.escape(template)), path) is not None)
    }
    # A template without places is the closer one: `/api/orders/form` beside `/api/orders/{order_id}`.
    closest = min(named, key=lambda template: template.count("{"), default=None)
    return None if closest is None else named[closest]
