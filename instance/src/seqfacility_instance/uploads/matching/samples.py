"""Whose file it is: a sample's code or alias that stands alone in the name, and no guess."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from seqfacility_instance.core.vocabulary.sequencing import Mate
from seqfacility_instance.uploads.matching.names import Form, ReadName

_REFERENCES = ("id", "code", "alias")
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


class SampleWords:
    """The codes and aliases of an order's samples, found in names without looking at each sample.

    A name is cut where a word may begin and end, so the time that it takes does not grow with the samples.

    Decision: G635.
    """

    def __init__(self, samples: Iterable[Sample]) -> None:
        self._by_word = defaultdict[str, list[tuple[Sample, str]]](list)
        self._by_reference = defaultdict[tuple[str, str], list[Sample]](list)
        for sample in samples:
            for key in _REFERENCES:
                self._by_reference[key, getattr(sample, key) or ""].append(sample)
            for word in {sample.code, sample.alias or ""} - {""}:
                exact = unicodedata.normalize("NFC", word)
                self._by_word[_loose(exact)].append((sample, exact))
        self._lengths = sorted({len(word) for word in self._by_word})

    def chosen(self, name: ReadName) -> Choice:
        """Choose the sample and the mate of one file.

        A word beside the zone of the mate names the sample. A word that reaches into the zone is another
        reading of the same name (`soil_1` the sample, or mate 1 of `soil`): alone it wins, and the file is
        then no mate; both at once stay undecided, except in Illumina's own form, whose zone is certain.

        Decision: G320.
        """
        found = list(self._occurrences(name.stem))
        start, end = name.zone
        inside = [one for one in found if one.start < end and one.end > start]
        beside = _meant([one for one in found if one not in inside])
        across = _meant(inside)
        if name.form is Form.ILLUMINA:
            return Choice(beside or across, name.mate)
        if across and not beside:
            return Choice(across, Mate.R1)
        return Choice(tuple({one.id: one for one in (*beside, *across)}.values()), name.mate)

    def named(self, text: str) -> tuple[Sample, ...]:
        """Find a sample by what a person typed: id, then code, then alias; several only for equal aliases.

        Decision: G4.
        """
        found = (self._by_reference.get((key, text)) for key in _REFERENCES)
        return tuple(next(filter(None, found), ())) if text else ()

    def _occurrences(self, stem: str) -> Iterator[Occurrence]:
        text = _loose(stem)
        starts = [at for at in range(len(text)) if not text[max(0, at - 1) : at].isalnum()]
        ends = {at for at in range(1, len(text) + 1) if not text[at : at + 1].isalnum()}
        for start in starts:
            for length in self._lengths:
                end = start + length
                if end > len(text):
                    break
                if end in ends:
                    for sample, exact in self._by_word.get(text[start:end], ()):
                        yield Occurrence(start, end, sample, stem[start:end] == exact)


def _meant(found: Sequence[Occurrence]) -> tuple[Sample, ...]:
    """Let the longest word win over those inside it, and the exact spelling over an equal one."""
    spans = {(one.start, one.end) for one in found}
    longest = {span for span in spans if not any(_is_inside(span, other) for other in spans)}
    meant = [one for one in found if (one.start, one.end) in longest]
    if len(longest) == 1:
        meant = [one for one in meant if one.is_exact] or meant
    return tuple({one.sample.id: one.sample for one in meant}.values())


def _is_inside(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return other != one and other[0] <= one[0] and one[1] <= other[1]


def _loose(text: str) -> str:
    """Lower a text and unify its separators without moving a position: sequencers rename `a b` to `a-b`."""
    lowered = (character.lower() if len(character.lower()) == 1 else character for character in text)
    return "".join(lowered).translate(_SEPARATORS)
