"""Sample checklists of the European Nucleotide Archive: the folder list of a weekly mirror, JSON."""

import json
import re
from collections.abc import Sequence
from datetime import date

from seqfacility_registry_tools.research_data.sources import Get, Point, Source, UnexpectedAnswer

ADDRESS = "https://api.github.com/repos/ELIXIR-Belgium/ENA-metadata-templates/contents/templates"
_CHECKLIST = re.compile(r"ERC[0-9]{6}")


def fetch(get: Get, today: date) -> Sequence[Point]:
    """Count the checklists that the mirror holds today."""
    return [Point("ena_sample_checklists", today, count_checklists(get(ADDRESS)))]


def count_checklists(body: bytes) -> int:
    """Count the folders named as a checklist; raises `UnexpectedAnswer` when there is none."""
    try:
        names = [entry["name"] for entry in json.loads(body)]
    except (ValueError, KeyError, TypeError) as error:
        raise UnexpectedAnswer("not a folder list") from error
    count = sum(1 for name in names if _CHECKLIST.fullmatch(str(name)))
    if not count:
        raise UnexpectedAnswer("no checklist in the list")
    return count


SOURCE = Source("ENA sample checklists", fetch)
