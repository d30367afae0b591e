"""Values of the page that links to every file, for programs that follow links. Decision: G963."""

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
    """Yield the sections of the page; `lengths` are in bytes, by path."""
    ordered = sorted(lengths, key=lambda path: (_section_of(path), path))
    for section, found in groupby(ordered, _section_of):
        _prefix, title, about = _SECTIONS[section]
        yield {"title": title, "about": about, "files": [(path, lengths[path]) for path in found]}


def _section_of(path: str) -> int:
    """Return the index of the last section that matches: signatures lie below `api/` too."""
    return max(index for index, (prefix, *_text) in enumerate(_SECTIONS) if path.startswith(prefix))
