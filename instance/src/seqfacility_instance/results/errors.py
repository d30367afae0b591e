"""The rows of the Errors chapter that concern outputs and read candidates. Decision: G195."""

from seqfacility_wire.errors import ServiceError


class RunNotFound(ServiceError):
    status = 404
    message = "Run not found"


class NotEnded(ServiceError):
    """Spec: instance, Errors: resolve-outputs, run neither completed nor failed."""

    message = "Can only resolve outputs for completed or failed runs"


class RunFolderNotSet(ServiceError):
    """Spec: instance, Errors: resolve-outputs, no run folder."""

    message = "Run folder not set"


class NoSamples(ServiceError):
    """Spec: instance, Errors: resolve-outputs, target has no samples."""

    message = "No samples found for this run"


class NoAdapter(ServiceError):
    """Spec: instance, Errors: resolve-outputs, no adapter and no manifest. Decision: G189."""

    message = "No adapter found for pipeline: {pipeline_id}"


class CandidatesRunNotFound(ServiceError):
    """Spec: instance, Errors: pending-writebacks, unknown run."""

    status = 404
    message = "Pipeline run not found"


class NotOrderScoped(ServiceError):
    """Spec: instance, Errors: pending-writebacks, run not order-scoped."""

    message = "Pending read promotion requires an order-scoped run"


class NothingToPromote(ServiceError):
    """Spec: instance, Errors: pending-writebacks, nothing left to promote."""

    message = "No pending read candidates selected for promotion"


class NotCompleted(ServiceError):
    """Only a good end makes reads. Decision: G198."""

    message = "Only completed runs can be promoted"


class NotReadCleaning(ServiceError):
    """The narrower variant is for packages that clean reads. Decision: G200."""

    message = "Run is not a read-cleaning run"


class CandidateFileMissing(ServiceError):
    """A file of a candidate is gone. Decision: G199."""

    message = "Candidate file is missing: {name}"


class CandidateFileChanged(ServiceError):
    """Decision: G996."""

    message = "Candidate file is not what the run left: {name}"


class FileNameTaken(ServiceError):
    """Decision: G996."""

    message = "The order has another file of this name: {name}"


class InvalidSampleIds(ServiceError):
    """Samples that the run does not have. Decision: G996."""

    message = "Invalid sample IDs: {ids}"


class NotOfSequencingRun(ServiceError):
    """Decision: G988."""

    message = "This run did not work on a sequencing run"


class RunNotCompleted(ServiceError):
    """Only a good end makes reads. Decision: G988."""

    message = "Only the reads of a completed run can be filed"


class NothingToFile(ServiceError):
    """Decision: G988."""

    message = "No reads of this run are left to be filed"


class ReadsNotFileable(ServiceError):
    """Comes with `details`, one line a reason. Decision: G988."""

    message = "These files cannot be the reads of their samples"


class NoBasePath(ServiceError):
    """There is no place to promote to. Decision: G153."""

    message = "Data base path not configured"


class NotEnoughSpace(ServiceError):
    """The disk cannot hold the copies. Decision: G270."""

    status = 507
    message = "Not enough free disk space"
