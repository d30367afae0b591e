"""Which sample a result file belongs to: its code must stand alone in the name."""

from collections.abc import Iterable

from seqfacility_pipeline_package.enums import SamplePlace

BORDERS = frozenset("._-/")
"""What may stand beside a sample code in a file or folder name. Decision: G191."""


def stands_alone(code: str, text: str) -> bool:
    """Return whether `code` occurs in `text` with an end of the text or a border on both sides.

    Decision: G191.
    """
    at = text.find(code) if code else -1
    while at >= 0:
        end = at + len(code)
        if (at == 0 or text[at - 1] in BORDERS) and (end == len(text) or text[end] in BORDERS):
            return True
        at = text.find(code, at + 1)
    return False


def sample_of(path: str, codes: Iterable[str], place: SamplePlace = SamplePlace.NAME) -> str | None:
    """Find the sample code that a path relative to `output/` belongs to; None when there is none.

    `place` says whether the file name or the folders above it are searched. Of two codes the longer
    wins; two different codes of one length leave the file without a sample. Give all codes of the
    run, not only those still missing something: the longer code must be there to win.

    Decision: G191.
    """
    folders, _, name = path.rpartition("/")
    text = name if place is SamplePlace.NAME else folders
    found = {code for code in codes if stands_alone(code, text)}
    longest = max((len(code) for code in found), default=0)
    winners = [code for code in found if len(code) == longest]
    return winners[0] if len(winners) == 1 else None
