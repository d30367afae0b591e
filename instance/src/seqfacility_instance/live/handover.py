"""How a connection leaves the thread that answered its request: idle readers take no thread from others.

ADR 0014.
"""

import socket
from collections.abc import Callable
from dataclasses import dataclass

from falcon import Request


class HandedOver(BaseException):  # nothing went wrong
    """Ends the iteration of an answer that goes on: whoever raises it has to `take` the connection.

    `end` ends all answers that were taken so, since the process ends.

    WHY: no `Exception`, which gunicorn takes for the end of an answer.
    """

    def __init__(self, take: Callable[[socket.socket], None], end: Callable[[], None]) -> None:
        super().__init__()
        self.take, self.end = take, end


@dataclass(frozen=True, slots=True)
class Way:
    """How the answer to a request is sent: whether its server takes `HandedOver` (ours does, a test's does
    not), and whether an answer of unknown length goes in chunks.
    """

    hands_over: bool
    is_chunked: bool

    @classmethod
    def of(cls, req: Request) -> "Way":
        """Return the way of a request's answer."""
        return cls(
            bool(getattr(req.env["wsgi.input"], "hands_over", False)),
            req.env.get("SERVER_PROTOCOL") == "HTTP/1.1",
        )
