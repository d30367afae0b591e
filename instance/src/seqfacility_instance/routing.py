"""The shape of the URL table: a path, its resource, and who may call each of its methods."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from falcon import App, Request, Response
from seqfacility_wire.path_ids import IdConverter

from seqfacility_instance.access.classes import Access

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
