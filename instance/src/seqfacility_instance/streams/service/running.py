"""Every stream that is watched, over all orders."""

from collections.abc import Sequence
from dataclasses import dataclass

from seqfacility_instance.access.callers import FacilityAdmin
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.orders import sample_store
from seqfacility_instance.streams.rules.barcodes import mapped_sample
from seqfacility_instance.streams.store import counters, recent, runs
from seqfacility_instance.tables.streams import StreamRun


@dataclass(frozen=True, slots=True)
class RunningStream:
    """A stream that is watched: its pace in bases a minute, its last hour, and how many samples of its map
    have reads.
    """

    run: StreamRun
    pace: float
    recent: list[int]
    samples: int
    samples_with_reads: int


@dataclass(frozen=True, slots=True)
class RunningStreams:
    """Lists them."""

    clock: Clock

    def list(self, caller: FacilityAdmin) -> list[RunningStream]:
        """List the streams that are watched, oldest first; the number of statements grows with orders only.

        Decision: G685.
        """
        found, now = runs.list_running(caller), self.clock.now()
        ids = [run.id for run in found]
        paces, lately = recent.paces(ids, now), recent.bases_of_runs(ids, now)
        with_reads = self._mapped_with_reads(found)
        return [
            RunningStream(run, paces.get(run.id, 0.0), lately[run.id], *with_reads[run.id]) for run in found
        ]

    def _mapped_with_reads(self, found: Sequence[StreamRun]) -> dict[str, tuple[int, int]]:
        """Count the samples of each run's map: all, and those with reads."""
        barcodes: dict[str, list[str]] = {run.id: [] for run in found}
        for row in counters.barcodes_of_runs(list(barcodes)):
            if row.total_reads:
                barcodes[row.stream_run_id].append(row.barcode)
        counted = {}
        for run in found:
            samples = sample_store.find_in_order(run.order_id, sorted(set(run.barcode_map.values())))
            named = [mapped_sample(barcode, run.barcode_map) for barcode in barcodes[run.id]]
            known = {samples[name].id for name in named if name in samples}
            counted[run.id] = (len({sample.id for sample in samples.values()}), len(known))
        return counted
