"""The shape of the URL table: a path, its resource, and who may call each of its methods."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from falcon import App, Request, Response
from seqfacility_wire.path_ids import IdConverter

from seqfacility_instance.access.classes import SAFE_METHODS, Access, Needs
from seqfacility_instance.core.vocabulary.people import Scope

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


@dataclass(frozen=True, slots=True, init=False)
class Route:
    """One row of the URL table: `Route("/api/orders", Orders(...), GET=SIGNED_IN, POST=SIGNED_IN)`."""

    path: str
    resource: object
    access: Mapping[str, Access] = field(hash=False)

    def __init__(self, path: str, resource: object, **access: Access) -> None:
        object.__setattr__(self, "path", path)
        object.__setattr__(self, "resource", resource)
        object.__setattr__(self, "access", access)


@dataclass(frozen=True, slots=True)
class Area:
    """The scopes that API tokens need for a part of the service: to read there, and to change something."""

    reading: Scope
    writing: Scope


def scoped(area: Area, routes: Iterable[Route]) -> list[Route]:
    """Return the routes with the scopes of `area`, where a route has none of its own.

    What lies below `/api/admin` is for the scope `admin`, wherever it stands. No token passes where nobody is
    asked, or where a session must be confirmed.

    Decision: G801.
    """
    administration = Area(Scope.ADMIN, Scope.ADMIN)
    with_scopes = []
    for route in routes:
        chosen = administration if route.path.startswith("/api/admin/") else area
        access = {method: _scoped(chosen, method, said) for method, said in route.access.items()}
        with_scopes.append(Route(route.path, route.resource, **access))
    return with_scopes


def _scoped(area: Area, method: str, access: Access) -> Access:
    is_confirmed = access.needs_confirmation and not access.confirmed_sections
    if access.scope is not None or is_confirmed or access.needs in {Needs.NOTHING, Needs.WEBLOG_SECRET}:
        return access
    return access.scoped(area.reading if method in SAFE_METHODS else area.writing)


def access_table(routes: Iterable[Route]) -> dict[str, Mapping[str, Access]]:
    """Return the table that the guard reads: path template to method to access."""
    return {route.path: route.access for route in routes}


def add_routes(app: App[Request, Response], routes: Iterable[Route]) -> None:
    """Add the routes to Falcon; a responder without a stated access, or the reverse, stops the start.

    Also under `python -O`, which leaves every `assert` out. Decision: G409.
    """
    app.router_options.converters["id"] = IdConverter
    for route in routes:
        responders = {method for method in METHODS if hasattr(route.resource, f"on_{method.lower()}")}
        if responders != set(route.access):
            message = f"{route.path}: responders {responders}, access {set(route.access)}"
            raise AssertionError(message)
        app.add_route(route.path, route.resource)
