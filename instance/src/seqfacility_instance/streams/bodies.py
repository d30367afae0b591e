"""Requests and answers of live ingest. Spec: instance, Stream run, latestEvent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqfacility_wire.timestamps import format_optional_time, format_time

from seqfacility_instance.core.json_text import compact_json
from seqfacility_instance.core.request_model import Line, RequestModel
from seqfacility_instance.core.vocabulary.streams import StreamStatus
from seqfacility_instance.streams.rules.cursor import server_sent_event
from seqfacility_instance.tables.streams import StreamBarcode, StreamEvent, StreamRun

if TYPE_CHECKING:
    from seqfacility_schemas import answers

UNKNOWN_BARCODE = "(unknown)"
"""Spec: instance, Live stream ingest, by-barcode."""


class StreamStart(RequestModel):
    """The parts of a start that have no refusal of their own. Spec: instance, Live stream ingest, POST."""

    device_id: Line | None = None
    flow_cell_id: Line | None = None
    minknow_run_id: Line | None = None
    barcode_map: dict[Line, Line] | None = None


class MapChange(RequestModel):
    """A new map; refused where the one before is not `base_barcode_map`. Decision: G220, G688."""

    barcode_map: dict[Line, Line]
    base_barcode_map: dict[Line, Line] | None = None


class Collect(RequestModel):
    """Whose reads are to be made; of all mapped samples unless it says. Decision: G221."""

    sample_ids: list[Line] | None = None


def stream_run(run: StreamRun, newest: StreamEvent | None) -> answers.StreamRun:
    """Show a stream run with its newest event. Spec: instance, Stream run. Decision: G211."""
    return {
        "id": run.id,
        "orderId": run.order_id,
        "minknowRunId": run.minknow_run_id,
        "flowCellId": run.flow_cell_id,
        "deviceId": run.device_id,
        "outputDir": run.output_dir,
        "status": run.status.value,
        "totalBases": str(run.total_bases),
        "totalReads": run.total_reads,
        "barcodeMap": run.barcode_map,
        "startedAt": format_time(run.started_at),
        "lastSeenAt": format_time(run.last_seen_at),
        "stoppedAt": format_optional_time(run.stopped_at),
        "latestEvent": None if newest is None else _latest(newest),
    }


def _latest(event: StreamEvent) -> answers.LatestStreamEvent:
    return {"kind": event.kind.value, "ts": format_time(event.ts), "payload": event.payload}


def event_shape(event: StreamEvent) -> answers.StreamEvent:
    """Show an event of the feed."""
    return {
        "id": event.id,
        "seq": event.seq,
        "ts": format_time(event.ts),
        "kind": event.kind.value,
        "payload": event.payload,
    }


def event_page(events: list[StreamEvent], cursor: int) -> answers.StreamEventsAnswer:
    """Answer a page of the feed. Spec: instance, Live stream ingest, events."""
    return {"events": [event_shape(event) for event in events], "cursor": cursor}


def live_event(event: StreamEvent) -> bytes:
    """Write an event for the live feed: the same object as in a page."""
    return server_sent_event(event.seq, event.kind.value, compact_json(event_shape(event)))


def stop_answer(before: StreamStatus) -> dict[str, bool]:
    """Answer a stop by the status that the run had. Spec: instance, Live stream ingest, stop."""
    flags = {StreamStatus.STOPPING: "alreadyStopping", StreamStatus.STOPPED: "alreadyStopped"}
    return {"ok": True, flags[before]: True} if before in flags else {"ok": True}


def barcode_row(row: StreamBarcode) -> answers.StreamBarcode:
    """Show what a barcode has yielded. Spec: instance, Live stream ingest, by-barcode. Decision: G218."""
    return {
        "barcode": row.barcode or UNKNOWN_BARCODE,
        "fileCount": row.file_count,
        "totalSize": row.total_size,
        "totalReads": row.total_reads,
        "totalBases": row.total_bases,
        "lastFileAt": format_optional_time(row.last_file_at),
        "lastFilePath": row.last_file_path,
    }
