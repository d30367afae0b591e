"""Semantic versions, compared by number: 1.1.10 is newer than 1.1.9."""

import re
from functools import total_ordering
from typing import Self

_VERSION = re.compile(
    r"v?(?P<numbers>[0-9]{1,9}(\.[0-9]{1,9}){0,3})(-(?P<pre>[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*))?(\+[0-9A-Za-z.-]+)?"
)


@total_ordering
class Version:
    """A release as semantic versioning orders it; a pre-release is older than its release.

    Missing numbers count as zero (`1.2` equals `1.2.0`), build metadata is ignored.

    Spec: registry, Release feed. Decision: G238.
    """

    __slots__ = ("_key",)

    def __init__(self, numbers: tuple[int, ...], pre_release: tuple[str, ...] = ()) -> None:
        padded = (*numbers, 0, 0, 0, 0)[:4]
        parts = tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in pre_release)
        self._key = (padded, not pre_release, parts)

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Read a version; None when the text is none. Decision: G238."""
        found = _VERSION.fullmatch(text)
        if found is None:
            return None
        numbers = tuple(int(part) for part in found["numbers"].split("."))
        return cls(numbers, tuple(found["pre"].split(".")) if found["pre"] else ())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Version) and self._key == other._key

    def __lt__(self, other: "Version") -> bool:
        return self._key < other._key

    def __hash__(self) -> int:
        return hash(self._key)


def is_newer(candidate: str, than: str) -> bool:
    """Return whether `candidate` is a later version; False when either is no version.

    Spec: registry, Release feed. Decision: G238.
    """
    left, right = Version.parse(candidate), Version.parse(than)
    return left is not None and right is not None and left > right
