"""The catalog that comes with a release."""

import gzip
import json
from importlib.resources import files

from seqfacility_instance.catalog.document import Catalog

FILE_NAME = "shipped.json.gz"


def shipped_catalog() -> Catalog:
    """Read the shipped catalog: what the public registry had at the time of the release. Decision: G224."""
    packed = files(__package__).joinpath(FILE_NAME).read_bytes()
    return Catalog.read(json.loads(gzip.decompress(packed)))
