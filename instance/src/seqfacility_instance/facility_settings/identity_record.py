"""What a database says of the facility that it belongs to. Decision: G408."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from seqfacility_instance.facility_settings import store

IDENTITY: Final = "identity"
"""Beside the sections of settings."""

MARKER: Final = ".seqfacility-facility"
"""In the data folder: the id of the facility whose data it holds. No request can name a hidden file."""


@dataclass(frozen=True, slots=True)
class IdentityRecord:
    """The id of the facility, the fingerprint of its key, and every spelling of its state directory."""

    facility_id: str
    key: str
    homes: tuple[str, ...]

    def document(self) -> dict[str, object]:
        """Write the record as it is stored."""
        return {"facilityId": self.facility_id, "key": self.key, "homes": list(self.homes)}


def find_identity() -> IdentityRecord | None:
    """Read the record; None where none was written yet."""
    stored = store.stored_section(store.find_row(), IDENTITY)
    if not stored:
        return None
    return IdentityRecord(
        str(stored["facilityId"]), str(stored["key"]), tuple(cast("list[str]", stored["homes"]))
    )


def spellings(home: Path) -> list[str]:
    """Return a state directory as it was named and with its links resolved: rows hold either."""
    return sorted({str(home), os.path.realpath(home)})
