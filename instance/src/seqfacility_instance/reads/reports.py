"""The reports of the runs that are selected for an order: which they are, and where they lie.

They are delivered beside the files of the order and stay files of their runs: nothing here owns them.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from seqfacility_wire.file_names import portable_name

from seqfacility_instance.background import queue
from seqfacility_instance.core.data_folder import NotRegularFile, PathRefused, open_file
from seqfacility_instance.core.previews import preview_type
from seqfacility_instance.reads import store
from seqfacility_instance.reads.errors import FileMissing
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.results import PipelineArtifact

EXAMINE_REPORTS_JOB = "examine-reports"


@dataclass(frozen=True, slots=True)
class Report:
    """A report of a selected run, at `place` below `folder`, that of the run."""

    artifact: PipelineArtifact
    run: PipelineRun
    folder: Path
    place: str

    @property
    def name(self) -> str:
        """The name of the file, which its pipeline chose, as every file system can have it.

        Decision: G506.
        """
        return portable_name(self.place.rpartition("/")[2])

    @property
    def path(self) -> str:
        """The path that previews find it by, which names no place of the server. Decision: G123, G167."""
        stored = self.artifact.path
        return f"{self.run.run_number}/{self.place}" if stored.startswith("/") else stored

    def open(self) -> int:
        """Open the file, which does not leave the folder of its run; raises `FileMissing`."""
        try:
            return open_file(self.folder, self.place)
        except (PathRefused, NotRegularFile, FileNotFoundError, PermissionError) as missing:
            raise FileMissing from missing


def list_of_order(order_id: str) -> list[Report]:
    """List the reports of the runs that are selected for an order now. Decision: G490."""
    return _reports(store.list_reports_of_order(order_id))


def list_of_run(run_id: str) -> list[Report]:
    """List the reports of a run, none when it is not selected. Decision: G491."""
    return _reports(store.list_reports_of_run(run_id))


def find(order_id: str, report_id: str) -> Report | None:
    """Find a report of a run that is selected for an order now. Decision: G490."""
    return next(iter(_reports(store.list_reports_of_order(order_id, report_id))), None)


def queue_examination(run_id: str, now: datetime) -> None:
    """Queue the checksums of a selected run's reports. Decision: G491."""
    queue.enqueue(EXAMINE_REPORTS_JOB, {"runId": run_id}, now, dedupe_key=f"{EXAMINE_REPORTS_JOB}:{run_id}")


def _reports(artifacts: Iterable[PipelineArtifact]) -> list[Report]:
    return [
        Report(artifact, run, Path(run.run_folder), _place(artifact.path, run.run_number))
        for artifact in artifacts
        if (run := artifact.pipeline_run) and run.run_folder and preview_type(artifact.path)
    ]


def _place(path: str, run_number: str) -> str:
    """Return the path below the run folder, whose name is the run's number, however it is stored.

    Decision: G193.
    """
    return f"/{path}".partition(f"/{run_number}/")[2]
