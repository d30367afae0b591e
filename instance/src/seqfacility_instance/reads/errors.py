"""The refusals of reads, artifacts and delivery."""

from seqfacility_wire.errors import ServiceError


class ReadNotFound(ServiceError):
    """Decision: G14."""

    status = 404
    message = "Read not found"


class ArtifactNotFound(ServiceError):
    """Decision: G14."""

    status = 404
    message = "Artifact not found"


class ReportNotFound(ServiceError):
    """Decision: G490."""

    status = 404
    message = "Report not found"


class NothingToPublish(ServiceError):
    """Decision: G84."""

    message = "There is nothing to publish"


class DataBasePathNotConfigured(ServiceError):
    """Spec: instance, Errors: download, data base path not configured. Decision: G94, G118."""

    message = "Data base path not configured"


class InvalidFilePath(ServiceError):
    """Spec: instance, Errors: download, absolute path or traversal. Decision: G118."""

    message = "Invalid file path"


class FileMissing(ServiceError):
    """Decision: G120."""

    status = 404
    message = "File not found"


class FileNotRegular(ServiceError):
    """Decision: G120."""

    message = "Not a regular file"
