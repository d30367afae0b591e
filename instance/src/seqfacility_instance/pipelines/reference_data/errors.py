"""Refusals around reference databases."""

from seqfacility_wire.errors import ServiceError


class DatabaseNotFound(ServiceError):
    """No installed package declares it. Decision: G335."""

    status = 404
    message = "Reference database not found"


class DatabaseInUse(ServiceError):
    """A pipeline that declares it has runs that are not final. Decision: G335."""

    status = 409
    message = "Reference database is used by active runs"


class DatabaseBusy(ServiceError):
    """Another process is fetching it. Decision: G335."""

    status = 409
    message = "Reference database is being fetched"


class DatabaseNotReady(ServiceError):
    """A run needs a database that is not there yet; the run stays pending. Decision: G332."""

    status = 409
    message = "Reference database {label} is not ready"


class DatabaseFolderNotUsable(ServiceError):
    """The folder of reference databases cannot be made or written. Decision: G335."""

    message = "Database directory is not usable"
