"""Which files the database of a backup names: their known checksums, and whether they are there."""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

# Each names path, MD5, size, whether nobody writes to it any more, and whether it is a result of its own.
_FINISHED: Final = (
    "SELECT file1, checksum1, size1, 1, 1 FROM reads WHERE file1 IS NOT NULL",
    "SELECT file2, checksum2, size2, 1, 1 FROM reads WHERE file2 IS NOT NULL",
    "SELECT path, checksum, size, 1, 1 FROM sequencing_artifacts",
)
_OF_RUNS: Final = (
    "SELECT assembly_file, NULL, NULL, 0, 1 FROM assemblies",
    "SELECT bin_file, NULL, NULL, 0, 1 FROM bins",
    "SELECT path, NULL, NULL, 0, 0 FROM pipeline_artifacts",
)


@dataclass(frozen=True, slots=True)
class Named:
    """The database's record of a file.

    `is_finished` says that nobody writes to it any more, `is_result` that no run folder has to go with it:
    a read, an artifact, an assembly, a bin.
    """

    md5: str | None
    size: int | None
    is_finished: bool
    is_result: bool


class NamedFiles:
    """The files below one data folder that a copy of the database names; kept on disk, not in memory."""

    def __init__(self, copy: Path, data_folder: Path) -> None:
        self._database = sqlite3.connect(f"file:{copy}?mode=ro", uri=True, isolation_level=None)
        self._database.execute("PRAGMA temp_store = FILE")
        self._database.execute(
            "CREATE TEMP TABLE named (path TEXT PRIMARY KEY, md5 TEXT, size INTEGER, is_finished INTEGER,"
            " is_result INTEGER,"
            " is_there INTEGER NOT NULL DEFAULT 0)"
        )
        fill = "INSERT OR IGNORE INTO named (path, md5, size, is_finished, is_result) "
        for selection in (*_FINISHED, *_OF_RUNS):
            self._database.execute(fill + selection)
        prefix = f"{data_folder}/"
        self._database.execute(
            "UPDATE OR IGNORE named SET path = substr(path, length(?1) + 1)"
            " WHERE substr(path, 1, length(?1)) = ?1",
            (prefix,),
        )

    def find(self, path: str) -> Named | None:
        row = self._database.execute(
            "SELECT md5, size, is_finished, is_result FROM named WHERE path = ?", (_stored(path),)
        ).fetchone()
        return None if row is None else Named(row[0], row[1], bool(row[2]), bool(row[3]))

    def note_there(self, path: str) -> None:
        self._database.execute("UPDATE named SET is_there = 1 WHERE path = ?", (_stored(path),))

    def missing(self) -> Iterator[str]:
        rows = self._database.execute(
            "SELECT path FROM named WHERE is_there = 0 AND substr(path, 1, 1) <> '/' ORDER BY path"
        )
        yield from (path for (path,) in rows)

    def close(self) -> None:
        self._database.close()


def _stored(path: str) -> str:
    """Return a path as a database may hold it: the bytes of a name that is no UTF-8 are nowhere in it."""
    return path.encode("utf-8", "replace").decode()
