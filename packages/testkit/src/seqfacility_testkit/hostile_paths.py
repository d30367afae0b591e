"""Paths that mean harm to a service that opens files by name, and a data folder full of traps for it."""

import os
import socket
from itertools import product
from pathlib import Path
from typing import Final
from urllib.parse import quote

SECRET: Final = b"outside of the base path"

_CLIMBS: Final = (
    *("../", "../../", "a/../../", "./../", "//../", "..//", "a/b/../../../", "orders/../../", "../data/../"),
    *("folder.txt/../../", "out/../", "inside/../../", "../" * 40),
)
_TARGETS: Final = ("secret.txt", "home/secret.txt", "seqfacility.db.txt", "secret.key", "secret.fastq.gz")
_ABSOLUTE: Final = (
    *("/etc/passwd", "/etc/passwd.txt", "//etc/passwd.txt", "///etc/passwd.txt", "/./etc/passwd.txt"),
    *(
        "/proc/self/environ",
        "/proc/self/environ.txt",
        "/proc/self/root/etc/passwd.txt",
        "/proc/self/fd/0.txt",
    ),
    *("/dev/zero", "/dev/zero.txt", "/dev/stdin.txt", "/dev/fd/3.txt", "/sys/kernel/x.txt", "/tmp/x.txt"),  # noqa: S108  # never opened
    *("file:///etc/passwd.txt", "file://localhost/etc/passwd.txt", "http://127.0.0.1/x.txt", "ftp://x/y.txt"),
)
_ODD: Final = (
    *("..", ".", "/", "//", "./", "...", "../", "/..", "/.", "....//secret.txt", "..../secret.txt"),
    *("~/secret.txt", "~root/secret.txt", "$HOME/secret.txt", "${HOME}/secret.txt", "`id`.txt", "$(id).txt"),
    *(
        "a;id.txt",
        "a|id.txt",
        "a&&id.txt",
        "-rf.txt",
        "--help.txt",
        "*.txt",
        "{a,b}.txt",
        "[a-z].txt",
        "?.txt",
    ),
    *("' OR 1=1 --.txt", '";--.txt', "%.txt", "_.txt", "<script>.txt", "{{7*7}}.txt", "%s%n.txt"),
)
_WINDOWS: Final = (
    *("C:\\x.txt", "C:/x.txt", "c:x.txt", "\\\\server\\share\\x.txt", "//server/share/x.txt", "\\x.txt"),
    *("..\\secret.txt", "a\\..\\secret.txt", "..\\..\\secret.txt", "..\\/secret.txt", "CON.txt", "NUL.txt"),
    *("secret.txt::$DATA", "secret.txt:stream.txt", "\\\\?\\C:\\x.txt", "SECRET~1.TXT"),
)
_CHARACTERS: Final = (
    *("a\0.txt", "\0", "a.txt\0.fastq", "a\n.txt", "\r\nX: y.txt", "a\t.txt", "\x7f.txt", "\x1b[31m.txt"),
    *("e\u0301.txt", "\u202etxt.exe", "\ufffd.txt", "\ufeffsecret.txt", "\u200b../secret.txt", "\u2028.txt"),
    *("\uff052e\uff052e/secret.txt", "\uff0e\uff0e/secret.txt", "..\u2215secret.txt", "..\u2044secret.txt"),
    *(
        "%2e%2e/secret.txt",
        "..%2fsecret.txt",
        "..%c0%afsecret.txt",
        "%252e%252e%252fsecret.txt",
        "..%00/x.txt",
    ),
)
_HIDDEN: Final = (
    *(".hidden.txt", "orders/.tmp/x/a.fastq", "a/.git/config.txt", ".ssh/id.txt", ".env.txt", "a/.../b.txt"),
    *("orders/.TMP/x.txt", "a/..b/c.txt", ".. /secret.txt", " ../secret.txt", "../ secret.txt"),
)
_LONG: Final = (
    "x" * 300 + ".txt",
    "a/" * 2000 + "a.txt",
    "a/" * 100_000 + "a.txt",
    "/" * 5000 + "a.txt",
    "é" * 200,
)
_NEARLY: Final = (
    *("secret.txt ", " secret.txt", "SECRET.TXT", "secret.txt.", "secret.txt/", "secret.txt/x.txt"),
    *(
        "secret.txt/.",
        "secret.txt/..",
        "secret.txt//",
        "./secret.txt/./",
        "secret.txt#.txt",
        "secret.txt?x.txt",
    ),
)
_TRAPS: Final = (
    *("out.txt", "out/secret.txt", "out/home/secret.txt", "absolute.txt", "absolute/passwd.txt", "loop.txt"),
    *(
        "loop/a.txt",
        "folder.txt",
        "folder.txt/",
        "pipe.txt",
        "socket.txt",
        "null.txt",
        "zero.txt",
        "dead.txt",
    ),
    *("chain.txt", "out.txt/../secret.txt", "out/../out/secret.txt", "process/environ.txt", "environ.txt"),
    *("unreadable", "descriptor.txt", "folder.fastq.gz"),
)

HOSTILE_PATHS: Final = (
    *(climb + target for climb, target in product(_CLIMBS, _TARGETS)),
    *(*_ABSOLUTE, *_ODD, *_WINDOWS, *_CHARACTERS, *_HIDDEN, *_LONG, *_NEARLY, *_TRAPS),
)
"""As a request means them, before anything is encoded."""

HOSTILE_QUERIES: Final = (
    *(quote(path, safe="") for path in HOSTILE_PATHS),
    *("..%2f..%2fsecret.txt", "%2e%2e%2fsecret.txt", "%252e%252e%252fsecret.txt", "..%c0%afsecret.txt"),
    *(
        "%ff%fe.txt",
        "a%00.txt",
        "..%5csecret.txt",
        "+../secret.txt",
        "%2fetc%2fpasswd.txt",
        "%%.txt",
        "%zz.txt",
    ),
    *(
        "a.txt&path=../b.txt",
        "&path=../secret.txt",
        "%u002e%u002e/secret.txt",
        "%ed%a0%80.txt",
        "a;path=../b.txt",
    ),
)
"""As they may stand in a query: all of the above, and spellings that no correct client would send."""


def set_traps(data: Path) -> None:
    """Put links that lead out of a data folder, special files, and what they lead to."""
    (data.parent / "secret.txt").write_bytes(SECRET)
    (data.parent / "secret.fastq.gz").write_bytes(SECRET)
    links = {
        "out.txt": "../secret.txt",
        "out": "..",
        "absolute.txt": "/etc/passwd",
        "absolute": "/etc",
        "loop.txt": "loop.txt",
        "loop": "loop",
        "null.txt": "/dev/null",
        "zero.txt": "/dev/zero",
        "dead.txt": "../nowhere.txt",
        "chain.txt": "out.txt",
        "process": "/proc/self",
        "environ.txt": "/proc/self/environ",
        "descriptor.txt": "/proc/self/fd/0",
    }
    for name, target in links.items():
        (data / name).symlink_to(target)
    for name in ("folder.txt", "folder.fastq.gz", "inside"):
        (data / name).mkdir()
    os.mkfifo(data / "pipe.txt")
    with socket.socket(socket.AF_UNIX) as bound:
        # WHY: an address is short; the folder's own path may not be.
        folder = os.open(data, os.O_RDONLY | os.O_DIRECTORY)
        bound.bind(f"/proc/self/fd/{folder}/socket.txt")
        os.close(folder)


def clear_traps(data: Path) -> None:
    for name in ("secret.txt", "secret.fastq.gz"):
        (data.parent / name).unlink()
    for place in data.iterdir():
        if place.is_dir() and not place.is_symlink() and not any(place.iterdir()):
            place.rmdir()
        elif not place.is_dir() or place.is_symlink():
            place.unlink()
