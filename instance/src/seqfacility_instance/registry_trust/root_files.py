"""Files of roots, which somebody has handed over: one is pinned, one is what a reset begins at."""

import tempfile
from pathlib import Path

from tuf.api.exceptions import RepositoryError

from seqfacility_instance.core import limits
from seqfacility_instance.registry_trust.errors import RootNotUsable
from seqfacility_instance.registry_trust.walk import check_root


def read_root(path: Path) -> bytes:
    """Read the file of a root; raises `RootNotUsable` unless enough of its own keys have signed it."""
    try:
        with path.open("rb") as file:
            content = file.read(limits.TRUST_ROOT_MAX_BYTES)
        with tempfile.TemporaryDirectory(prefix="seqfacility-trust-") as folder:
            check_root(content, Path(folder))
        content.decode()
    except (OSError, RepositoryError, UnicodeError) as unusable:
        raise RootNotUsable(str(path)) from unusable
    return content
