"""Terms in the MIxS standard: the released schema, LinkML YAML."""

import re
from collections.abc import Sequence
from datetime import date

from seqfacility_registry_tools.checklists.linkml import UnreadableRelease, read_release
from seqfacility_registry_tools.research_data.sources import Get, Point, Source, UnexpectedAnswer

ADDRESS = "https://raw.githubusercontent.com/GenomicsStandardsConsortium/mixs/main/src/mixs/schema/mixs.yaml"
_TERM = re.compile(r"MIXS:[0-9]+")


def fetch(get: Get, today: date) -> Sequence[Point]:
    """Count the terms that the newest schema has today."""
    return [Point("mixs_terms", today, count_terms(get(ADDRESS)))]


def count_terms(body: bytes) -> int:
    """Count the slots that carry a term number; slots that hold whole data sets carry a name."""
    try:
        release = read_release(body.decode("utf-8"))
    except (UnreadableRelease, UnicodeDecodeError) as error:
        raise UnexpectedAnswer(str(error)) from error
    terms = sum(1 for term in release.terms.values() if _TERM.fullmatch(term.identifier))
    if not terms:
        raise UnexpectedAnswer("no slot has a term number")
    return terms


SOURCE = Source("MIxS schema", fetch)
