"""What came lately: the pace of streams, and the last hour of each barcode, read from the minutes.

Only the minutes of the last hour are read, however long a run is.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, cast

from peewee import SQL, Value, fn

from seqfacility_instance.core import limits
from seqfacility_instance.core.ids import epoch_milliseconds
from seqfacility_instance.streams.rules.picture import recent_places
from seqfacility_instance.streams.store.counters import ALL_BARCODES
from seqfacility_instance.tables.streams import StreamMinute


def paces(run_ids: Sequence[str], ended: datetime) -> dict[str, float]:
    """Return the bases a minute of runs in the last minutes before `ended`; a run without any is left out.

    Decision: G687.
    """
    rows = (
        StreamMinute.select(StreamMinute.stream_run, fn.SUM(StreamMinute.bases))
        .where(
            StreamMinute.stream_run.in_(run_ids)
            & (StreamMinute.barcode == ALL_BARCODES)
            & (StreamMinute.minute > ended - limits.STREAM_PACE)
            & (StreamMinute.minute <= ended)
        )
        .group_by(StreamMinute.stream_run)
        .tuples()
    )
    minutes = limits.STREAM_PACE.total_seconds() / 60
    return {run_id: int(bases) / minutes for run_id, bases in _tuples(rows)}


def bases_of_runs(run_ids: Sequence[str], ended: datetime) -> dict[str, list[int]]:
    """Return the bases of each run in the stretches of the last hour, oldest first. Decision: G685."""
    found = _stretches(run_ids, [ALL_BARCODES], ended)
    return {run_id: found.get((run_id, ALL_BARCODES), _nothing()) for run_id in run_ids}


def bases_of_barcodes(run_id: str, barcodes: Sequence[str], ended: datetime) -> dict[str, list[int]]:
    """Return the same for each barcode of a run. Decision: G687."""
    found = _stretches([run_id], barcodes, ended)
    return {barcode: found.get((run_id, barcode), _nothing()) for barcode in barcodes}


def _stretches(
    run_ids: Sequence[str], barcodes: Sequence[str], ended: datetime
) -> dict[tuple[str, str], list[int]]:
    width, starts = recent_places(epoch_milliseconds(ended))
    stretch = StreamMinute.minute.cast("BIGINT") / Value(width, converter=False)
    rows = (
        StreamMinute.select(
            StreamMinute.stream_run, StreamMinute.barcode, stretch, fn.SUM(StreamMinute.bases)
        )
        .where(
            StreamMinute.stream_run.in_(run_ids)
            & StreamMinute.barcode.in_(barcodes)
            & (StreamMinute.minute >= datetime.fromtimestamp(starts[0] / 1000, UTC))
        )
        # WHY: by its place: PostgreSQL takes the same expression with parameters of its own for another one.
        .group_by(StreamMinute.stream_run, StreamMinute.barcode, SQL("3"))
        .tuples()
    )
    found: dict[tuple[str, str], list[int]] = {}
    for run_id, barcode, number, bases in _tuples(rows):
        place = int(number) - starts[0] // width
        # A minute after the end of a stopped run is that of a file which was closed while it was counted.
        if 0 <= place < len(starts):
            found.setdefault((run_id, barcode), _nothing())[place] += int(bases)
    return found


def _nothing() -> list[int]:
    return [0] * limits.STREAM_RECENT_POINTS


def _tuples(query: object) -> Sequence[tuple[Any, ...]]:
    """Cast `.tuples()`, which Peewee's stubs do not type."""
    return cast("Sequence[tuple[Any, ...]]", query)
