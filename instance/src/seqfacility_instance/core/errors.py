"""Refusals that several slices share."""

from seqfacility_wire.errors import ServiceError


class DiskFull(ServiceError):
    """The disk of the database is full, so nothing was changed. Gap: G330."""

    status = 507
    message = "Not enough free disk space"


class DatabaseBusy(ServiceError):
    """Others kept the database for longer than a request waits. Gap: G11, G368."""

    status = 503
    message = "The database is busy, try again"

    def __init__(self) -> None:
        super().__init__(headers={"Retry-After": "1"})


class DatabaseUnreachable(ServiceError):
    """The database does not answer. Gap: G11, G368."""

    status = 503
    message = "The database is not reachable"

    def __init__(self) -> None:
        super().__init__(headers={"Retry-After": "5"})


class StaleRecord(ServiceError):
    """A save that names what its caller saw, and somebody else has saved since. Gap: G20."""

    status = 409
    message = "This record was changed by somebody else"
