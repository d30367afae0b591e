"""Where the files of a delivery go, and what an answer to a range means for a part that is already here."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

_CONTENT_RANGE = re.compile(r"bytes (\d{1,19})-\d{1,19}/(\d{1,19})")
_MD5 = re.compile(r"[0-9a-f]{32}")
_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]')
_WITHOUT_SAMPLE = "_order"


@dataclass(frozen=True, slots=True)
class Delivered:
    """A file of a delivery; `kind` is `reads` or `artifacts`, `row_id` tells two files of one name apart."""

    path: str
    name: str
    size: int
    checksum: str | None
    sample_code: str | None
    kind: str
    row_id: str


def local_places(files: Iterable[Delivered]) -> dict[PurePosixPath, Delivered]:
    """Give every file a place of its own: `<kind>/<sample code>/<name>`, without a sample in `_order`.

    These are the names in the facility's archive and list of checksums, so that `md5sum -c` works in the
    folder. A place that is taken, capital letters apart, gets the id in front of the name. Characters that
    a file system may not have become `_`; no place leaves the folder.

    Gap: G85.
    """
    places: dict[PurePosixPath, Delivered] = {}
    taken: set[str] = set()
    for file in files:
        folder, name = _component(file.sample_code or _WITHOUT_SAMPLE), _component(file.name)
        place, number = PurePosixPath(file.kind, folder, name), 1
        while str(place).lower() in taken:
            mark = file.row_id if number == 1 else f"{file.row_id}-{number}"
            place, number = PurePosixPath(file.kind, folder, f"{_component(mark)}-{name}"), number + 1
        taken.add(str(place).lower())
        places[place] = file
    return places


def _component(name: str) -> str:
    cleaned = _FORBIDDEN.sub("_", name).rstrip(". ")
    return f"_{cleaned}" if cleaned.startswith(".") or not cleaned else cleaned


def known_md5(checksum: str | None) -> str | None:
    """Read a stored checksum as MD5; None when it is none or of another kind. Gap: G107."""
    lowered = (checksum or "").strip().lower()
    return lowered if _MD5.fullmatch(lowered) else None


def continues_at(status: int, headers: Mapping[str, str], have: int) -> int | None:
    """Tell where the bytes of an answer belong: at `have` (a part that fits), or at 0 (the whole file).

    None when the answer is neither: the part that is here belongs to another state of the file.

    Gap: G121.
    """
    if status == 200:
        return 0
    found = _CONTENT_RANGE.fullmatch(headers.get("Content-Range", ""))
    if status == 206 and found is not None and int(found[1]) == have:
        return have
    return None
