"""The lists of MD5 in the folders that files are sent from."""

import os
from collections.abc import Iterable
from pathlib import Path

from seqfacility_client.errors import TransferRefused
from seqfacility_client.rules.checksum_lists import is_checksum_list, listed_checksums

_MAX_BYTES = 64 * 1024 * 1024


def found_checksums(folders: Iterable[Path]) -> dict[Path, str]:
    """Return the MD5 of every file that a list in one of the folders names.

    Raises `TransferRefused` for a list that cannot be read, and when two lists contradict each other.

    Decision: G427.
    """
    found: dict[Path, str] = {}
    for folder in dict.fromkeys(folders):
        for place in _lists_in(folder):
            for name, md5 in listed_checksums(place.name, _text(place)).items():
                file = absolute(folder / name)
                if found.setdefault(file, md5) != md5:
                    raise TransferRefused(f"{place} gives {name} another MD5 than another list")
    return found


def absolute(path: Path) -> Path:
    """Return a path by which the same file is known in lists of several folders."""
    return Path(os.path.abspath(path))  # noqa: PTH100  # without following links


def _lists_in(folder: Path) -> list[Path]:
    try:
        return sorted(place for place in folder.iterdir() if is_checksum_list(place.name) and place.is_file())
    except OSError as unreadable:
        raise TransferRefused(f"{folder} cannot be read: {unreadable.strerror}") from unreadable


def _text(place: Path) -> str:
    try:
        if place.stat().st_size > _MAX_BYTES:
            raise TransferRefused(f"{place} is too large for a list of checksums")
        return place.read_text("utf-8", "surrogateescape")
    except OSError as unreadable:
        raise TransferRefused(f"{place} cannot be read: {unreadable.strerror}") from unreadable
