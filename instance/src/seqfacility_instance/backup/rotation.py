"""Which backups of a folder may go once a newer one is whole, and taking them away."""

import shutil
from pathlib import Path
from typing import Final

from seqfacility_instance.backup.copying import Report
from seqfacility_instance.backup.errors import BackupRefused
from seqfacility_instance.backup.manifest import CONTENTS_NAME, Contents, read_contents

_REMOVING: Final = ".removing"


def remove_old(folder: Path, newest: Contents, keep: int, report: Report) -> list[Path]:
    """Keep the newest `keep` backups of one facility in a folder and remove its older ones.

    Stays: whatever is no whole backup, or one of another facility, or one that does not say whose it is.
    Beyond `keep` stays the newest backup that missed no file, so that a data folder which is gone for
    weeks does not rotate away what still lists it.

    Decision: G474.
    """
    found = _of_facility(folder, newest.facility)
    begun = [path for path in found if path.name.endswith(_REMOVING)]
    whole = sorted((path for path in found if path not in begun), key=lambda path: found[path].created_at)
    complete = [path for path in whole if not found[path].missing_count]
    surplus = [path for path in whole[:-keep] if path not in complete[-1:]]
    for path in [*begun, *surplus]:
        _remove(path)
        report(f"removed: {path.name.removesuffix(_REMOVING)}")
    return surplus


def _of_facility(folder: Path, facility: str) -> dict[Path, Contents]:
    found = {}
    for path in folder.iterdir():
        if path.is_symlink() or not path.is_dir():
            continue
        try:
            contents = read_contents(path)
        except (BackupRefused, OSError):
            continue
        if facility and contents.facility == facility:
            found[path] = contents
    return found


def _remove(path: Path) -> None:
    """Remove a backup, under another name and its head last: what is left when this breaks off is known."""
    going = path if path.name.endswith(_REMOVING) else path.rename(path.with_name(path.name + _REMOVING))
    for part in going.iterdir():
        if part.is_dir() and not part.is_symlink():
            shutil.rmtree(part)
        elif part.name != CONTENTS_NAME:
            part.unlink()
    (going / CONTENTS_NAME).unlink()
    going.rmdir()
