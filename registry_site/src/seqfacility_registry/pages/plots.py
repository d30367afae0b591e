"""Line plots of metrics over time, on a linear or logarithmic scale."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, TypeAlias

WIDTH: Final = 320
HEIGHT: Final = 120
_MARGIN: Final = 8
_LOG_FROM: Final = 50
"""A series that grows by more than this factor gets a logarithmic scale; a linear one would look flat."""

Point: TypeAlias = tuple[str, float]


@dataclass(frozen=True, slots=True)
class Plot:
    """`points` is the attribute of an SVG polyline; `last` are the coordinates of its end."""

    points: str
    last: tuple[str, str]
    is_logarithmic: bool


def plot_of(series: Sequence[Point]) -> Plot:
    """Scale a series of dates and values, oldest first, to a drawing of `WIDTH` by `HEIGHT`."""
    days = [date.fromisoformat(day).toordinal() for day, _value in series]
    values = [float(value) for _day, value in series]
    is_logarithmic = min(values) > 0 and max(values) / min(values) > _LOG_FROM
    heights = [math.log10(value) for value in values] if is_logarithmic else values
    bottom, top = min(heights) if is_logarithmic else min(0.0, *heights), max(heights)
    places = [
        (
            _scaled(day, days[0], days[-1], _MARGIN, WIDTH - _MARGIN),
            _scaled(height, bottom, top, HEIGHT - _MARGIN, _MARGIN),
        )
        for day, height in zip(days, heights, strict=True)
    ]
    return Plot(" ".join(f"{x},{y}" for x, y in places), places[-1], is_logarithmic)


def _scaled(value: float, low: float, high: float, first: float, last: float) -> str:
    share = 0.5 if high == low else (value - low) / (high - low)
    return f"{first + share * (last - first):.1f}"
