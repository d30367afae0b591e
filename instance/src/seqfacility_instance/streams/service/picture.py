"""The live picture of a stream run, drawn from counters: its cost does not grow with the number of files."""

from collections.abc import Mapping
from dataclasses import dataclass

from seqfacility_instance.access.callers import FacilityAdmin
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.orders import sample_store
from seqfacility_instance.streams.rules.picture import Step, Yield, minutes_per_point
from seqfacility_instance.streams.service.runs import StreamRunFor
from seqfacility_instance.streams.store import counters, recent
from seqfacility_instance.tables.orders import Sample
from seqfacility_instance.tables.streams import StreamBarcode, StreamRun


@dataclass(frozen=True, slots=True)
class Picture:
    """What there is to draw: the counters of every barcode, and the curves of one of them or of all.

    `samples` are those of the run's map, by what names them there: code or id.

    `lengths` are the buckets of every barcode, by barcode; the curve and `qualities` are of `barcode`, or of
    all when that is None. `pace` is in bases a minute, `recent` are the bases of each barcode in the last
    hour, in stretches of five minutes.
    """

    run: StreamRun
    barcode: str | None
    barcodes: list[StreamBarcode]
    samples: Mapping[str, Sample]
    curve: list[Yield]
    minutes_per_point: int
    pace: float
    recent: Mapping[str, list[int]]
    lengths: list[tuple[str, Step]]
    qualities: list[Step]


@dataclass(frozen=True, slots=True)
class Pictures:
    """Reads the counters."""

    clock: Clock

    def barcodes(self, run: StreamRunFor[FacilityAdmin]) -> list[StreamBarcode]:
        """List what each barcode has yielded.

        Spec: instance, Live stream ingest, by-barcode. Decision: G218.
        """
        return counters.list_barcodes(run.id)

    def picture(self, opened: StreamRunFor[FacilityAdmin], barcode: str | None) -> Picture:
        run = opened.row
        span = counters.span_of_minutes(run.id, barcode)
        width = 1 if span is None else minutes_per_point(*span)
        rows = counters.list_barcodes(run.id)
        ended = run.stopped_at or self.clock.now()
        return Picture(
            run,
            barcode,
            rows,
            sample_store.find_in_order(run.order_id, sorted(set(run.barcode_map.values()))),
            counters.list_minutes(run.id, barcode, width),
            width,
            recent.paces([run.id], ended).get(run.id, 0.0),
            recent.bases_of_barcodes(run.id, [row.barcode for row in rows], ended),
            counters.list_lengths(run.id),
            counters.list_qualities(run.id, barcode),
        )
