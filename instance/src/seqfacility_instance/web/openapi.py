"""The OpenAPI document of an instance: its URL table, the contract tables and the schemas in one."""

import importlib
from collections.abc import Iterable, Mapping
from typing import Any, Final

import seqfacility_schemas
from seqfacility_schemas.examples import valid_examples
from seqfacility_wire import errors as wire
from seqfacility_wire.openapi.document import Service, openapi_document
from seqfacility_wire.openapi.operation import Operation, path_template
from seqfacility_wire.openapi.refusals import named_refusals

from seqfacility_instance.access.classes import SAFE_METHODS, Access, Needs
from seqfacility_instance.access.demo_texts import demo_refusal
from seqfacility_instance.access.errors import (
    AddressNotAllowed,
    CrossSiteRefused,
    Forbidden,
    NotConfirmed,
    SecondFactorNotSetUpYet,
    TokenNotAllowed,
    Unauthorized,
)
from seqfacility_instance.access.guard import COOKIE
from seqfacility_instance.core.errors import DatabaseBusy, DatabaseUnreachable, DiskFull
from seqfacility_instance.middleware import OPEN_WITHOUT_DATABASE
from seqfacility_instance.routing import Route
from seqfacility_instance.runs.errors import InvalidToken
from seqfacility_instance.version import RELEASE

_BODY_REFUSALS: Final = (wire.BodyTooLarge, wire.BodyTimedOut, wire.TooManyRequests)
_JSON_REFUSALS: Final = (wire.NotJson, wire.InvalidJson, wire.JsonNotAnObject, wire.ValidationFailed)
_ROLES: Final = {
    Needs.NOTHING: [],
    Needs.SESSION: ["RESEARCHER", "FACILITY_ADMIN"],
    Needs.OWNER: ["RESEARCHER", "FACILITY_ADMIN"],
    Needs.ADMIN: ["FACILITY_ADMIN"],
    Needs.LIVE_ADMIN: ["FACILITY_ADMIN"],
    Needs.WEBLOG_SECRET: [],
}
_SECURITY: Final[Mapping[str, Mapping[str, Any]]] = {
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": COOKIE,
        "description": "The cookie that `POST /api/auth/sign-in` sets.",
    },
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "An API token of a person or a machine. An operation names the scope that it needs.",
    },
    "weblogToken": {
        "type": "apiKey",
        "in": "query",
        "name": "token",
        "description": "The weblog secret in the query, as workflow engines send it.",
    },
    "weblogBearer": {"type": "http", "scheme": "bearer", "description": "The weblog secret in a header."},
}
_ABOUT: Final = """\
The service that a sequencing facility runs for itself.

Sign in with `POST /api/auth/sign-in` and send the cookie that it sets, or send an API token as
`Authorization: Bearer`. Every refusal is `{"error": "..."}`, sometimes with `details`. `x-access` says of
each operation who may call it: `N` anybody, `S` a session, `O` the owner of the object or an admin, `A` a
facility admin, `AD` a facility admin outside the demo, `W` whoever knows the weblog secret; and its `scope`
what a token must be for, null where no token passes. Privileged operations answer 403 with `confirm: true`
unless the session was begun, or confirmed by `POST /api/auth/confirm`, within ten minutes. Every GET can be
asked as HEAD, and OPTIONS tells the methods of a path.
"""


def describe(routes: Iterable[Route]) -> dict[str, Any]:
    """Describe every route of the instance. Decision: G49, G361."""
    operations = [
        _operation(route, method, access) for route in routes for method, access in route.access.items()
    ]
    service = Service(
        title="SeqFacility, facility instance API",
        release=RELEASE,
        description=_ABOUT,
        error_schema="instance/error",
        tags={tag_of(slice_): _about(slice_) for slice_ in set(seqfacility_schemas.slices().values())},
        security_schemes=_SECURITY,
    )
    return openapi_document(service, operations, seqfacility_schemas.load_schema, valid_examples)


def tag_of(slice_: str) -> str:
    """Write the name of a slice for people: `run_plans` is `run plans`."""
    return slice_.replace("_", " ")


def _about(slice_: str) -> str:
    docstring = importlib.import_module(f"seqfacility_instance.{slice_}").__doc__ or ""
    return " ".join(docstring.split())


def _operation(route: Route, method: str, access: Access) -> Operation:
    template = path_template(route.path)
    row = seqfacility_schemas.operations("instance").get((method, template), {})
    answers = {
        status: name
        for (verb, path, status), name in seqfacility_schemas.routes("instance").items()
        if (verb, path) == (method, template)
    }
    slice_ = seqfacility_schemas.slices().get((method, template), "web")
    own = named_refusals(row.get("refusals", ()), "seqfacility_instance", slice_)
    return Operation(
        method=method,
        template=template,
        tag=tag_of(slice_),
        docstring=getattr(route.resource, f"on_{method.lower()}").__doc__ or "",
        answers=answers,
        row=row,
        refusals=[*_standing(method, template, access, row), *own],
        access=_access(method, access),
        security=_security(access),
    )


def _access(method: str, access: Access) -> dict[str, object]:
    is_refused = access.always_refused_in_demo or access.needs is Needs.LIVE_ADMIN
    is_change = method not in SAFE_METHODS and not access.allowed_in_demo
    return {
        "class": access.needs.value,
        "roles": _ROLES[access.needs],
        "demo": not (is_refused or is_change),
        "scope": access.scope,
    }


def _security(access: Access) -> list[dict[str, list[str]]]:
    if access.needs is Needs.NOTHING:
        return []
    if access.needs is Needs.WEBLOG_SECRET:
        return [{"weblogToken": []}, {"weblogBearer": []}]
    return [{"session": []}, *([] if access.scope is None else [{"token": [access.scope.value]}])]


def _standing(method: str, template: str, access: Access, row: Mapping[str, Any]) -> list[tuple[int, str]]:
    """List the refusals that come with access, path and body; what is the operation's own is in its row."""
    refusals: list[type[wire.ServiceError]] = [wire.Unexpected]
    if template not in OPEN_WITHOUT_DATABASE:
        refusals += [wire.NotSetUp, DatabaseBusy, DatabaseUnreachable]
    if method not in SAFE_METHODS:
        refusals.append(DiskFull)
    if "{" in template:
        refusals.append(wire.NotFound)
    if "body" in row:
        refusals += _BODY_REFUSALS
        if "media" not in row["body"]:
            refusals += _JSON_REFUSALS
    return [(error.status, error.message) for error in refusals] + _at_the_door(method, template, access)


def _at_the_door(method: str, template: str, access: Access) -> list[tuple[int, str]]:
    if access.needs is Needs.WEBLOG_SECRET:
        return [(InvalidToken.status, InvalidToken.message)]
    refused = []
    if access.needs is not Needs.NOTHING:
        refused += [(error.status, error.message) for error in (Unauthorized, TokenNotAllowed)]
    if access.scope is not None:
        refused.append((AddressNotAllowed.status, AddressNotAllowed.message))
    if access.needs is Needs.OWNER:
        refused.append((Forbidden.status, Forbidden.message))
    if access.needs in {Needs.ADMIN, Needs.LIVE_ADMIN}:
        refused.append((access.not_admin.status, access.not_admin.message))
    if method not in SAFE_METHODS:
        refused.append((CrossSiteRefused.status, CrossSiteRefused.message))
    if not _access(method, access)["demo"]:
        refused.append((403, demo_refusal(template)))
    if access.needs is not Needs.NOTHING and not access.is_for_set_up:
        refused.append((SecondFactorNotSetUpYet.status, SecondFactorNotSetUpYet.message))
    if access.needs_confirmation:
        refused.append((NotConfirmed.status, NotConfirmed.message))
    return refused
