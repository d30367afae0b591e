"""What the fault suites of live ingest share: a stream in hand, and real processes around it."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.processes import Processes
from seqfacility_testkit.sequencing import draft_order
from seqfacility_testkit.stream_monitors import Monitors
from seqfacility_testkit.streams import StreamInHand, start_stream
from seqfacility_testkit.untidy_sequencer import UntidySequencer

SETTINGS = {"scanIntervalSeconds": 1, "stabilitySeconds": 0.3}


@pytest.fixture
def monitors(facility: Facility, tmp_path: Path) -> Iterator[Monitors]:
    """Return real processes on the state directory of `facility`; their logs are printed after a failure."""
    processes = Processes(tmp_path / "logs")
    yield Monitors(facility.home, processes)
    processes.stop_all()
    sys.stdout.write(processes.logs())


@pytest.fixture
def watched(facility: Facility) -> StreamInHand:
    """Return a stream run that counts files soon after they hold still."""
    changed = facility.admin.patch("/api/admin/settings/streamIngest", SETTINGS)
    assert changed.status_code == 200, changed.text
    return start_stream(facility, draft_order(facility))


@pytest.fixture
def sequencer(watched: StreamInHand) -> Iterator[UntidySequencer]:
    """Return a writer at work."""
    writing = UntidySequencer(watched.folder, seed=7)
    writing.start()
    yield writing
    writing.finish()
