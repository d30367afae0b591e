"""An OpenAPI 3.1 document made from the URL table, the contract table and the schemas."""

import inspect
import re
from collections.abc import Iterable, Mapping
from typing import Any

from seqfacility_instance.access.classes import Access, Needs
from seqfacility_instance.access.guard import COOKIE
from seqfacility_instance.routing import Route

_PARAMETER = re.compile(r"{(?P<name>[a-z_]+)(:[a-z]+(\([^)]*\))?)?}")
_SOURCE = re.compile(r"\s*(Spec|Gap): .*", re.DOTALL)
_ERROR_SCHEMA = "instance/error"
_MEANINGS = {
    200: "Done",
    201: "Made",
    202: "Accepted; the work goes on",
    206: "The asked part",
    400: "The request is refused",
    401: "There is no session",
    403: "The caller may not do this",
    404: "There is no such thing",
    408: "No data came in time",
    409: "The state of things does not allow it",
    413: "Too large",
    416: "There is no such part",
    429: "Too many requests",
    500: "Something unexpected happened",
    502: "The registry failed",
    503: "The service is not set up",
    507: "There is not enough disk space",
}


def openapi_document(
    routes: Iterable[Route],
    contract: Mapping[tuple[str, str, int], str],
    schemas: Mapping[str, Mapping[str, Any]],
    release: str,
) -> dict[str, Any]:
    """Describe every route: who may call it, its parameters, and the schema of each of its answers.

    `contract` is the contract table, `schemas` every schema by name.

    Gap: G49.
    """
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        template = _PARAMETER.sub(lambda found: f"{{{found['name']}}}", route.path)
        paths[template] = {
            method.lower(): _operation(route, method, access, template, contract)
            for method, access in route.access.items()
        }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "SeqFacility, facility instance API",
            "version": release,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "paths": paths,
        "components": {
            "schemas": {component_name(name): _embedded(schema, name) for name, schema in schemas.items()},
            "securitySchemes": {
                "session": {"type": "apiKey", "in": "cookie", "name": COOKIE},
                "weblogSecret": {"type": "apiKey", "in": "query", "name": "token"},
            },
        },
    }


def component_name(schema_name: str) -> str:
    """Name a schema as a component: `instance/order` is `instance.order`."""
    return schema_name.replace("/", ".")


def _operation(
    route: Route,
    method: str,
    access: Access,
    template: str,
    contract: Mapping[tuple[str, str, int], str],
) -> dict[str, Any]:
    responder = getattr(route.resource, f"on_{method.lower()}")
    told = inspect.getdoc(responder) or ""
    operation: dict[str, Any] = {
        "operationId": _operation_id(method, template),
        "summary": _SOURCE.sub("", told).split("\n\n")[0].replace("\n", " ").strip(),
        "tags": [template.split("/")[2]],
        "security": _security(access),
        "responses": _responses(method, template, access, contract),
    }
    names = [found["name"] for found in _PARAMETER.finditer(route.path)]
    if names:
        operation["parameters"] = [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names
        ]
    return operation


def _operation_id(method: str, template: str) -> str:
    words = [word.strip("{}") for word in template.removeprefix("/api/").split("/")]
    return "_".join([method.lower(), *words]).replace("-", "_").replace(".", "_")


def _security(access: Access) -> list[dict[str, list[str]]]:
    if access.needs is Needs.NOTHING:
        return []
    return [{"weblogSecret": []}] if access.needs is Needs.WEBLOG_SECRET else [{"session": []}]


def _responses(
    method: str, template: str, access: Access, contract: Mapping[tuple[str, str, int], str]
) -> dict[str, Any]:
    promised = {
        status: name for (verb, path, status), name in contract.items() if (verb, path) == (method, template)
    }
    refusals = [400, 404, 500, 503] if access.needs is Needs.NOTHING else [400, 401, 403, 404, 500, 503]
    answers = {**dict.fromkeys(refusals, _ERROR_SCHEMA), **promised}
    return {str(status): _response(status, name) for status, name in sorted(answers.items())}


def _response(status: int, schema_name: str) -> dict[str, Any]:
    response: dict[str, Any] = {"description": _MEANINGS[status]}
    if schema_name == "-":
        response["content"] = {"application/octet-stream": {}}
    else:
        reference = {"$ref": f"#/components/schemas/{component_name(schema_name)}"}
        response["content"] = {"application/json": {"schema": reference}}
    return response


def _embedded(schema: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Turn relative references between files into references between components."""
    folder = name.rpartition("/")[0]
    embedded: dict[str, Any] = _rewritten(schema, folder, component_name(name))
    return {key: value for key, value in embedded.items() if key not in {"$schema", "$id"}}


def _rewritten(value: Any, folder: str, component: str) -> Any:  # any JSON value
    if isinstance(value, list):
        return [_rewritten(entry, folder, component) for entry in value]
    if not isinstance(value, dict):
        return value
    rewritten = {key: _rewritten(entry, folder, component) for key, entry in value.items()}
    reference = value.get("$ref")
    if isinstance(reference, str):
        rewritten["$ref"] = _component_reference(reference, folder, component)
    return rewritten


def _component_reference(reference: str, folder: str, component: str) -> str:
    file, _, pointer = reference.partition("#")
    if file:
        steps = [*folder.split("/"), *file.removesuffix(".schema.json").split("/")]
        kept: list[str] = []
        for step in steps:
            kept = kept[:-1] if step == ".." else [*kept, step]
        component = component_name("/".join(kept))
    return f"#/components/schemas/{component}{pointer}"
