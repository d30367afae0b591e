"""The endpoint of taxa."""

from dataclasses import dataclass

from falcon import Request, Response
from seqfacility_wire.requests import query_text

from seqfacility_instance.access import guard
from seqfacility_instance.taxa.bodies import taxon_shape
from seqfacility_instance.taxa.service import Taxa


@dataclass(frozen=True, slots=True)
class TaxonSuggestions:
    """Taxa that fit to what somebody types."""

    taxa: Taxa

    def on_get(self, req: Request, resp: Response) -> None:
        """List the best, at most twenty. Decision: G548."""
        found = self.taxa.suggest(guard.signed_in(req), query_text(req, "q") or "")
        resp.media = {"taxa": [taxon_shape(one) for one in found]}
