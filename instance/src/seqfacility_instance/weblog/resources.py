"""The endpoint that workflow engines report to."""

from dataclasses import dataclass

from falcon import Request, Response
from seqfacility_wire.errors import InvalidJson, JsonNotAnObject
from seqfacility_wire.requests import parse_json_object, query_text, read_body

from seqfacility_instance.core import limits
from seqfacility_instance.weblog.rules.token import offered_token
from seqfacility_instance.weblog.service import WeblogIngest


@dataclass(frozen=True, slots=True)
class Weblog:
    """Events of one run. The query is never logged, because the token may stand in it (G170)."""

    intake: WeblogIngest

    def on_post(self, req: Request, resp: Response) -> None:
        """Take in one event. Spec: instance, Pipeline weblog."""
        token = offered_token(query_text(req, "token"), req.get_header("Authorization"))
        self.intake.ingest(query_text(req, "runId"), token, lambda: read_event_body(req))
        resp.media = {"success": True}


def read_event_body(req: Request) -> dict[str, object]:
    """Read the body of an event; empty, unreadable or no object is one error. Decision: G171, G279."""
    try:
        return parse_json_object(read_body(req, limits.WEBLOG_BODY_MAX_BYTES))
    except JsonNotAnObject as other:
        raise InvalidJson from other
