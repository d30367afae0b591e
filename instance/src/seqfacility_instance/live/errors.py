"""Refusals of the live feed."""

from seqfacility_wire.errors import ServiceError


class TooManyReaders(ServiceError):
    """A person, or a web process, has as many readers as it may. Decision: G559."""

    status = 429
    message = "Too many live connections"

    def __init__(self) -> None:
        super().__init__(headers={"Retry-After": "30"})
