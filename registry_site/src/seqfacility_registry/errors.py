"""Refusals of the whole registry."""

from seqfacility_wire.errors import ServiceError


class ServiceBusy(ServiceError):
    """All connections, or all turns of answers that wait, are taken. Decision: G401."""

    status = 503
    message = "Service is busy"

    def __init__(self) -> None:
        super().__init__(headers={"Retry-After": "1"})
