"""Size of ChEMBL: the status of its web service, JSON."""

import json
from collections.abc import Sequence
from datetime import date

from seqfacility_registry_tools.research_data.sources import Get, Point, Source, UnexpectedAnswer

ADDRESS = "https://www.ebi.ac.uk/chembl/api/data/status.json"
# The service itself spells the first key so.
_KEYS = {
    "disinct_compounds": "chembl_compounds",
    "activities": "chembl_activities",
    "targets": "chembl_targets",
    "publications": "chembl_documents",
}


def fetch(get: Get, today: date) -> Sequence[Point]:  # noqa: ARG001  # the status carries its own date
    """Take the counts of the newest release, dated as the release."""
    return read_status(get(ADDRESS))


def read_status(body: bytes) -> list[Point]:
    """Read the counts; raises `UnexpectedAnswer` when a key is missing or no count."""
    try:
        status = json.loads(body)
        released = date.fromisoformat(str(status["chembl_release_date"])[:10])
        counts = {metric: status[key] for key, metric in _KEYS.items()}
    except (ValueError, KeyError, TypeError) as error:
        raise UnexpectedAnswer(f"the status has another form: {error}") from error
    if not all(isinstance(count, int) and count > 0 for count in counts.values()):
        raise UnexpectedAnswer("a count is no positive number")
    return [Point(metric, released, count) for metric, count in counts.items()]


SOURCE = Source("ChEMBL web service", fetch)
