"""Refusals that several slices share."""

from seqfacility_wire.errors import ServiceError


class DiskFull(ServiceError):
    """The disk of the database is full, so nothing was changed. Gap: G330."""

    status = 507
    message = "Not enough free disk space"


class StaleRecord(ServiceError):
    """A save that names what its caller saw, and somebody else has saved since. Gap: G20."""

    status = 409
    message = "This record was changed by somebody else"
