"""The drawings that catalog and checklists point at, served outside `/api`."""

import logging
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from seqfacility_wire.caching import ReadyDocument

MEDIA_TYPES: Mapping[str, str] = {
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webp": "image/webp",
    ".jpg": "image/jpeg",
}
SECTIONS = ("catalog", "checklists")
_log = logging.getLogger("seqfacility.content")
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,127}")


class ImageContent:
    """All drawings by their place, `catalog/<file>` or `checklists/<file>`."""

    def __init__(self, images: Mapping[str, ReadyDocument]) -> None:
        self._images = images

    def find(self, place: str) -> ReadyDocument | None:
        """Return a drawing; None when there is none."""
        return self._images.get(place)

    def items(self) -> Iterator[tuple[str, ReadyDocument]]:
        yield from sorted(self._images.items())


def read_images(content: Path) -> ImageContent:
    """Read the drawings of all shelves; a file of another kind is not one, an unreadable one is left out."""
    found = {}
    for section in SECTIONS:
        for path in sorted((content / section / "images").glob("*")):
            media_type = MEDIA_TYPES.get(path.suffix)
            image = _read(path) if media_type and _NAME.fullmatch(path.name) else None
            if media_type and image is not None:
                found[f"{section}/{path.name}"] = ReadyDocument.of(image, media_type)
    return ImageContent(found)


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError as unreadable:
        _log.warning("broken content: images/%s: %s", path.name, unreadable.strerror)
        return None
