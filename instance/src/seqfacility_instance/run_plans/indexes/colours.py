"""Cycles of an index read in which an instrument with two colours sees nothing."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from seqfacility_instance.run_plans.indexes.collisions import IndexedSample
from seqfacility_instance.run_plans.sample_sheets.facts import text_value

Channels = Mapping[str, frozenset[str]]
"""The bases that light each channel. G lights none on any of these instruments."""

_RED_GREEN: Final[Channels] = {"red": frozenset("AC"), "green": frozenset("AT")}
_BLUE_GREEN: Final[Channels] = {"blue": frozenset("AC"), "green": frozenset("CT")}
_TWO_IMAGES: Final[Channels] = {"first image": frozenset("AT"), "second image": frozenset("CT")}

_INSTRUMENTS: Final = (
    (re.compile("nextseq[12]000|novaseqx|miseqi100"), _BLUE_GREEN),
    (re.compile("nextseq|miniseq|novaseq"), _RED_GREEN),
    (re.compile("(?<![mh])iseq"), _TWO_IMAGES),
)
"""Instruments by their names without spaces; MiSeq, HiSeq and all others have no dark base."""

_INDEXES: Final = ("Index", "Index2")


@dataclass(frozen=True, slots=True)
class DarkCycles:
    """Cycles of an index read of a lane that leave the same channels without a signal."""

    run_id: str
    lane: str
    index: str
    cycles: tuple[int, ...]
    channels: tuple[str, ...]
    message: str


def channels_of(instrument: str | None, parameters: Mapping[str, object]) -> Channels | None:
    """Return the two channels of an instrument by its name; None for four colours and for unknown ones."""
    names = (
        instrument or "",
        text_value(parameters, "InstrumentPlatform"),
        text_value(parameters, "InstrumentType"),
    )
    for name in names:
        plain = "".join(letter for letter in name.lower() if letter.isalnum())
        for names_of, channels in _INSTRUMENTS:
            if names_of.search(plain):
                return channels
    return None


def dark_cycles(
    samples: Sequence[IndexedSample], channels: Channels, parameters: Mapping[str, object]
) -> Iterable[DarkCycles]:
    """Return the cycles of one run in which no sample of a lane lights a channel.

    Illumina asks for a signal in both channels in every cycle, and at least for one that is not G. The
    second index counts as the instrument reads it: reverse complemented, unless the run says that it is
    written so. Decision: G677.
    """
    lanes = sorted({sample.lane for sample in samples})
    is_turned = text_value(parameters, "IndexOrientation") != "ReverseComplement"
    for lane in [lane for lane in lanes if lane] or [""]:
        placed = [sample for sample in samples if sample.lane in {lane, ""}]
        for place, index in enumerate(_INDEXES):
            found = [sample.indexes[place] for sample in placed if len(sample.indexes) > place]
            if len(found) < len(placed):
                continue
            read = [bases.reverse_complement() if place and is_turned else bases.text for bases in found]
            yield from _of_read(placed[0].run_id, lane, index, read, channels)


def _of_read(
    run_id: str, lane: str, index: str, reads: Sequence[str], channels: Channels
) -> Iterable[DarkCycles]:
    dark: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for cycle in range(max(map(len, reads), default=0)):
        bases = {read[cycle] for read in reads if cycle < len(read)}
        if "N" in bases:
            continue
        missing = tuple(name for name, lit in channels.items() if not bases & lit)
        if missing:
            dark[missing].append(cycle + 1)
    for missing, cycles in sorted(dark.items(), key=lambda one: -len(one[0])):
        listed = ", ".join(map(str, cycles))
        where = f"{'i7' if index == 'Index' else 'i5'}, {'cycle' if len(cycles) == 1 else 'cycles'} {listed}"
        said_of = (
            "only G, which gives no signal at all"
            if len(missing) == len(channels)
            else f"no base gives a signal in the {missing[0]}{'' if 'image' in missing[0] else ' channel'}"
        )
        yield DarkCycles(run_id, lane, index, tuple(cycles), missing, f"{where}: {said_of}")
