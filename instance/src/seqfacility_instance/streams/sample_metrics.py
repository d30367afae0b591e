"""What live ingest has brought for each sample of an order, for the sequencing page."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from seqfacility_wire.timestamps import format_optional_time

from seqfacility_instance.orders import sample_store
from seqfacility_instance.streams.rules.barcodes import mapped_sample
from seqfacility_instance.streams.store import counters, runs

if TYPE_CHECKING:
    from seqfacility_schemas import answers


def streams_of_samples(order_id: str) -> dict[str, answers.SequencingPageSampleStream]:
    """Add up what was streamed for the samples of an order, by sample id; a sample without is left out.

    Which sample a barcode belongs to follows from the map that its run has now.

    Decision: G86, G220.
    """
    maps = runs.maps_of_order(order_id)
    rows = counters.barcodes_of_runs(list(maps))
    named = [mapped_sample(row.barcode, maps[row.stream_run_id]) for row in rows]
    samples = sample_store.find_in_order(order_id, [name for name in named if name is not None])
    sums: dict[str, tuple[int, int, datetime | None]] = {}
    for row, name in zip(rows, named, strict=True):
        if name in samples:
            reads, bases, last = sums.get(samples[name].id, (0, 0, None))
            newest = max((timestamp for timestamp in (last, row.last_file_at) if timestamp), default=None)
            sums[samples[name].id] = (reads + row.total_reads, bases + row.total_bases, newest)
    return {
        sample_id: {"reads": reads, "bases": bases, "lastFileAt": format_optional_time(last)}
        for sample_id, (reads, bases, last) in sums.items()
    }
