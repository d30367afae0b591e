"""Which files can be shown in a browser, and as what."""

from typing import Final

PREVIEW_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".htm": "text/html; charset=utf-8",
    ".pdf": "application/pdf",
    ".txt": "text/plain; charset=utf-8",
    ".tsv": "text/tab-separated-values; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".log": "text/plain; charset=utf-8",
    ".json": "application/json; charset=utf-8",
}
"""Content types by extension. Spec: instance, File operations (preview)."""


def preview_type(path: str) -> str | None:
    """Return the content type of a preview; None when such a file has none. Decision: G123, G124, G288."""
    _, dot, extension = path.rpartition("/")[2].rpartition(".")
    return PREVIEW_TYPES.get(f"{dot}{extension.lower()}")
