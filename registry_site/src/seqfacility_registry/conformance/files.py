"""Cases on the list of all files, by which copies are made and compared. Decision: G961, G963."""

import hashlib
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote, urlsplit

from seqfacility_registry.conformance.mirror import MAX_BYTES, Failed, Mirror, Reply, Unreachable, expect
from seqfacility_registry.pages.site import FILES_PAGE
from seqfacility_registry.web_root import FILE_LIST, answered_at


def listed_files(mirror: Mirror) -> list[dict[str, Any]]:
    """Return the rows of the list, which may name no file twice."""
    rows: list[dict[str, Any]] = mirror.document(mirror.beside(FILE_LIST), "registry/files")["files"]
    paths = [row["path"] for row in rows]
    expect(paths == sorted(set(paths)), "files are not in the order of their paths, or stand twice")
    return rows


def read_listed(mirror: Mirror, row: dict[str, Any]) -> Reply:
    """Get a listed file at the path of its answer."""
    return mirror.read(mirror.beside(answered_at(row["path"])), min(row["length"] + 1, MAX_BYTES))


def listed(mirror: Mirror) -> None:
    """Get each file twice: as programs that copy ask for it, and as instances do, who ask for gzip.

    Servers keep packed files of their own, which may be of another day.
    """
    rows = listed_files(mirror)
    faults = []
    for row in rows:
        try:
            body = read_listed(mirror, row).body
            packed = mirror.ask(
                mirror.beside(answered_at(row["path"])),
                headers={"Accept-Encoding": "gzip"},
                max_bytes=min(row["length"] + 1, MAX_BYTES),
            )
        except Unreachable:
            raise
        except Failed as failed:
            faults.append(str(failed))
            continue
        if (len(body), hashlib.sha256(body).hexdigest()) != (row["length"], row["sha256"]):
            faults.append(f"{row['path']}: is not the file that is listed")
        elif packed.body != body:
            faults.append(f"{row['path']}: is another file for those who ask for gzip")
    expect(not faults, f"{len(faults)} files: {'; '.join(faults[:3])}")
    if mirror.is_static:
        _check_page(mirror, rows)


def _check_page(mirror: Mirror, rows: list[dict[str, Any]]) -> None:
    """Read the page of all files of a mirror as programs do that follow links."""
    reader = _Links()
    reader.feed(mirror.read(mirror.beside(FILES_PAGE)).body.decode("utf-8", "replace"))
    root = urlsplit(str(mirror.read("/registry").json()["baseUrl"])).path.removesuffix("api/registry")
    missing = {f"{root}{path}" for path in ({row["path"] for row in rows} | {FILE_LIST})}
    missing -= reader.found
    expect(not missing, f"{FILES_PAGE} links to {', '.join(sorted(missing)[:3])} nowhere")


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found |= {unquote(value) for name, value in attrs if (tag, name) == ("a", "href") and value}
