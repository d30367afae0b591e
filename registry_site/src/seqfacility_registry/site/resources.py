"""Health, drawings, and what the service says of itself, over HTTP."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from falcon import MEDIA_JSON, Request, Response
from seqfacility_wire.api_docs.resources import REVALIDATED
from seqfacility_wire.caching import ReadyDocument
from seqfacility_wire.errors import NotFound

from seqfacility_registry.answers import json_bytes
from seqfacility_registry.content_folder import ContentFolder
from seqfacility_registry.publishing import NOT_CACHED, PUBLIC_DOCUMENT, publish
from seqfacility_registry.site.openapi import Described, describe

HEALTHY = b'{"status":"ok"}'
SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""A drawing is looked at, never run: also when somebody opens it as a page of its own."""


class Health:
    """Whether the service answers."""

    def on_get(self, _req: Request, resp: Response) -> None:
        """Say that the service answers. Decision: G232."""
        resp.content_type = MEDIA_JSON
        resp.data = HEALTHY
        resp.set_header("Cache-Control", NOT_CACHED)


@dataclass(frozen=True, slots=True)
class Image:
    """One drawing of the catalog or of a checklist."""

    content: ContentFolder

    def on_get(self, req: Request, resp: Response, shelf: str, name: str) -> None:
        """Return a drawing. Spec: registry, Catalog sync source: relative `icon` and `image` paths."""
        image = self.content.current().images.find(f"{shelf}/{name}")
        if image is None:
            raise NotFound
        resp.set_header("Content-Security-Policy", SANDBOX)
        publish(req, resp, image, PUBLIC_DOCUMENT)


class OpenApi:
    """The description of the service."""

    def __init__(self, list_routes: Callable[[], Iterable[Described]]) -> None:
        self._list_routes = list_routes
        self._document: ReadyDocument | None = None

    def on_get(self, req: Request, resp: Response) -> None:
        """Describe every route. Decision: G363."""
        if self._document is None:
            self._document = ReadyDocument.of(json_bytes(describe(self._list_routes())))
        publish(req, resp, self._document, REVALIDATED)
