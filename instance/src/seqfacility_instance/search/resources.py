"""`GET /api/search`."""

from dataclasses import dataclass

from falcon import Request, Response
from seqfacility_wire.requests import query_text

from seqfacility_instance.access import guard
from seqfacility_instance.search import bodies
from seqfacility_instance.search.service import Search


@dataclass(frozen=True, slots=True)
class EverythingFound:
    """What the caller may go to."""

    search: Search

    def on_get(self, req: Request, resp: Response) -> None:
        """Find orders, samples, studies, runs, and for admins people. Decision: G544."""
        text = bodies.read_text(query_text(req, "q"))
        found = self.search.find(guard.signed_in(req), text)
        resp.media = {"results": [bodies.result_shape(result) for result in found]}
