"""Which of a run's files are shown first, and what of a path a researcher may see."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from seqfacility_instance.core import limits
from seqfacility_instance.core.previews import PREVIEW_TYPES

_FIRST_ENDINGS = ((".html", ".htm"), (".pdf",), tuple(PREVIEW_TYPES))
_ABSOLUTE_PATH = re.compile(r"(?:(?<![\w./])|(?<=file://))/(?:[^\s/:;,'\"<>|()]+/)+([^\s/:;,'\"<>|()]+)")


@dataclass(frozen=True, slots=True)
class ShownFile:
    """A file that may be shown beside its run; `is_flagged` is the manifest's word for the main one."""

    id: str
    path: str
    is_flagged: bool


def primary_file(files: Sequence[ShownFile]) -> str | None:
    """Choose the id of the file to show first: the flagged one, then html, pdf, other previewable ones.

    Decision: G159.
    """
    flagged = next((file.id for file in files if file.is_flagged), None)
    if flagged is not None:
        return flagged
    for endings in _FIRST_ENDINGS:
        found = next((file.id for file in files if file.path.lower().endswith(endings)), None)
        if found is not None:
            return found
    return None


def omitted_count(total: int) -> int:
    """Return how many files a run has beyond those that are shown. Decision: G159."""
    return max(0, total - limits.RESULT_FILES_PER_RUN)


def researcher_path(path: str, run_folder: str | None) -> str:
    """Return the path that a researcher sees: never an absolute one.

    A file outside the data base path is named from its run folder on, which is where previews find it.

    Decision: G167.
    """
    if not path.startswith("/"):
        return path
    if run_folder is not None and path.startswith(f"{run_folder}/"):
        return f"{PurePosixPath(run_folder).name}/{path.removeprefix(f'{run_folder}/')}"
    return PurePosixPath(path).name


def without_paths(text: str, run_folder: str | None) -> str:
    """Take the places of a server out of a text.

    Paths in the run folder, and in the folders that it lies in, become relative to those; all other absolute
    ones are cut down to their last names.

    Decision: G167.
    """
    if run_folder is not None:
        folder = PurePosixPath(run_folder)
        for known in (folder, *folder.parents[:-2]):
            text = text.replace(f"{known}/", "")
    return _ABSOLUTE_PATH.sub(r"\1", text)
