"""Where the files of a delivery go, and what an answer to a range means for a part that is already here."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from seqfacility_wire.file_names import portable_name, unique_path

_CONTENT_RANGE = re.compile(r"bytes (\d{1,19})-\d{1,19}/(\d{1,19})")
_MD5 = re.compile(r"[0-9a-f]{32}")
_WITHOUT_SAMPLE = "_order"


@dataclass(frozen=True, slots=True)
class Delivered:
    """A file of a delivery; `row_id` tells two files of one name apart.

    `kind` is `reads`, `artifacts`, or `reports` of the run `run_number`. `checksum` is what is on record,
    `computed` what the facility found itself, where it says so.
    """

    path: str
    name: str
    size: int
    checksum: str | None
    sample_code: str | None
    kind: str
    row_id: str
    computed: str | None = None
    run_number: str | None = None

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders that it lies in, as in the facility's archive. Decision: G320, G490."""
        if self.run_number is not None:
            return self.kind, self.run_number, *filter(None, [self.sample_code])
        return self.kind, self.sample_code or _WITHOUT_SAMPLE


def local_places(files: Iterable[Delivered]) -> dict[PurePosixPath, Delivered]:
    """Return a place of its own for every file: its `folders` and its name.

    These are the names in the facility's archive and list of checksums, so that `md5sum -c` works in the
    folder. Characters that a file system may not have become `_`; no place leaves the folder.

    Decision: G85, G429.
    """
    taken: set[str] = set()
    return {
        PurePosixPath(
            unique_path(
                "/".join(map(portable_name, file.folders)),
                portable_name(file.name),
                portable_name(file.row_id),
                taken,
            )
        ): file
        for file in files
    }


def known_md5(checksum: str | None) -> str | None:
    """Read a stored checksum as MD5; None when it is none or of another kind. Decision: G107."""
    lowered = (checksum or "").strip().lower()
    return lowered if _MD5.fullmatch(lowered) else None


def continues_at(status: int, headers: Mapping[str, str], have: int) -> int | None:
    """Return where the bytes of an answer belong: at `have` (a part that fits), or at 0 (the whole file).

    None when the answer is neither: the part that is here belongs to another state of the file.

    Decision: G121.
    """
    if status == 200:
        return 0
    found = _CONTENT_RANGE.fullmatch(headers.get("Content-Range", ""))
    if status == 206 and found is not None and int(found[1]) == have:
        return have
    return None
