"""The OpenAPI document of the registry: its URL table, the contract tables and the schemas in one.

Decision: G363.
"""

import importlib
from collections.abc import Iterable, Mapping
from typing import Any, Final, Protocol

import seqfacility_schemas
from seqfacility_schemas.examples import valid_examples
from seqfacility_wire import errors as wire
from seqfacility_wire.openapi.document import Service, openapi_document
from seqfacility_wire.openapi.operation import Operation, path_template
from seqfacility_wire.openapi.refusals import named_refusals

from seqfacility_registry.release import RELEASE
from seqfacility_registry.trs.rules import ROOT

METHODS: Final = ("GET", "POST")
_PACKAGE: Final = "seqfacility_registry"
_SECURITY: Final[Mapping[str, Mapping[str, Any]]] = {
    "accessCode": {
        "type": "http",
        "scheme": "bearer",
        "description": "The access code of an install profile.",
    }
}
_ABOUT: Final = """\
What facilities sync from: the catalog of sequencing technology, pipelines, checklists, releases, research
data and install profiles.

Everything may be read without an account; only some install profiles ask for an access code. Every refusal is
`{"error": "..."}`. Every GET can be asked as HEAD.
"""


class Described(Protocol):
    """The part of a row of the URL table that the document describes."""

    @property
    def path(self) -> str: ...

    @property
    def resource(self) -> object: ...

    @property
    def any_origin(self) -> bool: ...


def describe(routes: Iterable[Described]) -> dict[str, Any]:
    operations = [
        _operation(route, method)
        for route in routes
        for method in METHODS
        if hasattr(route.resource, f"on_{method.lower()}")
    ]
    slices = {operation.tag for operation in operations}
    service = Service(
        title="SeqFacility, registry API",
        release=RELEASE,
        description=_ABOUT,
        error_schema="registry/error",
        tags={tag: _about(tag) for tag in slices},
        security_schemes=_SECURITY,
    )
    return openapi_document(service, operations, seqfacility_schemas.load_schema, valid_examples)


def _operation(route: Described, method: str) -> Operation:
    template = path_template(route.path)
    row = seqfacility_schemas.operations("registry").get((method, template), {})
    answers = {
        status: name
        for (verb, path, status), name in seqfacility_schemas.routes("registry").items()
        if (verb, path) == (method, template)
    }
    return Operation(
        method=method,
        template=template,
        tag=_slice_of(route.resource).replace("_", " "),
        docstring=getattr(route.resource, f"on_{method.lower()}").__doc__ or "",
        answers=answers,
        row=row,
        refusals=[*_standing(template, row), *named_refusals(row.get("refusals", ()), _PACKAGE)],
        security=[{}, {"accessCode": []}] if template.endswith("/resolve") else [],
        headers={"Access-Control-Allow-Origin": "Any web site may read it"} if route.any_origin else {},
    )


def _slice_of(resource: object) -> str:
    """Return the slice of a resource; what both services share belongs to `site`."""
    package, _, rest = type(resource).__module__.partition(".")
    return rest.partition(".")[0] if package == _PACKAGE else "site"


def _about(tag: str) -> str:
    text = importlib.import_module(f"{_PACKAGE}.{tag.replace(' ', '_')}.resources").__doc__ or ""
    return " ".join(text.split())


def _standing(template: str, row: Mapping[str, Any]) -> list[tuple[int, str]]:
    refusals: list[type[wire.ServiceError]] = [wire.Unexpected]
    if "{" in template and not template.startswith(ROOT):
        refusals.append(wire.NotFound)
    if "body" in row:
        refusals += [wire.BodyTooLarge, wire.BodyTimedOut, wire.InvalidJson, wire.JsonNotAnObject]
    return [(error.status, error.message) for error in refusals]
