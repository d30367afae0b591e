"""`export`: every answer that depends on no query and no code, as a web root for any static server."""

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from seqfacility_registry.answers import Answer, ContentBroken
from seqfacility_registry.content_folder import Publication
from seqfacility_registry.static_answers import mirrored_answers
from seqfacility_registry.web_root import Layout, web_root

DEFAULT_PUBLIC_URL = "http://127.0.0.1:8090/api"
"""Links of an export that names no address: where an instance looks for a registry by itself.

Decision: G225.
"""


_FIRST_TIME: Final = 1_262_304_000  # 2010-01-01T00:00:00Z
_TIME_DIGITS: Final = 7
"""Hexadecimal digits of a digest that are added to it as seconds, eight years and a half at most."""


class ExportRefused(Exception):
    """The export cannot be written; the text says why in one line."""


def export(publication: Publication, public_url: str, folder: Path, layout: Layout = Layout.INDEX) -> int:
    """Write the static mirror into an empty or missing folder; return the number of files.

    Links begin with `public_url`. The same publication and address give the same bytes. Raises
    `ExportRefused` when the folder holds something, or when an answer is broken.

    Decision: G243, G284.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ExportRefused(f"{folder} is not an empty folder")
    files = exported_files(publication, public_url, layout)
    write_files(folder, files, layout)
    return len(files)


def write_files(folder: Path, files: Mapping[str, bytes], layout: Layout) -> None:
    """Write files by their paths below a folder.

    In the layout for servers that we configure, the time of a file follows from its content: servers make
    ETags of time and length, and the same content has to have the same one at each mirror, each time.
    HAZARD: such a time may be before that of the former content, so it means nothing to whoever asks by time.
    Our configurations neither send it nor take it; other hosts do, and there it is the time of writing.

    Decision: G967.
    """
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        if layout is Layout.INDEX:
            seconds = _FIRST_TIME + int(hashlib.sha256(content).hexdigest()[:_TIME_DIGITS], 16)
            os.utime(path, (seconds, seconds))


def exported_files(
    publication: Publication, public_url: str, layout: Layout = Layout.INDEX
) -> Mapping[str, bytes]:
    """Return every file of the mirror by its path below the web root; raises `ExportRefused`.

    Decision: G284.
    """
    answers = {
        path: _sound(answer, public_url) if isinstance(answer, Answer) else answer
        for path, answer in mirrored_answers(publication)
    }
    return web_root(answers, layout)


def _sound(answer: Answer, public_url: str) -> bytes:
    try:
        return answer.ready(public_url).content
    except ContentBroken as broken:
        raise ExportRefused(f"broken content: {answer.fault(public_url)}") from broken
