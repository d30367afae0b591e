"""Ids, versions and file names that may come from outside: whole-text matches only."""

import re
import unicodedata
from collections.abc import Iterable

RESERVED_IDS = frozenset({"mixs", "sequencing-tech", "pipelines"})
"""Words that stand in registry paths where an id would. Decision: G233."""

_ID = re.compile(r"[a-z0-9-]+")
_VERSION = re.compile(r"[a-z0-9]+(\.[a-z0-9]+)*")
_RUN = re.compile(r"[0-9]+|[a-z]+")
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,127}")
_MAX_PATH = 512
_MAX_ID = 64


def is_pipeline_id(text: str) -> bool:
    """Return whether a text can be the id of a pipeline; a trailing line break can not.

    Spec: registry, Pipeline registry.
    """
    return len(text) <= _MAX_ID and text not in RESERVED_IDS and _ID.fullmatch(text) is not None


def is_pipeline_version(text: str) -> bool:
    """Return whether a text can be the version of a pipeline.

    Spec: registry, Pipeline registry.
    """
    return len(text) <= _MAX_ID and _VERSION.fullmatch(text) is not None


def version_order(version: str) -> tuple[tuple[int, int, str], ...]:
    """Return the key by which the versions of a pipeline are ordered.

    Runs of digits count as numbers, letters sort before any number and before the end: `1.0.0rc1` is older
    than `1.0.0`, and a word such as `latest` is older than every number.

    Decision: G442.
    """
    runs = [(2, int(run), "") if run.isdigit() else (0, 0, run) for run in _RUN.findall(version)]
    return (*runs, (1, 0, ""))


def name_fault(path: str) -> str | None:
    """Return why a path may not be written below a package folder; None when it may.

    Each part is plain ASCII and begins with a letter, digit or underscore, so it can be neither
    hidden, nor `..`, nor taken for an option.

    Decision: G129.
    """
    if len(path) > _MAX_PATH:
        return "has a path that is too long"
    parts = path.split("/")
    if "__pycache__" in parts:
        return "is a compiled file"
    if any(_PART.fullmatch(part) is None for part in parts):
        return "has a name that is not plain letters, digits, '.', '_' and '-'"
    return None


def repeated_name(paths: Iterable[str]) -> str | None:
    """Return a path that equals another one on a case-folding file system, or None.

    A path that is a folder of another path counts too (`workflow/a` beside `workflow/a/b`).

    Decision: G129.
    """
    files: set[str] = set()
    folders: set[str] = set()
    for path in sorted(paths):
        folded = unicodedata.normalize("NFC", path).casefold()
        parents = _parents(folded)
        if folded in files or folded in folders or files & parents:
            return path
        files.add(folded)
        folders |= parents
    return None


def _parents(path: str) -> set[str]:
    parts = path.split("/")
    return {"/".join(parts[:count]) for count in range(1, len(parts))}
