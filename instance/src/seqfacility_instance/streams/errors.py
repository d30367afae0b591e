"""The refusals of live ingest, one class per row of the Errors chapter and of the decisions.

Decision: G47.
"""

from seqfacility_wire.errors import ServiceError


class StreamRunNotFound(ServiceError):
    """Spec: instance, Errors: stream events, run id not of this order. Decision: G14."""

    status = 404
    message = "Stream run not found"


class OutputDirRequired(ServiceError):
    """Spec: instance, Errors: stream start, outputDir missing."""

    message = "outputDir is required"


class IngestDisabled(ServiceError):
    message = "Live ingest is disabled"


class OutputRootNotConfigured(ServiceError):
    message = "Sequencer output root is not configured"


class OutputRootUnreadable(ServiceError):
    """The root is configured, and is not there or may not be read. Decision: G686."""

    message = "Sequencer output root cannot be read"


class OutputDirNotAbsolute(ServiceError):
    message = "outputDir must be an absolute path"


class OutputDirMissing(ServiceError):
    """Spec: instance, Errors: stream start, outputDir unresolvable. Decision: G209."""

    message = "outputDir does not exist"


class OutputDirOutside(ServiceError):
    """Spec: instance, Errors: stream start, outputDir outside the configured root. Decision: G209."""

    message = "outputDir must be inside the sequencer output root"


class OutputDirNotADirectory(ServiceError):
    message = "outputDir is not a directory"


class DirectoryWatched(ServiceError):
    """Spec: instance, Errors: stream start, another ACTIVE run watches that directory. Decision: G209."""

    status = 409
    message = "Directory is already watched by stream run {run_id} of order {order_number}"


class MapChangedMeanwhile(ServiceError):
    """Somebody else has changed the map that a change began from. Decision: G688."""

    status = 409
    message = "The barcode map was changed meanwhile"


class StreamNotStopped(ServiceError):
    message = "Stream run is not stopped"


class InvalidSampleIds(ServiceError):
    """A collection names samples that the order does not have. Decision: G221."""

    message = "Invalid sample IDs: {ids}"
