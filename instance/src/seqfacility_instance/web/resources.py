"""The routes that describe the service."""

import json
from collections.abc import Callable

from falcon import Request, Response
from seqfacility_wire.api_docs.resources import REVALIDATED
from seqfacility_wire.caching import ReadyDocument, send_ready

from seqfacility_instance.routing import Route


class OpenApi:
    """`/api/openapi.json`."""

    def __init__(self, list_routes: Callable[[], list[Route]]) -> None:
        self._list_routes = list_routes
        self._document: ReadyDocument | None = None

    def on_get(self, req: Request, resp: Response) -> None:
        """Describe every route. Decision: G49, G361."""
        if self._document is None:
            self._document = ReadyDocument.of(self._describe())
        send_ready(req, resp, self._document)
        resp.set_header("Cache-Control", REVALIDATED)

    def _describe(self) -> bytes:
        # The schemas come with a heavy library, and nobody may ever ask for this document.
        from seqfacility_instance.web.openapi import describe

        return json.dumps(describe(self._list_routes()), ensure_ascii=False, separators=(",", ":")).encode()
