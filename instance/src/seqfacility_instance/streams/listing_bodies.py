"""Answers on all streams, on what a start may choose, and on what is collected.

Decision: G685, G686, G689.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from seqfacility_wire.timestamps import format_optional_time, format_time

from seqfacility_instance.streams.rules.run_folders import named_run
from seqfacility_instance.streams.service.collection import PlannedRead
from seqfacility_instance.streams.service.options import OfferedFolder, StartOptions
from seqfacility_instance.streams.service.running import RunningStream

if TYPE_CHECKING:
    from seqfacility_schemas import answers


def running_stream(one: RunningStream) -> answers.RunningStream:
    """Show a stream that is watched."""
    run = one.run
    return {
        "id": run.id,
        "orderId": run.order_id,
        "orderNumber": run.order.order_number,
        "orderName": run.order.name,
        "outputDir": run.output_dir,
        "deviceId": run.device_id,
        "flowCellId": run.flow_cell_id,
        "status": run.status.value,
        "totalFiles": run.total_files,
        "totalReads": run.total_reads,
        "totalBases": str(run.total_bases),
        "basesPerMinute": round(one.pace, 1),
        "recentBases": one.recent,
        "samples": one.samples,
        "samplesWithReads": one.samples_with_reads,
        "startedAt": format_time(run.started_at),
        "lastSeenAt": format_time(run.last_seen_at),
        "lastFileAt": format_optional_time(run.last_file_at),
        "stalledAt": format_optional_time(run.stalled_at),
        "finishedHintAt": format_optional_time(run.finished_hint_at),
        "vanishedAt": format_optional_time(run.vanished_at),
    }


def start_options(found: StartOptions) -> answers.StreamStartOptionsAnswer:
    """Show what a start may choose."""
    return {
        "root": found.root,
        "folders": [_folder(found.root, one) for one in found.folders],
        "hasMore": found.has_more,
        "barcodeMap": found.barcode_map,
        "barcodes": [_planned_barcode(found, barcode) for barcode in found.barcode_map],
    }


def _folder(root: str, offered: OfferedFolder) -> answers.StreamStartOptionsFolder:
    named = named_run(offered.folder.path)
    return {
        "name": offered.folder.path,
        "outputDir": f"{root}/{offered.folder.path}",
        "changedAt": format_time(offered.folder.changed_at),
        "hasOutput": offered.folder.has_output,
        "watchedForOrder": offered.watched_for,
        "deviceId": None if named is None else named.device,
        "flowCellId": None if named is None else named.flow_cell,
        "minknowRunId": None if named is None else named.run,
    }


def _planned_barcode(found: StartOptions, barcode: str) -> answers.StreamStartOptionsBarcode:
    sample = found.sample_of(barcode)
    return {
        "barcode": barcode,
        "sampleCode": found.barcode_map[barcode] if sample is None else sample.sample_code,
        "sampleAlias": None if sample is None else sample.sample_alias,
    }


def collection_plan(planned: Iterable[PlannedRead]) -> answers.StreamCollectionPlanAnswer:
    """Show which reads can be made, and how far each is."""
    return {
        "samples": [
            {
                "sampleId": one.sample.id,
                "sampleCode": one.sample.sample_code,
                "sampleAlias": one.sample.sample_alias,
                "barcodes": one.barcodes,
                "files": sum(row.file_count for row in one.rows),
                "size": sum(row.total_size for row in one.rows),
                "reads": sum(row.total_reads for row in one.rows),
                "bases": sum(row.total_bases for row in one.rows),
                "state": one.state.value,
                "readId": one.read_id,
            }
            for one in planned
        ]
    }
