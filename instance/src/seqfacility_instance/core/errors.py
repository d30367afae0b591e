"""Refusals that several slices share."""

from seqfacility_wire.errors import ServiceError


class DiskFull(ServiceError):
    """The disk of the database is full, so nothing was changed. Decision: G330."""

    status = 507
    message = "Not enough free disk space"


class DatabaseBusy(ServiceError):
    """Others kept the database for longer than a request waits. Decision: G11, G368."""

    status = 503
    message = "The database is busy, try again"

    def __init__(self) -> None:
        super().__init__(headers={"Retry-After": "1"})


class DatabaseUnreachable(ServiceError):
    """The database does not answer. Decision: G11, G368."""

    status = 503
    message = "The database is not reachable"

    def __init__(self) -> None:
        super().__init__(headers={"Retry-After": "5"})


class StaleRecord(ServiceError):
    """A save that names what its caller saw, and somebody else has saved since. Decision: G20."""

    status = 409
    message = "This record was changed by somebody else"
