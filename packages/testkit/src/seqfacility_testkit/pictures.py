"""Small pictures of each kind that browsers show, made here."""

import struct
import zlib


def png(width: int = 3, height: int = 2, shade: int = 0) -> bytes:
    """Return a grey image."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        )

    rows = (b"\0" + bytes([shade]) * width) * min(height, 100)
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def jpeg(width: int, height: int) -> bytes:
    """Return the beginning of a photo: application data, a table, a filling byte, and the frame."""
    segments = b"\xff\xe0\x00\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0" + b"\xff\xc4\x00\x04\0\0" + b"\xff"
    return (
        b"\xff\xd8" + segments + b"\xff\xc2\x00\x0b\x08" + struct.pack(">HH", height, width) + b"\1\1\x11\0"
    )


def webp(kind: str, width: int, height: int) -> bytes:
    """Return the beginning of a WebP image: `lossy`, `lossless` or `extended`."""
    name, body = {
        "lossy": (b"VP8 ", b"\x10\0\0\x9d\x01\x2a" + struct.pack("<HH", width, height)),
        "lossless": (b"VP8L", b"\x2f" + struct.pack("<I", width - 1 | (height - 1) << 14) + bytes(5)),
        "extended": (
            b"VP8X",
            bytes(4) + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little"),
        ),
    }[kind]
    return b"RIFF" + struct.pack("<I", len(body) + 12) + b"WEBP" + name + struct.pack("<I", len(body)) + body
