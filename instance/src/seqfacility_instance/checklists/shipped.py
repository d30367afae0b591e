"""The checklists that come with a release, so that an installation without a registry has them."""

import gzip
import json
from importlib.resources import files

from seqfacility_instance.checklists.definition import ChecklistSet

FILE_NAME = "shipped.json.gz"


def shipped_checklists() -> ChecklistSet:
    """Read the shipped set: what the public registry had at the time of the release. Decision: G71."""
    packed = files(__package__).joinpath(FILE_NAME).read_bytes()
    return ChecklistSet.model_validate(json.loads(gzip.decompress(packed)))
