"""The route of the live feed."""

from dataclasses import dataclass

from falcon import Request, Response
from seqfacility_wire.requests import query_int, query_text

from seqfacility_instance.access import guard
from seqfacility_instance.core import limits
from seqfacility_instance.live.handover import Way
from seqfacility_instance.live.rules import read_topics
from seqfacility_instance.live.service.feed import LiveFeed


@dataclass(frozen=True, slots=True)
class Live:
    """`/api/live`."""

    feed: LiveFeed

    def on_get(self, req: Request, resp: Response) -> None:
        """Tell what changes, from `Last-Event-ID` on, else from `after`, until the session ends.

        Decision: G557, G690.
        """
        caller, topics = guard.signed_in(req), read_topics(query_text(req, "topics"))
        seconds = query_int(req, "seconds", limits.LIVE_SECONDS, 0, limits.LIVE_SECONDS)
        told = req.get_header("Last-Event-ID")
        heard = query_text(req, "after") if told is None else told
        resp.stream = self.feed.follow(caller, topics, heard, seconds, Way.of(req))
        begin_events(resp)


def begin_events(resp: Response) -> None:
    """Say that server-sent events follow; a proxy that gathers an answer would bring them at its end only."""
    resp.content_type = "text/event-stream"
    resp.set_header("X-Accel-Buffering", "no")
