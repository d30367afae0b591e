"""The MIxS registry over HTTP."""

from dataclasses import dataclass

from falcon import Request, Response
from seqfacility_wire.cors import answer_preflight
from seqfacility_wire.requests import query_text

from seqfacility_registry.checklists.errors import UnknownAccession
from seqfacility_registry.content_folder import ContentFolder
from seqfacility_registry.publishing import PUBLIC_DOCUMENT, publish


@dataclass(frozen=True, slots=True)
class MixsRegistry:
    """All checklists of the newest registry version, or one of them."""

    content: ContentFolder

    def on_get(self, req: Request, resp: Response) -> None:
        """Return the list, or with `accession` one checklist. Spec: registry, MIxS registry."""
        checklists = self.content.current().checklists
        accession = query_text(req, "accession")
        if accession is None or checklists.is_broken:
            answer = checklists.all
        elif accession in checklists.by_accession:
            answer = checklists.by_accession[accession]
        else:
            raise UnknownAccession(accession=accession)
        publish(req, resp, answer.ready(""), PUBLIC_DOCUMENT)

    def on_options(self, _req: Request, resp: Response) -> None:
        """Answer a preflight. Spec: registry, Limits, CORS."""
        answer_preflight(resp)


@dataclass(frozen=True, slots=True)
class MixsChanges:
    """What each registry version changed."""

    content: ContentFolder

    def on_get(self, req: Request, resp: Response) -> None:
        """Return every version, newest first, with the checklists and fields that it changed.

        Decision: G1004.
        """
        publish(req, resp, self.content.current().checklists.changes.ready(""), PUBLIC_DOCUMENT)
