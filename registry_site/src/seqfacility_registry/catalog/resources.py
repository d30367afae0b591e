"""The catalog over HTTP: what instances synchronize from."""

from dataclasses import dataclass

from falcon import Request, Response

from seqfacility_registry.content_folder import ContentFolder
from seqfacility_registry.publishing import PUBLIC_DOCUMENT, publish


@dataclass(frozen=True, slots=True)
class SequencingTech:
    """The full unfiltered catalog."""

    content: ContentFolder

    def on_get(self, req: Request, resp: Response) -> None:
        """Return the catalog. Spec: registry, Catalog sync source."""
        publish(req, resp, self.content.current().catalog.catalog.ready(""), PUBLIC_DOCUMENT)
