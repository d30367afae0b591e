"""Refusals of the Tool Registry Service."""

from seqfacility_wire.errors import ServiceError


class TrsError(ServiceError):
    """The body is that of the standard, and not ours: clients refuse a key that they do not know."""

    def body(self) -> dict[str, object]:
        return {"code": self.status, "message": self.text}


class ToolNotFound(TrsError):
    """An unknown tool, version, type or file; a private pipeline as well. Decision: G934."""

    status = 404
    message = "Tool, version or file not found"


class InvalidPage(TrsError):
    """A limit or an offset that is no number. Decision: G938."""

    message = "limit and offset must be whole numbers"
