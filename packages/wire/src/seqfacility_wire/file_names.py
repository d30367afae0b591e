"""Names for files that are handed out, which every file system can have side by side."""

import hashlib
import re
import unicodedata

_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]')
_NOT_PLAIN = re.compile(r"[^A-Za-z0-9._-]")
_MAX_BYTES = 255
_END_BYTES = 100
"""Enough for the mate and the extension, where a name is cut."""


def portable_name(name: str) -> str:
    """Return a name without characters that a file system may not have: they become `_`.

    Decision: G429, G506.
    """
    cleaned = _FORBIDDEN.sub("_", name).rstrip(". ")
    return f"_{cleaned}" if cleaned.startswith(".") or not cleaned else cleaned


def plain_name(name: str) -> str:
    """Return a name of ASCII letters, digits and `._-`, which no address, shell or list writes differently.

    Accents are left out, other characters become `_`; it does not begin with `.` or `-`.

    Decision: G528.
    """
    bare = "".join(one for one in unicodedata.normalize("NFKD", name) if not unicodedata.combining(one))
    plain = _NOT_PLAIN.sub("_", bare)
    return fitting_name("_" if plain[:1] in {"", ".", "-"} else "", plain)


def fitting_name(prefix: str, name: str, suffix: str = "") -> str:
    """Put `prefix` and `suffix` around a name; one that gets too long is cut to a hash and its end."""
    whole = f"{prefix}{name}{suffix}"
    if len(whole.encode("utf-8", "surrogateescape")) <= _MAX_BYTES:
        return whole
    encoded = name.encode("utf-8", "surrogateescape")
    end = encoded[-_END_BYTES:].decode("utf-8", "ignore")
    return f"{prefix}{hashlib.sha256(encoded).hexdigest()[:16]}-{end}{suffix}"


def unique_path(folder: str, name: str, row_id: str, taken: set[str]) -> str:
    """Return a path for a file that is not in `taken`, and add it there.

    One that is taken gets the id of the row in front of its name; capital letters, and accents stored with or
    apart from their letters, make no other place.

    Decision: G85, G429, G506.
    """
    place, number = f"{folder}/{name}", 1
    while _folded(place) in taken:
        mark = row_id if number == 1 else f"{row_id}-{number}"
        place, number = f"{folder}/{fitting_name(f'{mark}-', name)}", number + 1
    taken.add(_folded(place))
    return place


def _folded(place: str) -> str:
    """Return what is equal for two paths that some file system takes for one."""
    folded = unicodedata.normalize("NFD", place).casefold()
    return unicodedata.normalize("NFD", folded)
