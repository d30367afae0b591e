"""Refusals of the Tool Registry Service."""

from seqfacility_wire.errors import ServiceError


class ToolNotFound(ServiceError):
    """An unknown tool, version, type or file; a private pipeline as well. Decision: G934.

    The body is that of the standard, and not ours: clients refuse a key that they do not know.
    """

    status = 404
    message = "Tool, version or file not found"

    def body(self) -> dict[str, object]:
        return {"code": self.status, "message": self.text}
