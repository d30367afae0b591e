"""Pictures of the reads of one file, drawn as SVG: qualities along the read, and lengths.

Both pictures of a file share one axis of positions, so that they can be read one beside the other.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from report_page import count

WIDTH, HEIGHT = 520, 230
LEFT, RIGHT, TOP, FOOT = 66, 108, 14, 46
BARS = 50
"""About so many bars are drawn; the width of a bar is a round number of bases."""

REACHED_BY = 0.99
"""The axis ends where this share of the reads has ended, because single giants would squeeze all others."""


@dataclass(frozen=True)
class Lengths:
    """Reads by length: bar `at` counts reads of `at * width + 1` to `(at + 1) * width` bases.

    With `cut` the last bar also holds every longer read.
    """

    width: int
    counts: tuple[int, ...]
    cut: bool

    @property
    def end(self) -> int:
        """Give the last position on the axis."""
        return self.width * len(self.counts)


def binned(lengths: Mapping[int, int]) -> Lengths:
    """Sort reads, given as number by length, into bars."""
    total, longest, seen, reached = sum(lengths.values()), max(lengths), 0, 0
    for length in sorted(lengths):
        seen += lengths[length]
        reached = length
        if seen >= REACHED_BY * total:
            break
    end = longest if longest <= 1.5 * reached else reached
    width = _round_up(max(end, 1) / BARS)
    bars = [0] * max(-(-end // width), 1)
    for length, number in lengths.items():
        bars[min(max(length - 1, 0) // width, len(bars) - 1)] += number
    return Lengths(width, tuple(bars), longest > width * len(bars))


def quality_chart(name: str, positions: Sequence[str], qualities: Sequence[float], low: int, end: int) -> str:
    """Draw the mean quality at each position; below `low` the ground is tinted.

    `positions` are words such as `12` or `101-105`; a range stands for its middle.
    """
    top = max(40, _next_ten(max(qualities, default=0)))
    middles = [sum(map(int, words.split("-"))) / len(words.split("-")) for words in positions]
    seen = [
        (place, value) for place, value in zip(middles, qualities, strict=False) if place <= end or place < 2
    ]
    points = " ".join(f"{_across(place, end):.1f},{_down(value, top):.1f}" for place, value in seen)
    ceiling, floor = _down(low, top), _down(0, top)
    ground = (
        f'<rect x="{LEFT}" y="{ceiling:.1f}" width="{WIDTH - LEFT - RIGHT}" '
        f'height="{floor - ceiling:.1f}" fill="var(--low)"/>'
        f'<text x="{LEFT + 8}" y="{floor - 7}">below {low}: worth a look</text>'
    )
    line = f'<polyline points="{points}" fill="none" stroke="var(--mark)" stroke-width="2.5"/>'
    if len(seen) == 1:
        line = f'<circle cx="{points.split(",")[0]}" cy="{points.split(",")[1]}" r="4" fill="var(--mark)"/>'
    marks = [(value, str(value)) for value in range(0, top + 1, 10)]
    drawn = [
        ground,
        _error_rates(top),
        _frame(marks, top, end, "quality (Phred)", "position in the read (bases)"),
        line,
    ]
    return _figure(f"{name}: quality along the read", drawn)


def length_chart(name: str, lengths: Lengths, n50: int | None) -> str:
    """Draw how many reads are how long; `n50` is marked for long reads."""
    top = max(lengths.counts)
    step = _round_up(top / 4)
    tall = step * -(-top // step)
    bars = "".join(_bar(lengths, at, number, tall) for at, number in enumerate(lengths.counts) if number)
    marks = [(value, count(value)) for value in range(0, tall + 1, step)]
    drawn = [_frame(marks, tall, lengths.end, "number of reads", "length of the read (bases)"), bars]
    if n50 is not None:
        drawn.append(_n50_mark(n50, lengths.end))
    more = f" (the last bar: all of more than {count(lengths.end - lengths.width)} bases)"
    return _figure(f"{name}: lengths of the reads{more if lengths.cut else ''}", drawn)


def _error_rates(top: int) -> str:
    """Say beside the picture how many bases are wrong at which quality."""
    edge, middle = WIDTH - RIGHT + 6, (TOP + HEIGHT - FOOT) / 2
    words = [(_down(value, top) + 4.5, f"1 in {count(10 ** (value // 10))}") for value in (10, 20, 30, 40)]
    shown = "".join(f'<text x="{edge}" y="{place:.1f}">{word}</text>' for place, word in words)
    turned = f'transform="translate({WIDTH - 12} {middle}) rotate(90)"'
    return f'{shown}<text {turned} text-anchor="middle">wrong bases</text>'


def _bar(lengths: Lengths, at: int, number: int, tall: int) -> str:
    left, right = _across(at * lengths.width, lengths.end), _across((at + 1) * lengths.width, lengths.end)
    last = lengths.cut and at == len(lengths.counts) - 1
    span = (
        f"more than {count(at * lengths.width)}"
        if last
        else f"{count(at * lengths.width + 1)} to {count((at + 1) * lengths.width)}"
    )
    high = _down(number, tall)
    return (
        f'<rect x="{left + 0.5:.1f}" y="{high:.1f}" width="{max(right - left - 1, 1):.1f}" '
        f'height="{_down(0, tall) - high:.1f}" fill="var(--{"tail" if last else "mark"})">'
        f"<title>{span} bases: {count(number)} reads</title></rect>"
    )


def _n50_mark(n50: int, end: int) -> str:
    place = min(_across(n50, end), WIDTH - RIGHT)
    late = place > (LEFT + WIDTH - RIGHT) / 2
    return (
        f'<path d="M{place:.1f} {TOP}V{HEIGHT - FOOT}" stroke="currentColor" stroke-width="1.5" '
        f'stroke-dasharray="5 4"/><text x="{place + (-6 if late else 6):.1f}" y="{TOP + 11}" '
        f'text-anchor="{"end" if late else "start"}">N50: {count(n50)}</text>'
    )


def _frame(marks: Iterable[tuple[float, str]], top: float, end: int, upward: str, along: str) -> str:
    base = HEIGHT - FOOT
    lines = "".join(
        f'<path d="M{LEFT} {_down(value, top):.1f}H{WIDTH - RIGHT}" stroke="var(--line)"/>'
        f'<text x="{LEFT - 6}" y="{_down(value, top) + 4.5:.1f}" text-anchor="end">{word}</text>'
        for value, word in marks
    )
    step = _round_up(end / 5)
    ticks = "".join(
        f'<path d="M{_across(place, end):.1f} {base}v5" stroke="currentColor"/>'
        f'<text x="{_across(place, end):.1f}" y="{base + 19}" text-anchor="middle">{count(place)}</text>'
        for place in range(0, end + 1, step)
        if WIDTH - _across(place, end) >= RIGHT
    )
    middle = (TOP + base) / 2
    return (
        f'{lines}{ticks}<path d="M{LEFT} {TOP}V{base}H{WIDTH - RIGHT}" fill="none" stroke="currentColor"/>'
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 6}" text-anchor="middle">{along}</text>'
        f'<text transform="translate(14 {middle}) rotate(-90)" text-anchor="middle">{upward}</text>'
    )


def _figure(caption: str, drawn: Iterable[str]) -> str:
    words = escape(caption)
    return (
        f'<figure><figcaption>{words}</figcaption><svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{words}">{"".join(drawn)}</svg></figure>'
    )


def _across(position: float, end: int) -> float:
    return LEFT + position / end * (WIDTH - LEFT - RIGHT)


def _down(value: float, top: float) -> float:
    return TOP + (1 - min(value, top) / top) * (HEIGHT - TOP - FOOT)


def _next_ten(value: float) -> int:
    return -(-int(value + 0.999) // 10) * 10


def _round_up(value: float) -> int:
    """Give the next of 1, 2, 5, 10, 20, 50 and so on."""
    size = 1
    while True:
        for factor in (1, 2, 5):
            if factor * size >= value:
                return factor * size
        size *= 10
