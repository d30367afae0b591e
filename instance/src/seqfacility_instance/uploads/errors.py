"""The refusals of upload sessions, one class per row of the Errors chapter and of the decisions."""

from seqfacility_wire.errors import ServiceError


class UploadNotFound(ServiceError):
    """Decision: G14."""

    status = 404
    message = "Upload not found"


class RequiredKeysMissing(ServiceError):
    """Spec: instance, Errors: initiate, a required field missing."""

    message = "targetKind, targetRole, originalName, and expectedSize are required"


class UnknownKind(ServiceError):
    """Decision: G94."""

    message = "targetKind must be one of: read, artifact"


class UnknownRole(ServiceError):
    """Decision: G94."""

    message = "targetRole must be one of: {roles}"


class SizeNotPositive(ServiceError):
    """Decision: G94."""

    message = "expectedSize must be a positive integer"


class NotAFileName(ServiceError):
    """Decision: G95."""

    message = "originalName is not a valid file name"


class ExtensionNotAllowed(ServiceError):
    """Spec: instance, Errors: initiate, read file extension not allowed."""

    message = "Read uploads must use an allowed sequencing file extension"


class SampleNotInOrder(ServiceError):
    """Decision: G94."""

    message = "Sample not found in this order"


class FileTooLarge(ServiceError):
    """Decision: G94."""

    status = 413
    message = "File is larger than the allowed upload size"


class NotEnoughSpace(ServiceError):
    """Decision: G94, G270."""

    status = 507
    message = "Not enough free disk space"


class OffsetMissing(ServiceError):
    """Decision: G96."""

    message = "x-service-offset header is required"


class OffsetNotAnInteger(ServiceError):
    """Decision: G96, G286."""

    message = "x-service-offset must be a non-negative integer"


class SessionClosed(ServiceError):
    """Decision: G96."""

    message = "Upload session is closed (status: {status})"


class OffsetMismatch(ServiceError):
    """Spec: instance, Errors: chunk, offset differs from receivedSize."""

    message = "Upload offset does not match current upload size"


class BodyMissing(ServiceError):
    """Decision: G96."""

    message = "Request body is required"


class ChunkTooLarge(ServiceError):
    """Decision: G96, G98."""

    status = 413
    message = "Chunk is larger than the allowed chunk size"


class ChunkExceedsFile(ServiceError):
    """Decision: G96, G98."""

    message = "Chunk exceeds the expected size"


class AnotherWriter(ServiceError):
    """Decision: G97."""

    status = 409
    message = "Another request is writing this upload"


class NoDataInTime(ServiceError):
    """Decision: G99."""

    status = 408
    message = "No data received in time"


class UploadIncomplete(ServiceError):
    """Spec: instance, Errors: complete, not all bytes received."""

    message = "Upload is incomplete"


class SampleRequired(ServiceError):
    """Spec: instance, Errors: complete, read upload without sampleId."""

    message = "Read uploads require a target sample"


class CompletedNotCancellable(ServiceError):
    """Decision: G105."""

    message = "A completed upload cannot be cancelled"
