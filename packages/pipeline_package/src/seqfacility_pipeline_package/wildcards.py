"""The pattern language of outputs: `**`, `*`, `?` and `{a,b}`, compared in bounded time."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

MAX_ALTERNATIVES = 64
"""A pattern that stands for more than this many plain ones is refused, so that braces cannot explode."""

_Token = TypeVar("_Token")
_Item = TypeVar("_Item")
_BRACES = re.compile(r"\{([^{}]*)\}")


class PatternFault(ValueError):
    """A pattern cannot be used; the text says why."""


@dataclass(frozen=True, slots=True)
class OutputPattern:
    """A pattern for paths below a run's `output/` folder.

    `*` stands for anything and `?` for one character within one name, `**` for any number of whole
    folders, `{a,b}` for either word. A name that begins with a dot is only taken by a pattern that
    spells the dot, so unfinished files are never results.

    Decision: G133.
    """

    alternatives: tuple[tuple[str, ...], ...]

    @classmethod
    def parse(cls, text: str) -> "OutputPattern":
        """Read a pattern. Raises `PatternFault` when it could leave the folder or makes no sense."""
        return _parsed(text)

    def matches(self, path: str) -> bool:
        """Return whether a path, relative to `output/` with `/` between its names, is meant."""
        names = path.split("/")
        return any(
            _wild(parts, names, lambda part: part == "**", _name_matches) for parts in self.alternatives
        )


# WHY: the few patterns of installed packages are matched against every output of every run.
@cache
def _parsed(text: str) -> OutputPattern:
    if not text or text.startswith("/") or "\\" in text or "\0" in text:
        raise PatternFault("must be a path relative to the output folder")
    alternatives = tuple(tuple(plain.split("/")) for plain in _without_braces(text))
    for parts in alternatives:
        for part in parts:
            if part in {"", ".", ".."}:
                raise PatternFault("must not have empty, '.' or '..' parts")
            if "**" in part and part != "**":
                raise PatternFault("may use ** only as a whole part")
    if any(parts[-1] == "**" for parts in alternatives):
        raise PatternFault("must end with a file name")
    return OutputPattern(alternatives)


def _without_braces(text: str) -> list[str]:
    done, waiting = [], [text]
    while waiting:
        current = waiting.pop()
        braces = _BRACES.search(current)
        if braces is None:
            if "{" in current or "}" in current:
                raise PatternFault("has a brace without its partner")
            done.append(current)
        else:
            before, after = current[: braces.start()], current[braces.end() :]
            waiting.extend(before + alternative + after for alternative in braces[1].split(","))
        if len(done) + len(waiting) > MAX_ALTERNATIVES:
            raise PatternFault(f"stands for more than {MAX_ALTERNATIVES} patterns")
    return sorted(done)


def _name_matches(pattern: str, name: str) -> bool:
    if name.startswith(".") and not pattern.startswith("."):
        return False
    return _wild(pattern, name, lambda char: char == "*", lambda char, actual: char in {"?", actual})


def _wild(
    tokens: Sequence[_Token],
    items: Sequence[_Item],
    is_star: Callable[[_Token], bool],
    same: Callable[[_Token, _Item], bool],
) -> bool:
    """Match a sequence against tokens, a star standing for any number of items.

    Going back only to the latest star is enough, and makes the work at most tokens times items.
    """
    at_token = at_item = 0
    star, taken = -1, 0
    while at_item < len(items):
        if at_token < len(tokens) and is_star(tokens[at_token]):
            star, taken = at_token, at_item
            at_token += 1
        elif at_token < len(tokens) and same(tokens[at_token], items[at_item]):
            at_token += 1
            at_item += 1
        elif star >= 0:
            taken += 1
            at_token, at_item = star + 1, taken
        else:
            return False
    return all(is_star(token) for token in tokens[at_token:])
