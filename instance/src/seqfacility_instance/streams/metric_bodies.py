"""The answer on the live picture of a stream run, an endpoint of our own. Decision: G311."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from seqfacility_wire.timestamps import format_optional_time, format_time

from seqfacility_instance.streams.bodies import UNKNOWN_BARCODE
from seqfacility_instance.streams.rules.barcodes import mapped_sample
from seqfacility_instance.streams.rules.picture import (
    Step,
    Yield,
    expected_share,
    mean_length,
    mean_quality,
    n50,
)
from seqfacility_instance.streams.service.picture import Picture
from seqfacility_instance.streams.service.verification import stored
from seqfacility_instance.tables.streams import StreamBarcode, StreamRun

if TYPE_CHECKING:
    from seqfacility_schemas import answers


"""The live picture; `yield` is a word of Python, hence this spelling."""


def metrics(picture: Picture) -> answers.StreamMetricsAnswer:
    """Show the live picture: totals and barcodes of the whole run, curves of the asked barcode.

    Decision: G311.
    """
    run, rows = picture.run, picture.barcodes
    chosen = [step for name, step in picture.lengths if picture.barcode in {None, name}]
    return {
        "runId": run.id,
        "barcode": None if picture.barcode is None else picture.barcode or UNKNOWN_BARCODE,
        "startedAt": format_time(run.started_at),
        "lastFileAt": format_optional_time(run.last_file_at),
        "finishedHintAt": format_optional_time(run.finished_hint_at),
        "stalledAt": format_optional_time(run.stalled_at),
        "vanishedAt": format_optional_time(run.vanished_at),
        "basesPerMinute": round(picture.pace, 1),
        "expectedShare": expected_share(len({sample.id for sample in picture.samples.values()})),
        "totals": _amounts(rows, [step for _, step in picture.lengths]),
        "barcodes": [_barcode(row, picture) for row in rows],
        "minutesPerPoint": picture.minutes_per_point,
        "yield": [_point(point, picture.minutes_per_point) for point in picture.curve],
        "readLengths": [
            {"fromLength": int(step.start), "reads": step.reads, "bases": step.bases}
            for step in _merged(chosen)
        ],
        "readQualities": [
            {"fromQuality": step.start, "reads": step.reads, "bases": step.bases}
            for step in picture.qualities
        ],
        "verification": None if run.verification is None else _verification(run),
    }


def _amounts(rows: Iterable[StreamBarcode], lengths: Iterable[Step]) -> answers.StreamMetricsTotals:
    rows = list(rows)
    reads, bases = sum(row.total_reads for row in rows), sum(row.total_bases for row in rows)
    return {
        "files": sum(row.file_count for row in rows),
        "size": sum(row.total_size for row in rows),
        "reads": reads,
        "bases": bases,
        "meanLength": mean_length(reads, bases),
        "n50": n50(_merged(lengths)),
        "meanQuality": mean_quality(sum(row.expected_errors for row in rows), bases),
    }


def _barcode(row: StreamBarcode, picture: Picture) -> answers.StreamMetricsBarcode:
    own = [step for name, step in picture.lengths if name == row.barcode]
    named = mapped_sample(row.barcode, picture.run.barcode_map)
    sample = None if named is None else picture.samples.get(named)
    return {
        "barcode": row.barcode or UNKNOWN_BARCODE,
        "sampleId": None if sample is None else sample.id,
        "sampleCode": None if sample is None else sample.sample_code,
        "sampleAlias": None if sample is None else sample.sample_alias,
        "recentBases": picture.recent[row.barcode],
        **_amounts([row], own),
    }


def _merged(steps: Iterable[Step]) -> list[Step]:
    """Add up the steps of several barcodes."""
    sums: dict[float, Step] = {}
    for step in steps:
        known = sums.get(step.start, Step(step.start, 0, 0))
        sums[step.start] = Step(step.start, known.reads + step.reads, known.bases + step.bases)
    return [sums[start] for start in sorted(sums)]


def _point(point: Yield, minutes: int) -> answers.StreamMetricsYield:
    return {
        "start": format_time(datetime.fromtimestamp(point.start / 1000, UTC)),
        "files": point.files,
        "reads": point.reads,
        "bases": point.bases,
        "readsPerMinute": round(point.reads / minutes, 3),
        "basesPerMinute": round(point.bases / minutes, 3),
        "meanQuality": mean_quality(point.expected_errors, point.bases),
    }


def _verification(run: StreamRun) -> answers.StreamMetricsVerification:
    known = stored(run)
    return {
        "verdict": known["verdict"],
        "listed": known["listed"],
        "matched": known["matched"],
        "missing": known["missing"],
        "different": known["different"],
        "checkedAt": known["checkedAt"],
    }
