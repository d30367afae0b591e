"""The whole document."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final

from seqfacility_wire.openapi.components import Load, components
from seqfacility_wire.openapi.operation import Operation, written

_HEADERS: Final = {
    "X-Request-Id": "The id of this request, as it stands in the log; an own one may be sent",
    "X-Service-Version": "The release that answers",
    "X-Content-Type-Options": "`nosniff`: the content is what its type says",
    "Cache-Control": "Who may keep the answer, and for how long",
    "Retry-After": "After how many seconds another try makes sense",
    "ETag": "The name of this content, for `If-None-Match`",
}


@dataclass(frozen=True, slots=True)
class Service:
    """The service of a document, apart from its operations. `tags` are tag to description."""

    title: str
    release: str
    description: str
    error_schema: str
    tags: Mapping[str, str]
    security_schemes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def openapi_document(
    service: Service,
    operations: Sequence[Operation],
    load_schema: Load,
    load_examples: Callable[[str], Mapping[str, Any]],
) -> dict[str, Any]:
    """Describe every operation: its parameters, body, answers, refusals, headers, examples and callers.

    Only the schemas that an operation leads to are in it.

    Decision: G49, G361.
    """
    names = {service.error_schema}.union(*(operation.schema_names() for operation in operations))
    examples = {name: load_examples(name) for name in sorted(names)}
    paths = _paths(operations, examples, service.error_schema)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": service.title,
            "version": service.release,
            "description": service.description,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "tags": [
            {"name": tag, "description": service.tags.get(tag, tag)}
            for tag in dict.fromkeys(operation.tag for operation in operations)
        ],
        "paths": paths,
        "components": {
            "schemas": components(names, load_schema),
            "responses": _taken_out(paths),
            "headers": {
                name: {"description": about, "schema": {"type": "string"}} for name, about in _HEADERS.items()
            },
            "securitySchemes": dict(service.security_schemes),
        },
    }


def _paths(
    operations: Iterable[Operation], examples: Mapping[str, Mapping[str, Any]], error_schema: str
) -> dict[str, Any]:
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        methods = paths.setdefault(operation.template, {})
        methods[operation.method.lower()] = written(operation, examples, error_schema)
    return paths


def _taken_out(paths: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Leave references in `paths` where an answer is given by several operations; return these answers.

    They are half of the document otherwise, and every page that shows it reads all of it.
    """
    answers = [
        (operation["responses"], status)
        for methods in paths.values()
        for operation in methods.values()
        for status in operation["responses"]
    ]
    met: dict[str, list[tuple[dict[str, Any], str]]] = {}
    for responses, status in answers:
        written_out = status + json.dumps(responses[status], sort_keys=True)
        met.setdefault(written_out, []).append((responses, status))
    taken: dict[str, Any] = {}
    for places in met.values():
        if len(places) > 1:
            responses, status = places[0]
            name = _free_name(f"{status}-{_first_example(responses[status])}", taken)
            taken[name] = responses[status]
            for responses, status in places:
                responses[status] = {"$ref": f"#/components/responses/{name}"}
    return dict(sorted(taken.items()))


def _first_example(response: Mapping[str, Any]) -> str:
    """Return the name of a response's first example."""
    for media in response.get("content", {}).values():
        for name in media.get("examples", {}):
            return str(name)
    return "answer"


def _free_name(base: str, taken: Iterable[str]) -> str:
    return next(name for n in count(1) if (name := base if n == 1 else f"{base}-{n}") not in taken)
