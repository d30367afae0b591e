"""The drawings that catalog and checklists point at, served outside `/api`."""

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
SHELVES = ("catalog", "checklists")
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,127}")


class ImageShelf:
    """All drawings by their place, `catalog/<file>` or `checklists/<file>`."""

    def __init__(self, images: Mapping[str, ReadyDocument]) -> None:
        self._images = images

    def find(self, place: str) -> ReadyDocument | None:
        """Give a drawing; None when there is none."""
        return self._images.get(place)

    def items(self) -> Iterator[tuple[str, ReadyDocument]]:
        """Give every drawing with its place, sorted."""
        yield from sorted(self._images.items())


def read_images(content: Path) -> ImageShelf:
    """Read the drawings of all shelves; a file of another kind is not one."""
    found = {}
    for shelf in SHELVES:
        for path in sorted((content / shelf / "images").glob("*")):
            media_type = MEDIA_TYPES.get(path.suffix)
            if media_type and _NAME.fullmatch(path.name) and path.is_file():
                found[f"{shelf}/{path.name}"] = ReadyDocument.of(path.read_bytes(), media_type)
    return ImageShelf(found)
