"""Whether a run that has ended can go on in its own folder, and what it goes on with."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from seqfacility_pipeline_package.documents import JsonObject
from seqfacility_workflow_runtime.regular_file import read_document
from seqfacility_workflow_runtime.run_folder import RunFolder

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import LiveFacilityAdmin
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.core.vocabulary.pipelines import EventSource, RunStatus
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.pipelines.bodies import as_json
from seqfacility_instance.pipelines.service import Pipelines, Usable
from seqfacility_instance.results import store as results
from seqfacility_instance.results.run_inputs import InputFile, UsedFolder, read_description
from seqfacility_instance.run_plans.instrument_folders import instrument_folder
from seqfacility_instance.runs.errors import (
    BasePathNotConfigured,
    CannotResume,
    InputsChanged,
    JobNotOver,
    NeverLaunched,
    ReadsPromoted,
    RunFolderGone,
    RunNotFound,
    VersionNotInstalled,
)
from seqfacility_instance.runs.store import activity, rows, tasks
from seqfacility_instance.runs.store.activity import own_event
from seqfacility_instance.tables.pipelines import PipelineRun

_RESUMABLE = (RunStatus.FAILED, RunStatus.CANCELLED)
_ADVICE = {
    RunStatus.PENDING: "Start it.",
    RunStatus.QUEUED: "Cancel it first.",
    RunStatus.RUNNING: "Cancel it first.",
    RunStatus.COMPLETED: "Start it again.",
}
_SHOWN_FILES = 50


@dataclass(frozen=True, slots=True)
class Resumable:
    """What a run goes on with: its package, and the configuration that its folder keeps."""

    usable: Usable
    folder: RunFolder
    config: JsonObject


@dataclass(frozen=True, slots=True)
class Resumption:
    """Decides whether runs can be resumed. Decision: G710."""

    pipelines: Pipelines
    facility: FacilitySettings

    def check_ended(self, run: PipelineRun) -> None:
        """Make sure that a run has ended and was launched.

        Raises `CannotResume`, `NeverLaunched`, `JobNotOver` or `ReadsPromoted`.
        """
        if run.status not in _RESUMABLE:
            raise CannotResume(status=run.status.value, advice=_ADVICE[run.status])
        if run.run_folder is None:
            raise NeverLaunched
        if run.job_over_at is None:
            raise JobNotOver
        if results.has_promoted(run.id):
            raise ReadsPromoted

    def check_kept(self, run: PipelineRun) -> Resumable:
        """Make sure that everything is there that a run goes on with; nothing of it is checked or made anew.

        The sample sheet, the configuration and the parameters are those of its folder: an engine repeats what
        has other inputs. The folder of a sequencing run is looked at again, for it is the run's only input.
        Raises `PipelineDisabled`, `VersionNotInstalled`, `RunFolderGone`, `InputsChanged` or
        `BasePathNotConfigured`.

        Decision: G995.
        """
        usable = self.pipelines.usable_version(run.pipeline_id, run.pipeline_version)
        if usable is None or usable.sha256 != run.package_sha256:
            raise VersionNotInstalled(pipeline_id=run.pipeline_id, version=run.pipeline_version)
        folder, base = rows.folder_of(run), self.facility.storage().data_base_path
        description = None if folder is None else read_description(folder)
        if folder is None or description is None or description.run_id != run.id or not folder.work.is_dir():
            raise RunFolderGone
        config = read_document(folder.config)
        sheet = folder.path / usable.package.samplesheet.file_name
        if not isinstance(config, dict) or not sheet.is_file():
            raise RunFolderGone
        if base is None:
            raise BasePathNotConfigured
        changed = [text for file in description.files if (text := _problem_of(file, Path(base)))]
        if run.sequencing_run_id is not None:
            if description.sequencing_folder is None:
                raise RunFolderGone
            root = self.facility.stream_ingest().output_root
            changed += _folder_problems(description.sequencing_folder, root)
        if changed:
            raise InputsChanged(details=changed[:_SHOWN_FILES])
        return Resumable(usable, folder, as_json(config))

    def claim(self, caller: LiveFacilityAdmin, run: PipelineRun, now: datetime) -> None:
        """Let a run pend again, with what its last launch came to kept as history; stands in a transaction.

        Raises `RunNotFound`, `AlreadyStarted` or `ReadsPromoted`.

        Decision: G711.
        """
        if not rows.claim_resumed(run, now):
            if rows.find(run.id) is None:
                raise RunNotFound
            raise rows.already_started(run.id)
        if results.has_promoted(run.id):
            raise ReadsPromoted
        launch, reason = run.resumed_count + 1, (run.failure or {}).get("message")
        tasks.begin_launch(run.id, launch)
        activity.reopen_steps(run.id)
        results.forget_outputs(run.id)
        message = f"Resumed after it had {'failed' if run.status is RunStatus.FAILED else 'been cancelled'}"
        message = message if reason is None else f"{message}: {reason}"
        event = own_event(EventSource.LAUNCHER, "run_resumed", now, str(launch), message=message)
        activity.add_event(run.id, event)
        audit.record(
            caller,
            AuditAction.RUN_RESUMED,
            "pipeline-run",
            run.id,
            now,
            launch=launch,
            after=run.status.value,
        )


def _problem_of(file: InputFile, base: Path) -> str | None:
    """Return what is wrong with an input file that a run was started with; None when it is as it was."""
    try:
        size = (base / file["path"]).stat().st_size
    except OSError:
        return f"{file['path']} is gone"
    is_other = file["size"] is not None and file["size"] != size
    return f"{file['path']} has {size} bytes, not {file['size']}" if is_other else None


def _folder_problems(used: UsedFolder, root: str | None) -> list[str]:
    """Return what is wrong with the folder of the sequencing run that a run was started with."""
    now = instrument_folder(used.path, root)
    if now.problems:
        return list(now.problems)
    if now.path != used.path:
        return ["folderPath: leads to another folder"]
    return [
        f"folderPath: {name} is another one" for name, was in used.state.items() if now.state[name] != was
    ]
