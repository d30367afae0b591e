"""Which bytes are an image that browsers show and that runs nothing: decided by what they are."""

import struct
from dataclasses import dataclass
from typing import Final

from seqfacility_instance.core import limits

_PNG: Final = b"\x89PNG\r\n\x1a\n"
_JPEG: Final = b"\xff\xd8\xff"
_NO_FRAME: Final = frozenset({0xC4, 0xC8, 0xCC})
"""Of the markers `FFC0` to `FFCF` those that begin no frame."""

MEDIA_TYPES: Final = {"png": "image/png", "jpg": "image/jpeg", "webp": "image/webp"}


@dataclass(frozen=True, slots=True)
class Picture:
    """What an image is, by its ending, and its size in pixels."""

    ending: str
    width: int
    height: int


def picture_of(content: bytes) -> Picture | None:
    """Return what an image is; None for what is no PNG, JPEG or WebP of a sensible size.

    Drawings (SVG) can hold scripts and are none of these. Decision: G586.
    """
    try:
        found = _png(content) or _jpeg(content) or _webp(content)
    except (struct.error, IndexError):
        return None
    if found is None or not (0 < found.width <= limits.IMAGE_MAX_PIXELS >= found.height > 0):
        return None
    return found


def _png(content: bytes) -> Picture | None:
    if not content.startswith(_PNG) or content[12:16] != b"IHDR":
        return None
    return Picture("png", *struct.unpack_from(">II", content, 16))


def _jpeg(content: bytes) -> Picture | None:
    if not content.startswith(_JPEG):
        return None
    at = 2
    while content[at] == 0xFF:
        marker = content[at + 1]
        if marker == 0xFF:  # a filling byte
            at += 1
            continue
        if 0xC0 <= marker <= 0xCF and marker not in _NO_FRAME:
            height, width = struct.unpack_from(">HH", content, at + 5)
            return Picture("jpg", width, height)
        at += 2 + int.from_bytes(content[at + 2 : at + 4])
    return None


def _webp(content: bytes) -> Picture | None:
    if content[:4] != b"RIFF" or content[8:12] != b"WEBP":
        return None
    kind, start = content[12:16], content[20:30]
    if kind == b"VP8X" and len(start) == 10:
        return Picture("webp", *(1 + int.from_bytes(start[at : at + 3], "little") for at in (4, 7)))
    if kind == b"VP8 " and start[3:6] == b"\x9d\x01\x2a":
        width, height = struct.unpack_from("<HH", start, 6)
        return Picture("webp", width & 0x3FFF, height & 0x3FFF)
    if kind == b"VP8L" and start[:1] == b"\x2f":
        (bits,) = struct.unpack_from("<I", start, 1)
        return Picture("webp", 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF))
    return None
