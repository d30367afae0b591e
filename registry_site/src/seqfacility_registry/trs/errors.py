"""Refusals of the Tool Registry Service."""

from seqfacility_wire.errors import ServiceError


class ToolNotFound(ServiceError):
    """An unknown tool, version, type or file; a private pipeline as well. Decision: G934.

    The body has the two keys of the standard's error beside ours.
    """

    status = 404
    message = "Tool, version or file not found"

    def __init__(self) -> None:
        super().__init__(extra={"code": self.status, "message": self.message})
