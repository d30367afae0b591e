"""Which folders no setting may name: files below those that settings name are shown, sent and deleted."""

import os
import sysconfig
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final, Self

import seqfacility_instance
from seqfacility_instance.settings import Settings

_OF_THE_SYSTEM: Final = ("/etc", "/proc", "/sys")


@dataclass(frozen=True, slots=True)
class ReservedFolders:
    """What the service keeps for itself, as resolved paths.

    A folder of the settings may hold none of them, and lie in none but the state directory: `data/` is there.

    Decision: G404.
    """

    home: PurePosixPath
    closed: frozenset[PurePosixPath]

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Name the state directory, and in it packages, key and database; the installation; the system."""
        installed = (sysconfig.get_path(name) for name in ("purelib", "platlib", "scripts"))
        own: list[str | Path] = [settings.secret_key_file, settings.home / "packages"]
        if isinstance(settings.database_address, Path):
            own.append(settings.database_address)
        program = Path(seqfacility_instance.__file__).parent
        return cls(
            _resolved(settings.home), frozenset(map(_resolved, (*own, *installed, program, *_OF_THE_SYSTEM)))
        )

    def refusal(self, path: str) -> str | None:
        """Return why a setting may not name this folder, as an error detail; None if it may."""
        wanted = _resolved(path)
        if any(path.is_relative_to(wanted) for path in (self.home, *self.closed)):
            return "must not hold the state directory, the installation or folders of the system"
        if any(wanted.is_relative_to(closed) for closed in self.closed):
            return "must not lie in packages, database, installation or folders of the system"
        return None


def _resolved(path: str | Path) -> PurePosixPath:
    return PurePosixPath(os.path.realpath(path))
