"""Comparison of counted files with the instrument's own list of SHA-256 sums."""

import csv
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Final

from seqfacility_instance.streams.rules.files import is_left_out_folder, is_sequencing_file

SHOWN_PATHS: Final = 20
_SHA256: Final = re.compile(r"[0-9a-f]{64}")


@dataclass(slots=True)
class Comparison:
    """How many listed files we hold unchanged, differently or not at all; some of the paths of each."""

    listed: int = 0
    matched: int = 0
    different: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    @property
    def verdict(self) -> str:
        """`ok`, `incomplete` while listed files are missing, `different` when any file is not what it was."""
        if self.different:
            return "different"
        return "incomplete" if self.missing else "ok"


def read_hash_list(lines: Iterable[str], folder: str, *, include_failed: bool) -> dict[str, str]:
    """Read a hash list: path below the watched directory to SHA-256, only of files that are counted.

    `folder` is that of the list. Lines that cannot be parsed are left out; a text without the columns
    `file_hash` and `file_path` gives an empty list.
    """
    listed: dict[str, str] = {}
    for row in csv.DictReader(lines):
        digest = (row.get("file_hash") or "").strip().lower().removeprefix("sha256:")
        path = (row.get("file_path") or "").strip().removeprefix("./")
        if not _SHA256.fullmatch(digest) or not path or ".." in PurePosixPath(path).parts:
            continue
        if not path.startswith("/") and _is_counted(PurePosixPath(path), include_failed=include_failed):
            listed[f"{folder}/{path}" if folder else path] = digest
    return listed


def _is_counted(path: PurePosixPath, *, include_failed: bool) -> bool:
    is_left_out = any(is_left_out_folder(part, include_failed=include_failed) for part in path.parts[:-1])
    return is_sequencing_file(path.name) and not is_left_out


def compare(listed: Mapping[str, str], counted: Mapping[str, str | None]) -> Comparison:
    """Compare what was counted with the list; both map path to SHA-256."""
    result = Comparison(listed=len(listed))
    for path, digest in sorted(listed.items()):
        ours = counted.get(path)
        if ours is None:
            result.missing.append(path)
        elif ours == digest:
            result.matched += 1
        else:
            result.different.append(path)
    return result
