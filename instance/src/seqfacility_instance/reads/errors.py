"""The refusals of reads, artifacts and delivery."""

from seqfacility_wire.errors import ServiceError


class ReadNotFound(ServiceError):
    """Gap: G14."""

    status = 404
    message = "Read not found"


class ArtifactNotFound(ServiceError):
    """Gap: G14."""

    status = 404
    message = "Artifact not found"


class ReportNotFound(ServiceError):
    """Gap: G490."""

    status = 404
    message = "Report not found"


class NothingToPublish(ServiceError):
    """Gap: G84."""

    message = "There is nothing to publish"


class DataBasePathNotConfigured(ServiceError):
    """Spec: instance, Errors: download, data base path not configured. Gap: G94, G118."""

    message = "Data base path not configured"


class InvalidFilePath(ServiceError):
    """Spec: instance, Errors: download, absolute path or traversal. Gap: G118."""

    message = "Invalid file path"


class FileMissing(ServiceError):
    """Gap: G120."""

    status = 404
    message = "File not found"


class FileNotRegular(ServiceError):
    """Gap: G120."""

    message = "Not a regular file"
