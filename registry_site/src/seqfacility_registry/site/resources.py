"""Health and drawings over HTTP."""

from dataclasses import dataclass

from falcon import MEDIA_JSON, Request, Response
from seqfacility_wire.errors import NotFound

from seqfacility_registry.content_folder import ContentFolder
from seqfacility_registry.publishing import NOT_CACHED, PUBLIC_DOCUMENT, publish

HEALTHY = b'{"status":"ok"}'
SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""A drawing is looked at, never run: also when somebody opens it as a page of its own."""


class Health:
    """Whether the service answers."""

    def on_get(self, _req: Request, resp: Response) -> None:
        """Say that the service answers. Gap: G232."""
        resp.content_type = MEDIA_JSON
        resp.data = HEALTHY
        resp.set_header("Cache-Control", NOT_CACHED)


@dataclass(frozen=True, slots=True)
class Image:
    """One drawing of the catalog or of a checklist."""

    content: ContentFolder

    def on_get(self, req: Request, resp: Response, shelf: str, name: str) -> None:
        """Give a drawing. Spec: registry, Catalog sync source: relative `icon` and `image` paths."""
        image = self.content.current().images.find(f"{shelf}/{name}")
        if image is None:
            raise NotFound
        resp.set_header("Content-Security-Policy", SANDBOX)
        publish(req, resp, image, PUBLIC_DOCUMENT)
