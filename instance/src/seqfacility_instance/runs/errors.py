"""The rows of the Errors chapter that concern pipeline runs and the weblog. Decision: G157, G188."""

from collections.abc import Iterable

from seqfacility_wire.errors import ServiceError


class RunNotFound(ServiceError):
    """An unknown run. Spec: instance, Errors: weblog, unknown runId. Decision: G14, G163."""

    status = 404
    message = "Run not found"


class TaskNotFound(ServiceError):
    """A task that the run does not have. Decision: G728."""

    status = 404
    message = "Task not found"


class NoTaskLog(ServiceError):
    """A task whose tool has written no log of its own. Decision: G728."""

    status = 404
    message = "This task has left no log of its own. Look into the log of the run"


class TargetRequired(ServiceError):
    """Spec: instance, Errors: create run, neither or both of studyId/orderId."""

    message = "Exactly one of studyId or orderId is required"


class SequencingRunRequired(ServiceError):
    """Decision: G986."""

    message = "This pipeline works on a sequencing run: sequencingRunId is required"


class TargetUnsupported(ServiceError):
    """Spec: instance, Errors: create run, target unsupported."""

    message = "Pipeline {pipeline_id} does not support {target} targets"


class InvalidSampleIds(ServiceError):
    """Spec: instance, Errors: create run, sampleIds not in target."""

    message = "Invalid sample IDs: {ids}"


class InvalidExecutionMode(ServiceError):
    """Spec: instance, Errors: create run, bad executionMode. Decision: G515."""

    message = "executionMode must be one of: default, local, slurm"

    def __init__(self, further: Iterable[str] = ()) -> None:
        super().__init__()
        self.text = ", ".join([self.message, *further])


class MetadataInvalid(ServiceError):
    """Spec: instance, Errors: create run, metadata validation fails. Decision: G149."""

    message = "Metadata validation failed"


class InputInvalid(ServiceError):
    """Spec: instance, Errors: create run, input validation fails. Decision: G149."""

    message = "Input validation failed"


class ConfigInvalid(ServiceError):
    """Spec: instance, Errors: create run, config validation fails. Decision: G149."""

    message = "Config validation failed"


class NotPending(ServiceError):
    """Spec: instance, Errors: start, run not pending."""

    message = "Cannot start run with status: {status}"


class AlreadyStarted(ServiceError):
    """Spec: instance, Errors: start, another request already claimed launch."""

    status = 409
    message = "Run has already been started (status: {status})"


class CannotResume(ServiceError):
    """Spec: instance, Pipeline runs, resume. Decision: G710."""

    status = 409
    message = "Only a failed or cancelled run can be resumed (status: {status}). {advice}"


class JobNotOver(ServiceError):
    """Unknown is never read as ended. Decision: G710."""

    status = 409
    message = "The job of this run is not known to have ended yet. Try again in a minute."


class NeverLaunched(ServiceError):
    """Decision: G710."""

    status = 409
    message = "This run was never launched, so there is nothing to go on from. Start it again."


class RunFolderGone(ServiceError):
    """Decision: G710."""

    status = 409
    message = "The folder of this run is gone or holds another run. Start it again."


class VersionNotInstalled(ServiceError):
    """Decision: G710, G714."""

    status = 409
    message = (
        "Version {version} of {pipeline_id} is not installed any more as this run used it."
        " Install it again, or make a new run with the installed version."
    )


class InputsChanged(ServiceError):
    """Decision: G710."""

    status = 409
    message = "Input files of this run are gone or have changed. Put them back, or start the run again."


class ReadsPromoted(ServiceError):
    """Decision: G710."""

    status = 409
    message = "Reads of this run were promoted, so it stays as it is. Start it again."


class NotEnoughDisk(ServiceError):
    """Decision: G720."""

    status = 507
    message = (
        "Not enough free disk space: this run needs {needed} ({inputs} of inputs twice, and {reserve} that"
        " stay free), and {free} are free. Make room, then start it."
    )


class BasePathNotConfigured(ServiceError):
    """Spec: instance, Errors: start, data base path unset. Decision: G153."""

    message = "Data base path not configured"


class RunDirectoryNotUsable(ServiceError):
    """Spec: instance, Errors: start, run directory unset. Decision: G153."""

    message = "Pipeline run directory is not usable"


class LaunchRefused(ServiceError):
    """Spec: instance, Errors: start, execution fails; the text is the launcher's."""

    status = 500
    message = "{reason}"


class CannotCancel(ServiceError):
    """Spec: instance, Errors: cancel, run not pending, queued or running."""

    message = "Cannot cancel a completed or failed run"


class CancellationNotAccepted(ServiceError):
    """The scheduler keeps the job. Decision: G164."""

    status = 500
    message = "Scheduler did not accept the cancellation"


class CannotDeleteRunning(ServiceError):
    """Spec: instance, Errors: delete run, run is running."""

    message = "Cannot delete a running run. Cancel it first."


class RunFolderNotSet(ServiceError):
    """Spec: instance, Errors: sync, run never staged. Decision: G162."""

    message = "Run folder not set"


class InvalidStatusFilter(ServiceError):
    message = "Invalid status filter"


class InvalidLogType(ServiceError):
    message = "type must be output or error"


class NotCompleted(ServiceError):
    """Spec: instance, Errors: selection PUT, run not completed."""

    message = "Only completed pipeline runs can be selected as final."


class NoTarget(ServiceError):
    """Spec: instance, Errors: selection PUT, run has no study or order."""

    message = "Pipeline run does not have a study or order target."


class WeblogNotConfigured(ServiceError):
    """Spec: instance, Errors: weblog, no secret configured."""

    status = 503
    message = "Weblog secret is not configured"


class InvalidToken(ServiceError):
    """Spec: instance, Errors: weblog, token mismatch."""

    status = 403
    message = "Invalid token"


class RunIdRequired(ServiceError):
    """Spec: instance, Errors: weblog, runId missing."""

    message = "runId is required"
