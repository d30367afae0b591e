"""Packages on disk: unpacked once, checked when they are loaded, kept in memory while they do not change."""

import shutil
import threading
from dataclasses import dataclass, field
from pathlib import Path

from seqfacility_pipeline_package.documents import JsonObject
from seqfacility_pipeline_package.package import Package, read_package
from seqfacility_pipeline_package.payload import pack, unpack
from seqfacility_pipeline_package.problems import PackageInvalid
from seqfacility_schemas import Profile

from seqfacility_instance.tables.pipelines import PipelinePackage


@dataclass(frozen=True, slots=True)
class Loaded:
    """An installed version: its package, or the problems that keep it from being one.

    Decision: G129, G142.
    """

    row: PipelinePackage
    package: Package | None
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PackageStore:
    """The folder of installed packages: `<pipeline id>/<version>/<pipeline id>`.

    The last part repeats the id because a package folder is named like its package (G129), and the
    version is above it because versions are installed side by side (G144).
    """

    root: Path
    _known: dict[tuple[str, str | None], Package] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def folder(self, row: PipelinePackage) -> Path:
        return self.root / row.folder

    def place(self, pipeline_id: str, version: str) -> str:
        """Return the path of a version, relative to the store."""
        return f"{pipeline_id}/{version}/{pipeline_id}"

    def load(self, row: PipelinePackage) -> Loaded:
        """Load an installed version; a broken one comes with its problems. Decision: G129."""
        key = (row.folder, row.sha256)
        with self._lock:
            known = self._known.get(key)
        folder = self.folder(row)
        if known is not None and folder.is_dir():
            return Loaded(row, known)
        try:
            package = read_package(folder, Profile.CONSUMER)
        except PackageInvalid as broken:
            return Loaded(row, None, tuple(broken.details))
        with self._lock:
            self._known[key] = package
        return Loaded(row, package)

    def put(self, payload: JsonObject, place: str) -> None:
        """Unpack a payload; a folder that a crash left behind is taken over when it holds the same.

        Raises `PackageInvalid` for a payload that is no package, or when another package is there.

        Decision: G144.
        """
        folder = self.root / place
        try:
            unpack(payload, folder, Profile.CONSUMER)
        except FileExistsError:
            # What a later release adds to a payload has no file, so only what has one is compared.
            unpacked = pack(folder, Profile.CONSUMER)
            if any(payload.get(key) != value for key, value in unpacked.items() if key != "sha256"):
                raise

    def discard(self, pipeline_id: str) -> None:
        """Remove every version of a pipeline from the disk."""
        with self._lock:
            for key in [key for key in self._known if key[0].startswith(f"{pipeline_id}/")]:
                del self._known[key]
        shutil.rmtree(self.root / pipeline_id, ignore_errors=True)
