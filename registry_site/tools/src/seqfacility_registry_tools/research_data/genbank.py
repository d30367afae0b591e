"""Size of GenBank: the head of the release notes, plain text."""

import re
from collections.abc import Sequence
from datetime import date, datetime

from seqfacility_registry_tools.research_data.sources import (
    Get,
    Point,
    Source,
    UnexpectedAnswer,
    whole_number,
)

ADDRESS = "https://ftp.ncbi.nlm.nih.gov/genbank/gbrel.txt"
_DAY = re.compile(r"^\s+([A-Z][a-z]+ [0-9]{1,2}),? ([0-9]{4})\s*$", re.MULTILINE)
_TOTALS = re.compile(r"([0-9,]+)\s+sequences,\s+([0-9,]+)\s+bases,\s+for\s+traditional\s+GenBank\s+records")


def fetch(get: Get, today: date) -> Sequence[Point]:  # noqa: ARG001  # the notes carry their own date
    """Take records and bases of the traditional divisions of the newest release."""
    return read_notes(get(ADDRESS).decode("ascii", "replace"))


def read_notes(text: str) -> list[Point]:
    """Read the release date and the totals; raises `UnexpectedAnswer` when one is not there."""
    day, totals = _DAY.search(text), _TOTALS.search(text)
    if day is None or totals is None:
        raise UnexpectedAnswer("the head of the release notes has another form")
    try:
        released = datetime.strptime(f"{day[1]} {day[2]}", "%B %d %Y").date()  # noqa: DTZ007  # a day
    except ValueError as error:
        raise UnexpectedAnswer(f"unreadable date: {error}") from error
    return [
        Point("genbank_sequences", released, whole_number(totals[1])),
        Point("genbank_bases", released, whole_number(totals[2])),
    ]


SOURCE = Source("NCBI GenBank release notes", fetch)
