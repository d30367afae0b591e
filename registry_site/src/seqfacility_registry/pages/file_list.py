"""The page that links to every file, for programs that copy by following links. Decision: G963."""

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any, Final

_SECTIONS: Final = (
    ("api/", "Answers of the registry", "What instances read: pipelines, catalog, checklists and the rest."),
    ("ga4gh/", "Tool Registry Service", "The same pipelines for programs that know the GA4GH standard."),
    ("images/", "Drawings", "Pictures of instruments and sampling sites."),
    ("api/trust/", "Signatures", "Signed metadata, and each signed document by its digest."),
    ("server/", "Configuration of servers", "For whoever serves these files."),
)


def file_sections(lengths: Mapping[str, int]) -> Iterator[Mapping[str, Any]]:
    """Yield the sections of the page; `lengths` in bytes, by the path of each file."""
    ordered = sorted(lengths, key=lambda path: (_place_of(path), path))
    for place, found in groupby(ordered, _place_of):
        _prefix, title, about = _SECTIONS[place]
        yield {"title": title, "about": about, "files": [(path, lengths[path]) for path in found]}


def _place_of(path: str) -> int:
    return max(place for place, (prefix, *_words) in enumerate(_SECTIONS) if path.startswith(prefix))
