"""What both services measure of their requests. Imported only where metrics are recorded."""

import time

from falcon import Request, Response
from prometheus_client import Counter, Gauge, Histogram

REQUEST_SECONDS = Histogram(
    "seqfacility_http_request_seconds",
    "Time from the arrival of a request's headers to its answer's headers.",
    ["method", "route", "status"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600),
)
RECEIVED_BYTES = Counter(
    "seqfacility_http_received_bytes", "Bytes of request bodies, as announced.", ["route"]
)
SENT_BYTES = Counter("seqfacility_http_sent_bytes", "Bytes of answers, as announced.", ["route"])

BUILD_INFO = Gauge(
    "seqfacility_build_info",
    "Always 1; the labels say which release runs, and on which Python.",
    ["version", "python"],
    multiprocess_mode="mostrecent",
)


class MeterRequests:
    """Falcon middleware that measures every request; stands before `Conventions`, whose answer it sees."""

    def process_response(self, req: Request, resp: Response, _resource: object, _succeeded: bool) -> None:
        """Count under the route's template, never the path: paths are unbounded and name people's data."""
        route = req.uri_template or "unknown"
        seconds = time.monotonic() - req.context.started
        REQUEST_SECONDS.labels(req.method, route, resp.status_code).observe(seconds)
        RECEIVED_BYTES.labels(route).inc(req.content_length or 0)
        SENT_BYTES.labels(route).inc(_announced_bytes(resp))


def _announced_bytes(resp: Response) -> int:
    """Return the length of the body; Falcon keeps what it rendered here and does not render it again."""
    announced = resp.get_header("Content-Length")
    if announced is not None:
        return int(announced)
    return 0 if resp.stream is not None else len(resp.render_body() or b"")
