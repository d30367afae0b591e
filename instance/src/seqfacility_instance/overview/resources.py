"""`GET /api/overview`."""

from dataclasses import dataclass

from falcon import Request, Response

from seqfacility_instance.access import guard
from seqfacility_instance.overview.bodies import overview_answer
from seqfacility_instance.overview.service import Overviews


@dataclass(frozen=True, slots=True)
class TodaysOverview:
    """What waits for whom."""

    overviews: Overviews

    def on_get(self, req: Request, resp: Response) -> None:
        """Tell what waits for the caller, what is ready and what is running. Decision: G542, G543."""
        resp.media = overview_answer(self.overviews.of(guard.signed_in(req)))
