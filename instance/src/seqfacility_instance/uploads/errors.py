"""The refusals of upload sessions, one class per row of the Errors chapter and of the decisions.

Decision: G14, G94, G95, G96, G97, G98, G99, G105, G270, G286, G637, G639.
"""

from seqfacility_wire.errors import ServiceError


class UploadNotFound(ServiceError):
    status = 404
    message = "Upload not found"


class RequiredKeysMissing(ServiceError):
    """Spec: instance, Errors: initiate, a required field missing."""

    message = "targetKind, targetRole, originalName, and expectedSize are required"


class UnknownKind(ServiceError):
    message = "targetKind must be one of: read, artifact"


class UnknownRole(ServiceError):
    message = "targetRole must be one of: {roles}"


class SizeNotPositive(ServiceError):
    message = "expectedSize must be a positive integer"


class NotAFileName(ServiceError):
    message = "originalName is not a valid file name"


class ExtensionNotAllowed(ServiceError):
    """Spec: instance, Errors: initiate, read file extension not allowed."""

    message = "Read uploads must use an allowed sequencing file extension"


class SampleNotInOrder(ServiceError):
    message = "Sample not found in this order"


class FileTooLarge(ServiceError):
    status = 413
    message = "File is larger than the allowed upload size"


class NotEnoughSpace(ServiceError):
    status = 507
    message = "Not enough free disk space"


class UploadIsThere(ServiceError):
    status = 409
    message = "An upload of this file is there already"


class OffsetMissing(ServiceError):
    message = "x-service-offset header is required"


class OffsetNotAnInteger(ServiceError):
    message = "x-service-offset must be a non-negative integer"


class SessionClosed(ServiceError):
    message = "Upload session is closed (status: {status})"


class OffsetMismatch(ServiceError):
    """Spec: instance, Errors: chunk, offset differs from receivedSize."""

    message = "Upload offset does not match current upload size"


class BodyMissing(ServiceError):
    message = "Request body is required"


class ChunkTooLarge(ServiceError):
    status = 413
    message = "Chunk is larger than the allowed chunk size"


class ChunkExceedsFile(ServiceError):
    message = "Chunk exceeds the expected size"


class AnotherWriter(ServiceError):
    status = 409
    message = "Another request is writing this upload"


class NoDataInTime(ServiceError):
    status = 408
    message = "No data received in time"


class UploadIncomplete(ServiceError):
    """Spec: instance, Errors: complete, not all bytes received."""

    message = "Upload is incomplete"


class SampleRequired(ServiceError):
    """Spec: instance, Errors: complete, read upload without sampleId."""

    message = "Read uploads require a target sample"


class ChecksumDiffers(ServiceError):
    status = 409
    message = "The checksum does not match the bytes that arrived"


class CompletedNotCancellable(ServiceError):
    message = "A completed upload cannot be cancelled"
