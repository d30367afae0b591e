"""The plan of an upload as a table, for a second pair of eyes before anything is sent."""

from collections.abc import Sequence

from seqfacility_wire.plurals import counted

from seqfacility_client.rules.plan import Placed, Unsent

_HEADER = ("file", "sample", "mate", "size", "state")
_STEP = 1024


def plan_table(
    placed: Sequence[tuple[Placed, str]], failed: Sequence[Unsent], left_out: Sequence[Unsent]
) -> list[str]:
    """Return the lines of the table: what becomes of each file, and the sum. Decision: G426.

    `placed` is what is sent, with what becomes of it in words.
    """
    rows = [_HEADER]
    rows += [(one.shown, _sample(one), one.role, shown_size(one.size), state) for one, state in placed]
    rows += [(str(one.path), "-", "-", "-", f"not sent: {one.reason}") for one in failed]
    rows += [(str(one.path), "-", "-", "-", f"left out: {one.reason}") for one in left_out]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADER))]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    total = sum(one.size for one, _ in placed)
    return [
        *lines,
        f"{counted(len(placed) + len(failed), 'file')}, {shown_size(total)}; nothing was sent",
    ]


def foreseen(placed: Placed, *, may_supersede: bool) -> str:
    """Say what would become of a file, without hashing. Decision: G426."""
    if placed.filed is not None:
        return "already there"
    session = placed.continues
    state = f"resumed at {session.received} bytes" if session and session.received else "sent"
    if placed.same_name:
        state = "compared with the file of this name and size there, sent if it differs"
    if session and session.is_receiving:
        state += ", unless somebody who sends it now goes on"
    if placed.supersedes is not None:
        is_refused = placed.supersedes.is_delivered and not may_supersede
        state += f"; {'refused, ' if is_refused else ''}supersedes {placed.supersedes.text}"
    return state


def shown_size(size: int) -> str:
    """Write a number of bytes with three digits or four."""
    value, unit = float(size), 0
    while value >= _STEP and unit < len(_UNITS) - 1:
        value, unit = value / _STEP, unit + 1
    return f"{value:.1f} {_UNITS[unit]}" if unit else f"{size} B"


def _sample(placed: Placed) -> str:
    if placed.sample is None:
        return "-"
    return f"{placed.sample.alias} ({placed.sample.code})" if placed.sample.alias else placed.sample.code


_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")
