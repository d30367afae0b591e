"""The events of the live feed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqfacility_wire.timestamps import format_time

from seqfacility_instance.core.json_text import compact_json

if TYPE_CHECKING:
    from collections.abc import Collection

    from seqfacility_schemas import answers

    from seqfacility_instance.live.rules import Cursor


def retry(milliseconds: int) -> bytes:
    """Say after what time a browser that was cut off comes back."""
    return f"retry: {milliseconds}\n\n".encode()


def changed(topics: Collection[str] | None, cursor: Cursor) -> bytes:
    """Tell what to read again; None is everything.

    The last event alone has the id: whoever is cut off between two of them is told all again.
    """
    if topics is None:
        return reset(cursor)
    hints: list[answers.LiveChangedAnswer] = [{"topic": topic} for topic in sorted(topics)]
    texts = [f"event: changed\ndata: {compact_json(hint)}\n\n" for hint in hints]
    return ("".join(texts[:-1]) + f"id: {cursor}\n{texts[-1]}").encode()


def reset(cursor: Cursor) -> bytes:
    """Tell that anything may have changed."""
    return f"id: {cursor}\nevent: reset\ndata: {{}}\n\n".encode()


def alive(cursor: Cursor) -> bytes:
    """Tell that nothing else has changed until now, and the time that the server has."""
    beat: answers.LiveAliveAnswer = {"at": format_time(cursor.at)}
    return f"id: {cursor}\nevent: alive\ndata: {compact_json(beat)}\n\n".encode()
