"""The routes of live ingest."""

from dataclasses import dataclass

from falcon import HTTP_201, HTTP_202, Request, Response
from seqfacility_wire.requests import query_int, query_text, read_json_object

from seqfacility_instance.access import guard
from seqfacility_instance.access.opened import open_order
from seqfacility_instance.core import limits
from seqfacility_instance.live.handover import Way
from seqfacility_instance.live.resources import begin_events
from seqfacility_instance.streams import bodies, listing_bodies
from seqfacility_instance.streams.metric_bodies import metrics
from seqfacility_instance.streams.rules.cursor import read_seq
from seqfacility_instance.streams.service.collection import Collection
from seqfacility_instance.streams.service.feed import Feed
from seqfacility_instance.streams.service.options import Options
from seqfacility_instance.streams.service.picture import Pictures
from seqfacility_instance.streams.service.running import RunningStreams
from seqfacility_instance.streams.service.runs import StreamRuns, open_stream


@dataclass(frozen=True, slots=True)
class OrderStreams:
    """`/api/orders/{id}/stream`."""

    runs: StreamRuns

    def on_get(self, req: Request, resp: Response, order_id: str) -> None:
        """List the newest runs. Spec: instance, Live stream ingest, GET."""
        found = self.runs.list(open_order(guard.facility_admin(req), order_id))
        resp.media = {"runs": [bodies.stream_run(run, newest) for run, newest in found]}

    def on_post(self, req: Request, resp: Response, order_id: str) -> None:
        """Watch a directory. Spec: instance, Live stream ingest, POST."""
        order = open_order(guard.live_facility_admin(req), order_id)
        run = self.runs.start(order, read_json_object(req))
        resp.status = HTTP_201
        resp.media = {"id": run.id}


@dataclass(frozen=True, slots=True)
class AllStreams:
    """`/api/streams`."""

    running: RunningStreams

    def on_get(self, req: Request, resp: Response) -> None:
        """List every stream that is watched. Decision: G685."""
        found = self.running.list(guard.facility_admin(req))
        resp.media = {"streams": [listing_bodies.running_stream(one) for one in found]}


@dataclass(frozen=True, slots=True)
class StreamOptions:
    """`/api/orders/{id}/stream/options`."""

    options: Options

    def on_get(self, req: Request, resp: Response, order_id: str) -> None:
        """Offer folders and a map for a start. Decision: G686."""
        order = open_order(guard.live_facility_admin(req), order_id)
        resp.media = listing_bodies.start_options(self.options.find(order))


@dataclass(frozen=True, slots=True)
class OneStream:
    """`/api/orders/{id}/stream/{streamRunId}`."""

    runs: StreamRuns

    def on_patch(self, req: Request, resp: Response, order_id: str, stream_run_id: str) -> None:
        """Replace the barcode map. Decision: G220."""
        stream = open_stream(open_order(guard.live_facility_admin(req), order_id), stream_run_id)
        change = bodies.MapChange.read(read_json_object(req))
        run, newest = self.runs.change_map(stream, change)
        resp.media = {"run": bodies.stream_run(run, newest)}


@dataclass(frozen=True, slots=True)
class StreamEvents:
    """`/api/orders/{id}/stream/{streamRunId}/events`."""

    feed: Feed

    def on_get(self, req: Request, resp: Response, order_id: str, stream_run_id: str) -> None:
        """Return a page of the feed. Spec: instance, Live stream ingest, events."""
        stream = open_stream(open_order(guard.facility_admin(req), order_id), stream_run_id)
        after = read_seq(query_text(req, "after"))
        limit = query_int(
            req,
            "limit",
            limits.STREAM_EVENTS_DEFAULT_LIMIT,
            limits.STREAM_EVENTS_MIN_LIMIT,
            limits.STREAM_EVENTS_MAX_LIMIT,
        )
        found, cursor = self.feed.page(stream, after, limit)
        resp.media = bodies.event_page(found, cursor)


@dataclass(frozen=True, slots=True)
class LiveStreamEvents:
    """`/api/orders/{id}/stream/{streamRunId}/events/live`."""

    feed: Feed

    def on_get(self, req: Request, resp: Response, order_id: str, stream_run_id: str) -> None:
        """Send events as they come, from `Last-Event-ID` or `after` on, for `seconds` at most.

        Decision: G312.
        """
        stream = open_stream(open_order(guard.facility_admin(req), order_id), stream_run_id)
        after = read_seq(req.get_header("Last-Event-ID") or query_text(req, "after"))
        longest = limits.STREAM_LIVE_SECONDS
        seconds = query_int(req, "seconds", longest, 0, longest)
        resp.stream = self.feed.follow(stream, after, seconds, Way.of(req))
        begin_events(resp)


@dataclass(frozen=True, slots=True)
class StreamStop:
    """`/api/orders/{id}/stream/{streamRunId}/stop`."""

    runs: StreamRuns

    def on_post(self, req: Request, resp: Response, order_id: str, stream_run_id: str) -> None:
        """Ask a run to end. Spec: instance, Live stream ingest, stop."""
        stream = open_stream(open_order(guard.live_facility_admin(req), order_id), stream_run_id)
        resp.media = bodies.stop_answer(self.runs.stop(stream))


@dataclass(frozen=True, slots=True)
class StreamBarcodes:
    """`/api/orders/{id}/stream/{streamRunId}/by-barcode`."""

    pictures: Pictures

    def on_get(self, req: Request, resp: Response, order_id: str, stream_run_id: str) -> None:
        """List what each barcode has yielded. Spec: instance, Live stream ingest, by-barcode."""
        stream = open_stream(open_order(guard.facility_admin(req), order_id), stream_run_id)
        rows = self.pictures.barcodes(stream)
        shown = sorted((bodies.barcode_row(row) for row in rows), key=lambda row: row["barcode"])
        resp.media = {"barcodes": shown}


@dataclass(frozen=True, slots=True)
class StreamMetrics:
    """`/api/orders/{id}/stream/{streamRunId}/metrics`."""

    pictures: Pictures

    def on_get(self, req: Request, resp: Response, order_id: str, stream_run_id: str) -> None:
        """Draw the live picture of the run, its curves of one `barcode` if that is asked for.

        Decision: G311.
        """
        stream = open_stream(open_order(guard.facility_admin(req), order_id), stream_run_id)
        asked = query_text(req, "barcode")
        barcode = "" if asked == bodies.UNKNOWN_BARCODE else asked and asked.lower()
        resp.media = metrics(self.pictures.picture(stream, barcode))


@dataclass(frozen=True, slots=True)
class StreamCollection:
    """`/api/orders/{id}/stream/{streamRunId}/collect`."""

    collection: Collection

    def on_post(self, req: Request, resp: Response, order_id: str, stream_run_id: str) -> None:
        """Ask for reads of what was streamed. Decision: G221."""
        stream = open_stream(open_order(guard.live_facility_admin(req), order_id), stream_run_id)
        wanted = bodies.Collect.read(read_json_object(req)).sample_ids
        queued = self.collection.queue(stream, wanted)
        resp.status = HTTP_202
        resp.media = {"success": True, "queued": queued}


@dataclass(frozen=True, slots=True)
class StreamCollectionPlan:
    """`/api/orders/{id}/stream/{streamRunId}/collection`."""

    collection: Collection

    def on_get(self, req: Request, resp: Response, order_id: str, stream_run_id: str) -> None:
        """List which reads can be made of what was streamed, and how far each is. Decision: G689."""
        stream = open_stream(open_order(guard.facility_admin(req), order_id), stream_run_id)
        resp.media = listing_bodies.collection_plan(self.collection.plan(stream))
