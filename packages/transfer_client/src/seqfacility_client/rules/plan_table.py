"""The plan of an upload as a table, for a second pair of eyes before anything is sent."""

from collections.abc import Sequence

from seqfacility_client.rules.plan import LeftOut, Placed

_HEADER = ("file", "sample", "mate", "size", "state")
_STEP = 1024


def plan_table(foreseen: Sequence[tuple[Placed, int, str]], left_out: Sequence[LeftOut]) -> list[str]:
    """Return the lines of the table: what becomes of each file, in order, and their sum. Decision: G426.

    `foreseen` is the plan with the size of each file in bytes and its state in words.
    """
    rows = [_HEADER]
    for placed, size, state in foreseen:
        rows.append((placed.shown, _sample(placed), placed.role, shown_size(size), state))
    rows += [(str(one.path), "-", "-", "-", f"left out: {one.reason}") for one in left_out]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADER))]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    total = sum(size for _, size, _ in foreseen)
    return [*lines, f"{len(foreseen)} files, {shown_size(total)}; nothing was sent"]


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
