"""The refusals of reads, artifacts and delivery. Decision: G14, G84, G120, G490, G750."""

from seqfacility_wire.errors import ServiceError


class ReadNotFound(ServiceError):
    status = 404
    message = "Read not found"


class ArtifactNotFound(ServiceError):
    status = 404
    message = "Artifact not found"


class ReportNotFound(ServiceError):
    status = 404
    message = "Report not found"


class NothingToPublish(ServiceError):
    message = "There is nothing to publish"


class DataBasePathNotConfigured(ServiceError):
    """Spec: instance, Errors: download, data base path not configured. Decision: G94, G118."""

    message = "Data base path not configured"


class InvalidFilePath(ServiceError):
    """Spec: instance, Errors: download, absolute path or traversal. Decision: G118."""

    message = "Invalid file path"


class FileMissing(ServiceError):
    status = 404
    message = "File not found"


class FolderMissing(ServiceError):
    status = 404
    message = "Folder not found"


class FileNotRegular(ServiceError):
    message = "Not a regular file"
