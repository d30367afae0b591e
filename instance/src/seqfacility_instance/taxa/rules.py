"""Which taxa are suggested for what somebody types, best first."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

MAX_SUGGESTIONS: Final = 20

_WORD: Final = re.compile(r"[^\s,()]+")
_AFTER_ANY: Final = "\U0010ffff"
"""Sorts behind every word that begins with the same characters."""


class TaxonSource(StrEnum):
    """Why a taxon is suggested. Decision: G548."""

    CHECKLIST = "CHECKLIST"
    """A metagenome, which samples of an environmental checklist are."""
    COMMON = "COMMON"
    USED = "USED"


@dataclass(frozen=True, slots=True)
class Taxon:
    """A taxon as NCBI Taxonomy names it, with common and earlier names."""

    tax_id: str
    scientific_name: str
    rank: str | None
    source: TaxonSource
    other_names: tuple[str, ...] = ()


class Suggestion(NamedTuple):
    """A taxon that fits, and which of its other names begins with what was typed."""

    taxon: Taxon
    other_name: str | None


class TaxonIndex:
    """Taxa by the beginnings of the words in their names."""

    def __init__(self, taxa: Sequence[Taxon]) -> None:
        self._taxa = taxa
        self._by_id = {taxon.tax_id: taxon for taxon in taxa}
        self._words = sorted(
            {(word, place) for place, taxon in enumerate(taxa) for word in (*_words_of(taxon), taxon.tax_id)}
        )

    def find(self, tax_id: str) -> Taxon | None:
        """Return the taxon of an id."""
        return self._by_id.get(tax_id)

    def starting_with(self, beginning: str) -> list[Taxon]:
        """Return the taxa with a word, or an id, that begins so."""
        first = bisect_left(self._words, (beginning, -1))
        last = bisect_left(self._words, (beginning + _AFTER_ANY, -1))
        return [self._taxa[place] for place in sorted({place for _, place in self._words[first:last]})]


def suggestions(index: TaxonIndex, used: Iterable[Taxon], typed: str) -> list[Suggestion]:
    """Return what fits best to the words that were typed, in any order; each may be the beginning of one.

    An id or a name that is typed whole comes first, then names that begin so, then names with such words;
    among equals what was used before, then the shorter name. Nothing typed suggests what was used.

    Decision: G548.
    """
    typed = typed.strip().casefold()
    before = {taxon.tax_id: taxon for taxon in used}
    words = _WORD.findall(typed)
    offered = [*before.values()]
    if words:
        offered += [
            taxon for taxon in index.starting_with(words[0].rstrip(".")) if taxon.tax_id not in before
        ]
    ranked = [(fit, taxon) for taxon in offered if (fit := _fit(taxon, typed, words)) is not None]
    ranked.sort(
        key=lambda one: (
            one[0],
            one[1].source is not TaxonSource.USED,
            len(one[1].scientific_name),
            one[1].scientific_name,
        )
    )
    return [Suggestion(taxon, _other_name(taxon, words)) for _, taxon in ranked[:MAX_SUGGESTIONS]]


def _fit(taxon: Taxon, typed: str, words: Sequence[str]) -> int | None:
    names = [name.casefold() for name in (taxon.scientific_name, *taxon.other_names)]
    own = _WORD.findall(names[0])
    fits = (
        typed == taxon.tax_id,
        typed in names,
        names[0].startswith(typed),
        any(name.startswith(typed) for name in names),
        _begin(words, own),
        _begin(words, list(_words_of(taxon))),
        taxon.tax_id.startswith(typed),
    )
    return next((place for place, does in enumerate(fits) if does), None)


def _begin(words: Sequence[str], of_names: Sequence[str]) -> bool:
    return all(any(name.startswith(word.rstrip(".")) for name in of_names) for word in words)


def _words_of(taxon: Taxon) -> Iterator[str]:
    for name in (taxon.scientific_name, *taxon.other_names):
        yield from _WORD.findall(name.casefold())


def _other_name(taxon: Taxon, words: Sequence[str]) -> str | None:
    if _begin(words, _WORD.findall(taxon.scientific_name.casefold())):
        return None
    fitting = (name for name in taxon.other_names if _begin(words, _WORD.findall(name.casefold())))
    return next(fitting, None)
