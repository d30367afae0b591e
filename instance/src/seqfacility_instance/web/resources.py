"""The routes that describe the service."""

import json
from collections.abc import Callable

from falcon import MEDIA_JSON, Request, Response

from seqfacility_instance.routing import Route
from seqfacility_instance.version import RELEASE
from seqfacility_instance.web.openapi import openapi_document


class OpenApi:
    """`/api/openapi.json`."""

    def __init__(self, list_routes: Callable[[], list[Route]]) -> None:
        self._list_routes = list_routes
        self._document: bytes | None = None

    def on_get(self, _req: Request, resp: Response) -> None:
        """Describe every route. Gap: G49."""
        if self._document is None:
            self._document = json.dumps(self._describe(), ensure_ascii=False).encode()
        resp.content_type = MEDIA_JSON
        resp.data = self._document

    def _describe(self) -> dict[str, object]:
        # The schemas come with a heavy library, and nobody may ever ask for this document.
        import seqfacility_schemas

        names = [name for name in seqfacility_schemas.schema_names() if name.startswith("instance/")]
        schemas = {name: seqfacility_schemas.load_schema(name) for name in names}
        return openapi_document(self._list_routes(), seqfacility_schemas.routes(), schemas, RELEASE)
