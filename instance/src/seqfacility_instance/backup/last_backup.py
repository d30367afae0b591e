"""What the state directory remembers of the last good backup, for whoever watches its age."""

import json
import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Final

from seqfacility_wire.timestamps import parse_time

from seqfacility_instance.backup.manifest import Contents

LAST_BACKUP_NAME: Final = "last-backup.json"


def write_last_backup(home: Path, folder: Path, contents: Contents) -> None:
    """Record a whole backup: `{at, folder, files, bytes, release}`, replaced in one step. Decision: G474."""
    noted = {
        "at": contents.created_at,
        "folder": str(folder),
        "files": contents.file_count,
        "bytes": contents.file_bytes,
        "release": contents.release,
    }
    target = home / LAST_BACKUP_NAME
    partial = target.with_suffix(".partial")
    with partial.open("w", encoding="utf-8") as content:
        content.write(json.dumps(noted) + "\n")
        content.flush()
        os.fsync(content.fileno())
    partial.replace(target)


def last_backup_at(home: Path) -> datetime | None:
    """Return when the last good backup was made; None when none is known. Decision: G474."""
    try:
        noted = json.loads((home / LAST_BACKUP_NAME).read_text("utf-8"))
        return parse_time(noted["at"]) if isinstance(noted, Mapping) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None
