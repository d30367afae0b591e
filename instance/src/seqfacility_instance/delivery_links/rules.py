"""How the files of a delivery are listed for the tools that fetch them: values in, text out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

CHECKSUMS: Final = "checksums.md5"
MANIFEST: Final = "manifest.tsv"
WGET: Final = "urls.txt"
ARIA2: Final = "aria2.txt"
ARCHIVE: Final = "archive.zip"
FOLDER: Final = "files/"


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A file as it is fetched; its name is a plain one, which is the same in an address and in a line."""

    name: str
    size: int
    md5: str | None


def url_list(base: str, files: Iterable[ListedFile]) -> str:
    """List the addresses of files as `wget -i` reads them. Decision: G528."""
    return "".join(f"{_address(base, file)}\n" for file in files)


def aria2_list(base: str, files: Iterable[ListedFile]) -> str:
    """List files as `aria2c -i` reads them: each with its name and the MD5 to verify. Decision: G528."""
    return "".join(
        f"{_address(base, file)}\n  out={file.name}\n"
        + (f"  checksum=md5={file.md5}\n" if file.md5 is not None else "")
        for file in files
    )


def start_page(order_number: str, expires_at: str, files: Sequence[ListedFile]) -> str:
    """Write the page of a delivery: the lists, the archive and every file, by relative addresses.

    `rclone` takes no address for a file that holds `?`, nor one of a file within a folder. So a copy of this
    page has each file once, in its folder.

    Decision: G528.
    """
    lists = [(FOLDER, FOLDER)] + [(name, name) for name in (CHECKSUMS, MANIFEST, WGET, ARIA2)]
    items = "".join(f"<li>{_link(*one)}</li>\n" for one in [*lists, (f"{ARCHIVE}?all", ARCHIVE)])
    intro = (
        f"<p>Files: {len(files)}. This address works until {escape(expires_at)}.</p>\n<ul>\n{items}</ul>\n"
    )
    return _page(order_number, intro + _table(files, FOLDER))


def folder_page(order_number: str, files: Sequence[ListedFile]) -> str:
    """Write the page of the folder of all files. Decision: G528."""
    return _page(f"{order_number}: files", _table(files, ""))


def _address(base: str, file: ListedFile) -> str:
    return f"{base}{FOLDER}{file.name}"


def _table(files: Iterable[ListedFile], folder: str) -> str:
    rows = "".join(
        f"<tr><td>{_link(folder + file.name, file.name)}</td>"
        f"<td>{file.size}</td><td>{file.md5 or ''}</td></tr>\n"
        for file in files
    )
    head = (
        '<thead><tr><th scope="col">File</th><th scope="col">Bytes</th><th scope="col">MD5</th></tr></thead>'
    )
    return f"<table>\n{head}\n<tbody>\n{rows}</tbody>\n</table>\n"


def _link(address: str, name: str) -> str:
    return f'<a href="{escape(address)}">{escape(name)}</a>'


def _page(title: str, content: str) -> str:
    shown = escape(title)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{shown}</title>\n</head>\n<body>\n<main>\n<h1>{shown}</h1>\n{content}</main>\n</body>\n</html>\n"
    )
