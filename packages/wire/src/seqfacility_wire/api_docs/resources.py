"""The routes of the page and of its files."""

import gzip
from functools import cache
from importlib.resources import files
from typing import Final

from falcon import Request, Response

from seqfacility_wire.caching import ReadyDocument, send_ready, strong_etag
from seqfacility_wire.errors import NotFound

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The page runs our files, asks our service, and can do neither with anybody else's. Decision: G362."""

REVALIDATED: Final = "no-cache"
"""Kept, but asked for each time: after an upgrade nobody sees the old page."""

_FILES: Final = {
    "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
    "swagger-ui.css": "text/css; charset=utf-8",
    "start.js": "text/javascript; charset=utf-8",
    "favicon-32x32.png": "image/png",
}
_PACKED: Final = frozenset({"swagger-ui-bundle.js", "swagger-ui.css"})
_OURS: Final = frozenset({"page.html", "start.js"})
_FOLDER = files(__package__)


class DocsPage:
    """`/api/docs`."""

    def on_get(self, req: Request, resp: Response) -> None:
        """Show this document to people. Decision: G362."""
        _send(req, resp, _ready("page.html", "text/html; charset=utf-8"))


class DocsFile:
    """`/api/docs/{name}`."""

    def on_get(self, req: Request, resp: Response, name: str) -> None:
        """Return a file of the page: script, style sheet, icon. Decision: G362."""
        if name not in _FILES:
            raise NotFound
        _send(req, resp, _ready(name, _FILES[name]))


def _send(req: Request, resp: Response, document: ReadyDocument) -> None:
    send_ready(req, resp, document)
    resp.set_header("Cache-Control", REVALIDATED)
    resp.set_header("Content-Security-Policy", POLICY)


@cache
def _ready(name: str, media_type: str) -> ReadyDocument:
    if name not in _PACKED:
        place = name if name in _OURS else f"viewer/{name}"
        return ReadyDocument.of(_FOLDER.joinpath(place).read_bytes(), media_type)
    packed = _FOLDER.joinpath(f"viewer/{name}.gz").read_bytes()
    content = gzip.decompress(packed)
    return ReadyDocument(content, media_type, strong_etag(content), packed)
