"""Structures in the Protein Data Bank: the list of current entries, JSON."""

import json
import re
from collections.abc import Sequence
from datetime import date

from seqfacility_registry_tools.research_data.sources import Get, Point, Source, UnexpectedAnswer

ADDRESS = "https://data.rcsb.org/rest/v1/holdings/current/entry_ids"
_ENTRY = re.compile(r"[0-9][0-9A-Za-z]{3}|pdb_[0-9a-z]{8}")


def fetch(get: Get, today: date) -> Sequence[Point]:
    """Count the entries that are current today."""
    return [Point("pdb_holdings_announced", today, count_entries(get(ADDRESS)))]


def count_entries(body: bytes) -> int:
    """Count the entry ids; raises `UnexpectedAnswer` when the answer is no list of them."""
    try:
        entries = json.loads(body)
    except ValueError as error:
        raise UnexpectedAnswer("not JSON") from error
    if not isinstance(entries, list) or not entries:
        raise UnexpectedAnswer("not a list of entries")
    if not all(isinstance(entry, str) and _ENTRY.fullmatch(entry) for entry in entries):
        raise UnexpectedAnswer("a list of something else than entries")
    return len(entries)


SOURCE = Source("RCSB Protein Data Bank", fetch)
