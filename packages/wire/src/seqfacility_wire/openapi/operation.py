"""What is known of one method of one route, and how a document writes it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from seqfacility_wire.openapi.components import component_name

PATH_NAME: Final = re.compile(r"{(?P<name>[a-z_]+)(:[a-z]+(\([^)]*\))?)?}")
NO_DOCUMENT: Final = "-"
"""The schema of an answer that is no JSON document."""

_SOURCE = re.compile(r"\s*\b(Spec|Decision): .*", re.DOTALL)
_MEANINGS: Final = {
    200: "Done",
    201: "Made",
    202: "Accepted; the work goes on",
    204: "Done, and there is nothing to say",
    206: "The part that was asked for",
    302: "It is elsewhere (`Location`)",
    304: "The client holds this content already (`If-None-Match`)",
    308: "It is elsewhere for good (`Location`)",
    400: "The request is refused",
    401: "There is no session, or what was offered opens nothing",
    403: "The caller may not do this",
    404: "There is no such thing",
    408: "The body did not arrive in time",
    409: "The state of things does not allow it",
    413: "Too large",
    415: "The body is not of the type that is read",
    416: "There is no such part",
    429: "Too many requests",
    500: "Something unexpected happened",
    502: "Another service failed",
    503: "The service is not ready",
    507: "There is not enough disk space",
}
_RETRIED_LATER: Final = frozenset({429, 503})
_KEPT: Final = frozenset({200, 304})


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one route.

    `docstring` is that of its responder, `row` its row in the table of requests, `answers` its schema
    names by status, `refusals` (status, text) those of its access and its kind before its own. `access`
    is written as `x-access`, `security` as it is. `headers` (name to meaning) stand on each of its answers.
    """

    method: str
    template: str
    tag: str
    docstring: str
    answers: Mapping[int, str]
    row: Mapping[str, Any] = field(default_factory=dict)
    refusals: Sequence[tuple[int, str]] = ()
    access: Mapping[str, object] = field(default_factory=dict)
    security: Sequence[Mapping[str, Sequence[str]]] = ()
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Return the operation id for generated clients: `post_orders_order_id_status`.

        What ends in a slash is another path than the same without it: `get_d_token_index`.
        """
        path = self.template.removeprefix("/api/").removeprefix("/")
        segments = [segment.strip("{}") or "index" for segment in path.split("/")]
        return re.sub(r"[-.]", "_", "_".join([self.method.lower(), *segments]))

    @property
    def is_cached(self) -> bool:
        """Return whether its answer has an ETag, and 304 instead of a body for who holds it."""
        return bool(self.row.get("cached", False))

    def schema_names(self) -> set[str]:
        named = {name for name in self.answers.values() if name != NO_DOCUMENT}
        body = self.row.get("body", {}).get("schema")
        return named | ({body} if body else set())


def path_template(path: str) -> str:
    """Write a path without the converters of its names: `/api/orders/{order_id}`."""
    return PATH_NAME.sub(lambda found: f"{{{found['name']}}}", path)


def written(
    operation: Operation, examples: Mapping[str, Mapping[str, Any]], error_schema: str
) -> dict[str, Any]:
    """Write an operation as OpenAPI does. `examples` are by schema name, then by their own.

    Decision: G361.
    """
    summary, _, rest = _SOURCE.sub("", operation.docstring).strip().partition("\n\n")
    document: dict[str, Any] = {
        "operationId": operation.name,
        "tags": [operation.tag],
        "summary": " ".join(summary.split()).removesuffix("."),
        "security": list(operation.security),
        "responses": _responses(operation, examples, error_schema),
    }
    if rest.strip():
        document["description"] = " ".join(rest.split())
    if operation.access:
        document["x-access"] = dict(operation.access)
    parameters = [*_path_parameters(operation.template), *_row_parameters(operation.row)]
    if parameters:
        document["parameters"] = parameters
    if "body" in operation.row:
        document["requestBody"] = _body(operation.row["body"], examples)
    return document


def _path_parameters(template: str) -> list[dict[str, Any]]:
    return [
        {"name": found["name"], "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
        for found in PATH_NAME.finditer(template)
    ]


def _row_parameters(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    places = (("query", row.get("query", {})), ("header", row.get("headers", {})))
    return [
        {
            "name": name,
            "in": place,
            "description": parameter["about"],
            "required": parameter.get("required", False),
            "schema": parameter["schema"],
        }
        for place, named in places
        for name, parameter in named.items()
    ]


def _body(body: Mapping[str, Any], examples: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    content: dict[str, Any] = {}
    if "schema" in body:
        content["schema"] = _reference(body["schema"])
        content |= _examples(examples.get(body["schema"], {}))
    media = body.get("media", "application/json")
    return {"required": body.get("required", True), "content": {media: content}}


def _responses(
    operation: Operation, examples: Mapping[str, Mapping[str, Any]], error_schema: str
) -> dict[str, Any]:
    texts: dict[int, list[str]] = {}
    for status, text in operation.refusals:
        known = texts.setdefault(status, [])
        if text not in known:
            known.append(text)
    statuses = {*texts, *operation.answers} | ({304} if operation.is_cached else set())
    return {
        str(status): _response(operation, status, texts.get(status, ()), examples, error_schema)
        for status in sorted(statuses)
    }


def _response(
    operation: Operation,
    status: int,
    texts: Iterable[str],
    examples: Mapping[str, Mapping[str, Any]],
    error_schema: str,
) -> dict[str, Any]:
    declared = operation.row.get("answers", {}).get(str(status), {})
    response: dict[str, Any] = {
        "description": _MEANINGS[status],
        "headers": _headers(operation, status, declared),
    }
    if status in {302, 304, 308}:
        return response
    schema = operation.answers.get(status, error_schema)
    if schema == NO_DOCUMENT:
        media = declared.get("media", ["application/octet-stream"])
        response["content"] = {kind: {} for kind in media}
        return response
    shown = examples.get(schema, {}) if schema != error_schema else {}
    shown = {**shown, **{_example_name(text): {"error": text} for text in texts}} if status >= 400 else shown
    response["content"] = {"application/json": {"schema": _reference(schema), **_examples(shown)}}
    return response


def _headers(operation: Operation, status: int, declared: Mapping[str, Any]) -> dict[str, Any]:
    names = ["X-Request-Id", "X-Service-Version", "X-Content-Type-Options", "Cache-Control"]
    if status in _RETRIED_LATER:
        names.append("Retry-After")
    if operation.is_cached and status in _KEPT:
        names.append("ETag")
    headers: dict[str, Any] = {name: {"$ref": f"#/components/headers/{name}"} for name in names}
    for name, about in {**operation.headers, **declared.get("headers", {})}.items():
        headers[name] = {"description": about, "schema": {"type": "string"}}
    return headers


def _example_name(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-").lower()[:60] or "refusal"


def _examples(shown: Mapping[str, Any]) -> dict[str, Any]:
    """Write examples; a refusal is named after its text."""
    if not shown:
        return {}
    return {
        "examples": {
            re.sub(r"[^A-Za-z0-9._-]", "-", name): {"summary": _summary(name, value), "value": value}
            for name, value in shown.items()
        }
    }


def _summary(name: str, value: object) -> str:
    text = value.get("error") if isinstance(value, dict) else None
    return text if isinstance(text, str) else name.replace("_", " ").replace("-", " ")


def _reference(schema_name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{component_name(schema_name)}"}
