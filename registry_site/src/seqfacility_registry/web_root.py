"""A mirror of files: which file holds the answer at each path, and the list of all files.

Paths are those below the root of the host, `api/registry`. Decision: G961, G962.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any

from seqfacility_registry.answers import json_bytes
from seqfacility_registry.export_servers import server_files
from seqfacility_registry.install_profiles.rules import download_name
from seqfacility_registry.pages.documents import REGISTRY, Documents
from seqfacility_registry.pages.site import Site, page_files

FILE_LIST = "api/files.json"
_AS_THEY_ARE = ("images/", "api/trust/documents/")
_LARGE_BYTES = 16 * 1024
_RESOLVED = re.compile("api/install-profiles/([^/]+)/resolve")
_INERT = ((b"<", rb"\u003c"), (b">", rb"\u003e"), (b"&", rb"\u0026"))


class Layout(StrEnum):
    """How a host of files finds an answer whose path is that of a folder as well."""

    INDEX = "index"
    """As `<path>/index.json`, by servers that can be told so."""

    PLAIN = "plain"
    """As `<path>/index.html`, which all of them look for and take for a page."""


_FOLDER_FILES = {Layout.INDEX: "index.json", Layout.PLAIN: "index.html"}


def web_root(answers: Mapping[str, bytes], layout: Layout) -> dict[str, bytes]:
    """Return every file of a mirror by its path, the answers and what is made from them.

    The same answers always give the same files. Raises `ValueError` when a page cannot be rendered from
    them, which does not happen with answers of this release.
    """
    files = without_pages(answers, layout)
    site = Site(
        Documents.of(answers),
        address_of(answers),
        lambda path: file_of(path, layout),
        lambda: json.loads(files[FILE_LIST])["files"],
        {path: len(content) for path, content in files.items() if path.startswith("server/")},
    )
    return dict(sorted({**files, **dict(page_files(site))}.items()))


def without_pages(answers: Mapping[str, bytes], layout: Layout) -> dict[str, bytes]:
    """Return the files that programs read: the answers, their list, and the server configurations."""
    files = {file_of(path, layout): _written(path, content, layout) for path, content in answers.items()}
    files[FILE_LIST] = json_bytes(file_list(files))
    if layout is Layout.INDEX:
        names = {
            resolved[1]: download_name(json.loads(content))
            for path, content in answers.items()
            if (resolved := _RESOLVED.fullmatch(path))
        }
        files |= {f"server/{name}": text.encode() for name, text in server_files(names).items()}
    return files


def address_of(answers: Mapping[str, bytes]) -> str:
    """Return the address of the API that the answers were written for."""
    return str(json.loads(answers[REGISTRY])["baseUrl"]).removesuffix("/registry")


def file_of(path: str, layout: Layout) -> str:
    """Return the file that holds the answer at a path."""
    return path if _is_file(path) else f"{path}/{_FOLDER_FILES[layout]}"


def answered_at(file: str) -> str:
    """Return the path at which a file of either layout is answered."""
    folder, _, name = file.rpartition("/")
    return folder if name in _FOLDER_FILES.values() else file


def file_list(files: Mapping[str, bytes]) -> dict[str, list[dict[str, Any]]]:
    """Write `/api/files.json`, without the server configurations, the pages and the list itself."""
    return {
        "files": [
            {"path": path, "length": len(content), "sha256": _sha256(content)}
            for path, content in sorted(files.items())
        ]
    }


def _sha256(content: bytes) -> str:
    return _kept_sha256(content) if len(content) >= _LARGE_BYTES else hashlib.sha256(content).hexdigest()


@lru_cache(maxsize=64)
def _kept_sha256(content: bytes) -> str:
    # WHY: a service lists its files for each address that somebody calls it by; the large ones are the same.
    return hashlib.sha256(content).hexdigest()


def _is_file(path: str) -> bool:
    """Return whether a path is that of a file by itself: no answer lies below it, and hosts know its kind."""
    return path.startswith(_AS_THEY_ARE) or (path.startswith("api/") and path.endswith(".json"))


def _written(path: str, content: bytes, layout: Layout) -> bytes:
    """Return an answer as a file.

    HAZARD: a host of the plain layout calls the answer a page, and a browser would run what stands in it.
    """
    if layout is Layout.PLAIN and not _is_file(path):
        for character, escaped in _INERT:
            content = content.replace(character, escaped)
    return content
