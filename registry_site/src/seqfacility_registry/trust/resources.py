"""Signed metadata and documents, by which anybody can tell a true mirror from a false one."""

from dataclasses import dataclass

from falcon import Request, Response
from seqfacility_pipeline_package.trust_files import DOCUMENTS, ROOT, TIMESTAMP_FILE
from seqfacility_wire.errors import NotFound

from seqfacility_registry.content_folder import ContentFolder
from seqfacility_registry.publishing import IMMUTABLE, TRUST_TIMESTAMP, publish


@dataclass(frozen=True, slots=True)
class TrustMetadata:
    """One metadata file: `timestamp.json`, `root.1.json` and the like."""

    content: ContentFolder

    def on_get(self, req: Request, resp: Response, name: str) -> None:
        """Return signed metadata in the form of The Update Framework.

        Each reader asks for the root after the one it knows, so that it is not there yet may be kept as long
        as a timestamp.

        Decision: G900, G907, G976.
        """
        found = self.content.current().trust.find(name)
        if found is None:
            is_root = name.startswith(f"{ROOT}.")
            raise NotFound(headers={"Cache-Control": TRUST_TIMESTAMP} if is_root else None)
        publish(req, resp, found, TRUST_TIMESTAMP if name == TIMESTAMP_FILE else IMMUTABLE)


@dataclass(frozen=True, slots=True)
class TrustDocument:
    """One document by its digest."""

    content: ContentFolder

    def on_get(self, req: Request, resp: Response, name: str) -> None:
        """Return a signed document, `<sha256>.json`, or a drawing, `<sha256>`. Decision: G900, G907."""
        found = self.content.current().trust.find(f"{DOCUMENTS}/{name}")
        if found is None:
            raise NotFound
        publish(req, resp, found, IMMUTABLE)
