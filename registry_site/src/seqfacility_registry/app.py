"""The composition root: content, routes and conventions become one application."""

import re
from collections.abc import Iterable

from falcon import App, Request, Response
from seqfacility_wire.browser_safety import BrowserSafety
from seqfacility_wire.conventions import new_app
from seqfacility_wire.cors import allow_any_origin
from seqfacility_wire.errors import NotFound

from seqfacility_registry.content_folder import ContentFolder
from seqfacility_registry.errors import ServiceBusy
from seqfacility_registry.export_servers.places import NAMED_FILE
from seqfacility_registry.install_profiles.throttle import AccessCodeThrottle
from seqfacility_registry.links import Links
from seqfacility_registry.pages.resources import PAGE_PATHS, Pages
from seqfacility_registry.release import RELEASE
from seqfacility_registry.routes import Route, routes
from seqfacility_registry.settings import Settings
from seqfacility_registry.site.resources import FileList
from seqfacility_registry.trs.errors import ToolNotFound
from seqfacility_registry.trs.rules import ROOT, with_slashes

_NAMED_FILE = re.compile(NAMED_FILE)


class OpenReading:
    """Falcon middleware: marks every answer of the open routes, refusals included, and knows no empty names.

    Spec: registry, Limits, CORS. Decision: G18, G236.
    """

    def __init__(self, table: Iterable[Route]) -> None:
        self._open = frozenset(route.path for route in table if route.any_origin)

    def process_request(self, req: Request, _resp: Response) -> None:
        """Read the path as a server of the files would, before its route is looked for.

        The slashes of a tool's id are decoded, and a file's own name means its answer, as whoever follows
        the links of the page asks for it. Decision: G934, G963.
        """
        named = _NAMED_FILE.fullmatch(req.path)
        req.path = with_slashes(named[1] if named else req.path)

    def process_resource(
        self, req: Request, resp: Response, _resource: object, params: dict[str, object]
    ) -> None:
        """Run once the route is known: an answer of the open four may be read from any site."""
        if "" in params.values():
            raise ToolNotFound if req.path.startswith(ROOT) else NotFound
        if req.uri_template in self._open:
            allow_any_origin(resp)


def make_app(
    settings: Settings, content: ContentFolder, throttle: AccessCodeThrottle | None = None
) -> App[Request, Response]:
    links = Links(settings.public_url)
    files = FileList(content, links)
    table = routes(settings, content, throttle or AccessCodeThrottle(), files)
    safety = BrowserSafety({}, is_secure=(settings.public_url or "").startswith("https:"))
    app = new_app(RELEASE, [safety, OpenReading(table)])
    for route in table:
        app.add_route(route.path, route.resource)
    app.add_sink(_refuse_tool, prefix=f"{ROOT}/")
    app.add_sink(Pages(content, links, files), prefix=PAGE_PATHS)
    return app


def make_busy_app() -> App[Request, Response]:
    """Make the application that refuses every request while too many wait. Decision: G400."""
    app = new_app(RELEASE, [])
    app.add_sink(_refuse_busy)
    return app


def _refuse_tool(req: Request, resp: Response, **_words: object) -> None:  # noqa: ARG001  # Falcon's interface
    """Refuse what no route of the Tool Registry Service has, in its words. Decision: G934."""
    allow_any_origin(resp)
    raise ToolNotFound


def _refuse_busy(req: Request, resp: Response, **_words: object) -> None:  # noqa: ARG001  # Falcon's interface
    raise ServiceBusy
