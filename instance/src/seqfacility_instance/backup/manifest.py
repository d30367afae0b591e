"""The manifest of a backup: `backup.json` on the whole, `files.jsonl` with a line for each file."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final, cast

from seqfacility_instance.backup.errors import BackupRefused
from seqfacility_instance.backup.rows import TableFacts

FORMAT: Final = 1
CONTENTS_NAME: Final = "backup.json"
FILES_NAME: Final = "files.jsonl"
DATABASE_NAME: Final = "seqfacility.db"
KEY_NAME: Final = "secret.key"


class Area(StrEnum):
    """Which tree a file belongs to; in the backup a folder of this name."""

    DATA = "data"
    PACKAGES = "packages"


class FileKind(StrEnum):
    """What an entry stands for."""

    FILE = "file"
    LINK = "link"
    MISSING = "missing"
    """A file that the database names and that was not there."""


class FilesMode(StrEnum):
    """How data files are backed up; packages are always copied."""

    MANIFEST = "manifest"
    COPY = "copy"
    LINK = "link"


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One file: `size` in bytes, `modified_ns` since the epoch; of a link only `target` counts."""

    area: Area
    path: str
    kind: FileKind
    size: int = 0
    modified_ns: int = 0
    mode: int = 0o640
    md5: str | None = None
    sha256: str | None = None
    target: str | None = None
    is_inside: bool = False
    """Whether the backup holds the content, and not only this line."""


@dataclass(frozen=True, slots=True)
class Contents:
    """The head of a backup; it is written last, so that a backup without it is none. Decision: G357."""

    release: str
    schema: str
    created_at: str
    engine: str
    home: str
    data_folder: str | None
    files: FilesMode
    file_count: int
    file_bytes: int
    tables: Mapping[str, TableFacts]
    parts: Mapping[str, str]
    """SHA-256 of each further part by its name."""

    facility: str = ""
    """The id of the facility (G408); empty before its first start and in backups of 0.1. Decision: G474."""

    missing_count: int = 0
    """Files that the database names and that were not there."""

    audit: Mapping[str, object] | None = None
    """Number and hash of the newest row of the audit trail, for `audit verify --head`. Decision: G865."""

    without_runs: bool = False
    """Whether only assemblies and bins of run folders were listed. Decision: G475."""

    format: int = field(default=FORMAT)


def contents_text(contents: Contents) -> str:
    return json.dumps(asdict(contents), indent=2) + "\n"


def read_contents(folder: Path) -> Contents:
    """Read the head of a backup; raises `BackupRefused` for a folder that is no whole backup.

    Decision: G358.
    """
    try:
        document = json.loads((folder / CONTENTS_NAME).read_text("utf-8"))
    except FileNotFoundError as no_head:
        raise BackupRefused(
            f"{folder} is no backup, or one that was never finished: no {CONTENTS_NAME}"
        ) from no_head
    except ValueError as broken:
        raise BackupRefused(f"{folder / CONTENTS_NAME} is damaged") from broken
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise BackupRefused(f"{folder} is a backup of a form that this release does not know")
    tables = {name: TableFacts(**facts) for name, facts in document.pop("tables").items()}
    return Contents(**{**document, "tables": tables, "files": FilesMode(document["files"])})


def entry_line(entry: FileEntry) -> str:
    """Write an entry as one line of ASCII: a path that is no UTF-8 keeps its bytes."""
    stated = {name: value for name, value in asdict(entry).items() if value is not None}
    return json.dumps(stated) + "\n"


def read_entries(folder: Path) -> Iterator[FileEntry]:
    with (folder / FILES_NAME).open(encoding="ascii") as lines:
        for line in lines:
            stated = cast("dict[str, object]", json.loads(line))
            kinds = {"area": Area(str(stated["area"])), "kind": FileKind(str(stated["kind"]))}
            yield FileEntry(**{**stated, **kinds})  # type: ignore[arg-type]  # what entry_line wrote
