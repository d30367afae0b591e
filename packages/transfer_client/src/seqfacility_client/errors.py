"""How a transfer fails: for good, for now, or because the person stopped it."""


class TransferRefused(Exception):
    """Trying again would change nothing; the text is one line for a person. Decision: G259."""


class Interrupted(Exception):
    """Trying again may help: a broken connection, a busy facility. `pause` is its wish in seconds."""

    def __init__(self, reason: str, pause: float = 0.0) -> None:
        super().__init__(reason)
        self.pause = pause


class OffsetMoved(Exception):
    """The facility has another number of bytes than we thought. Spec: instance, Errors: chunk, offset."""

    def __init__(self, received: int) -> None:
        super().__init__(f"the facility has {received} bytes")
        self.received = received


class SessionGone(Exception):
    """The upload session is unknown or closed; a new one can be opened. Decision: G96, G106."""


class BytesDiffer(Exception):
    """What arrived has another MD5 than what was sent. Decision: G639."""


class Stopped(Exception):
    """The person ended the command. Decision: G259."""
