"""How a client follows the events of a stream run."""

import re
from collections.abc import Sequence
from typing import Final

_SEQ: Final = re.compile(r"[0-9]{1,18}")


def read_seq(text: str | None) -> int | None:
    """Read a cursor; what is no number counts as absent. Decision: G212."""
    return int(text) if text is not None and _SEQ.fullmatch(text) else None


def cursor_after(seqs: Sequence[int], after: int | None) -> int:
    """Choose the cursor that a page hands out: its highest `seq`, else the one that was sent, else 0.

    Decision: G212.
    """
    return max(seqs, default=after or 0)


def server_sent_event(seq: int, kind: str, data: str) -> bytes:
    """Write one event of the live feed; its id is what `Last-Event-ID` brings back. `data` is one line."""
    return f"id: {seq}\nevent: {kind}\ndata: {data}\n\n".encode()
