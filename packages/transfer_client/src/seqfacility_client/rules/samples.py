"""Whose file it is: a sample's code or alias that stands alone in the name, and no guess."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from seqfacility_client.rules.names import Form, ReadName
from seqfacility_client.vocabulary import Mate

_SEPARATORS = str.maketrans(" .-", "___")


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample of the order: database id, code, and what the researcher calls it."""

    id: str
    code: str
    alias: str | None


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A sample's word in a name: from where to where, and whether it is written exactly so."""

    start: int
    end: int
    sample: Sample
    is_exact: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """The samples that a name may mean (one: decided), and the mate."""

    samples: tuple[Sample, ...]
    mate: Mate


def chosen(name: ReadName, samples: Sequence[Sample]) -> Choice:
    """Choose the sample and the mate of one file.

    A word beside the zone of the mate names the sample. A word that reaches into the zone is another reading
    of the same name (`soil_1` the sample, or mate 1 of `soil`): alone it wins, and the file is then no mate;
    both at once stay undecided, except in Illumina's own form, whose zone is certain.

    Decision: G320.
    """
    found = list(_occurrences(name.stem, samples))
    start, end = name.zone
    inside = [one for one in found if one.start < end and one.end > start]
    beside = _meant([one for one in found if one not in inside])
    across = _meant(inside)
    if name.form is Form.ILLUMINA:
        return Choice(beside or across, name.mate)
    if across and not beside:
        return Choice(across, Mate.R1)
    return Choice(tuple({one.id: one for one in (*beside, *across)}.values()), name.mate)


def named_sample(text: str, samples: Sequence[Sample]) -> tuple[Sample, ...]:
    """Find a sample by what a person typed: id, then code, then alias; several only for equal aliases.

    Decision: G4.
    """
    for key in ("id", "code", "alias"):
        found = tuple(sample for sample in samples if getattr(sample, key) == text)
        if found:
            return found
    return ()


def _occurrences(stem: str, samples: Iterable[Sample]) -> Iterable[Occurrence]:
    text = _loose(stem)
    for sample in samples:
        for word in {sample.code, sample.alias or ""} - {""}:
            exact = unicodedata.normalize("NFC", word)
            wanted = _loose(exact)
            start = text.find(wanted)
            while start >= 0:
                end = start + len(wanted)
                if _stands_alone(text, start, end):
                    yield Occurrence(start, end, sample, stem[start:end] == exact)
                start = text.find(wanted, start + 1)


def _stands_alone(text: str, start: int, end: int) -> bool:
    return not text[max(0, start - 1) : start].isalnum() and not text[end : end + 1].isalnum()


def _meant(found: Sequence[Occurrence]) -> tuple[Sample, ...]:
    """Let the longest word win over those inside it, and the exact spelling over an equal one."""
    longest = [one for one in found if not any(_is_inside(one, other) for other in found)]
    if len({(one.start, one.end) for one in longest}) == 1:
        longest = [one for one in longest if one.is_exact] or longest
    return tuple({one.sample.id: one.sample for one in longest}.values())


def _is_inside(one: Occurrence, other: Occurrence) -> bool:
    covers = other.start <= one.start and one.end <= other.end
    return covers and other.end - other.start > one.end - one.start


def _loose(text: str) -> str:
    """Lower a text and unify its separators without moving a position: sequencers rename `a b` to `a-b`."""
    lowered = (character.lower() if len(character.lower()) == 1 else character for character in text)
    return "".join(lowered).translate(_SEPARATORS)
