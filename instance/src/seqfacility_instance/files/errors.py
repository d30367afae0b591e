"""The refusals of file operations. Decision: G120, G123, G125, G273."""

from seqfacility_wire.errors import ServiceError


class PathRequired(ServiceError):
    message = "path is required"


class TypeNotDownloadable(ServiceError):
    message = "File type not allowed for download"


class AssemblyDownloadsDisabled(ServiceError):
    """Spec: instance, Errors: download, researcher, assembly downloads disabled. Decision: G122."""

    status = 403
    message = "Assembly downloads are disabled by the facility administrator."


class AccessDenied(ServiceError):
    """Spec: instance, Errors: download, any other authorization failure."""

    status = 403
    message = "Access denied"


class DeliveryChanged(ServiceError):
    """A part of an archive that is another one by now. Decision: G433."""

    status = 409
    message = (
        "The delivery has changed since this archive was begun. Look at the delivery again, and fetch it anew"
    )


class RangeNotSatisfiable(ServiceError):
    """No byte of the range is in the file; `Content-Range` tells its size. Decision: G121."""

    status = 416
    message = "Range not satisfiable"

    def __init__(self, size: int) -> None:
        super().__init__(headers={"Content-Range": f"bytes */{size}", "Accept-Ranges": "bytes"})


class TypeNotPreviewable(ServiceError):
    message = "File type not allowed for preview"


class PreviewTooLarge(ServiceError):
    status = 413
    message = "File too large to preview"


class ChecksumsForAdmins(ServiceError):
    """Spec: instance, Errors: checksum, non-admin."""

    status = 403
    message = "Only facility admins can calculate checksums"


class PathsRequired(ServiceError):
    message = "filePaths array is required"


class TooManyFiles(ServiceError):
    """Spec: instance, Errors: checksum, more than 50 paths. Decision: G126."""

    message = "Maximum 50 files at a time"


class DeletionUnauthorized(ServiceError):
    """A caller of delete who is no admin: 401, not 403. Spec: instance, File operations. Decision: G126."""

    status = 401
    message = "Unauthorized"


class FileInUse(ServiceError):
    message = "File is in use by a running pipeline run"


class FileNotRemovable(ServiceError):
    """The operating system refuses, for example on a read-only disk; one entry of many. Decision: G126."""

    message = "File could not be deleted"
