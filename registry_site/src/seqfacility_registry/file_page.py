"""The page at the root of a mirror of files: it links to each, for programs that copy by following links.

Decision: G963.
"""

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from itertools import groupby
from typing import Final
from urllib.parse import quote

PAGE = "index.html"
PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_SECTIONS: Final = (
    ("api/", "Answers of the registry", "What instances read: pipelines, catalog, checklists and the rest."),
    ("ga4gh/", "Tool Registry Service", "The same pipelines for programs that know the GA4GH standard."),
    ("images/", "Drawings", "Pictures of instruments and sampling sites."),
    ("api/trust/", "Signatures", "Signed metadata, and each signed document by its digest."),
    ("server/", "Configuration of servers", "For whoever serves these files."),
)
_HEAD: Final = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>SeqFacility registry: all files</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
li { overflow-wrap: anywhere; }
</style>
</head>
<body>
<main>
<h1>SeqFacility registry: all files</h1>
<p>This is a copy of a registry of pipelines, sequencing technology and checklists. Facilities set its
address, with <code>/api</code> at the end, as <code>SERVICE_API_URL</code> of their instance.</p>
<p><a href="api/files.json">The list for programs</a> has the length and the SHA-256 of each file. Whether the
files are what the registry has signed is found out by <code>seqfacility-registry verify-mirror</code>.</p>
"""
_END: Final = "</main>\n</body>\n</html>\n"


def file_page(lengths: Mapping[str, int]) -> bytes:
    """Write the page; `lengths` in bytes, by the path of each file."""
    parts = [_HEAD]
    ordered = sorted(lengths, key=lambda path: (_place_of(path), path))
    for place, paths in groupby(ordered, _place_of):
        parts += _section(place, paths, lengths)
    return "".join([*parts, _END]).encode()


def _place_of(path: str) -> int:
    return max(place for place, (prefix, *_words) in enumerate(_SECTIONS) if path.startswith(prefix))


def _section(place: int, paths: Iterable[str], lengths: Mapping[str, int]) -> Iterator[str]:
    _prefix, title, about = _SECTIONS[place]
    yield f"<h2>{title}</h2>\n<p>{about}</p>\n<ul>\n"
    for path in paths:
        yield f'<li><a href="{quote(path)}">{escape(path)}</a>, {lengths[path]:,} bytes</li>\n'
    yield "</ul>\n"
