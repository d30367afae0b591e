"""The files that a workflow's docs/output.md names, and whether a pattern of ours can mean one of them."""

import re
from collections.abc import Iterator
from functools import lru_cache

from seqfacility_pipeline_package.wildcards import OutputPattern, PatternFault

_BULLET = re.compile(r"^(\s*)[-*] (.*)$")
_SPAN = re.compile(r"`([^`]+)`")
_FOLDER_LINE = re.compile(r"output directory[^`]*`([^`]+)`", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"<[^<>]*>|\$?\{[^{},]*\}|\[[^\[\]]*\]")
_STARS = re.compile(r"[*?]")
_ROOT = re.compile(r"^(\$?\{(params\.)?outdir\}|<outdir>|results)/", re.IGNORECASE)


def named_paths(page: str) -> set[str]:
    """Collect the paths that the lists of an output page name, as patterns; placeholders become `*`.

    A list item stands in the folder of the item that it is nested in, or of the line "Output directory"
    before it. A folder is no file, and a name of placeholders alone, which any file would fit, names none.
    """
    paths = {_pattern(text) for text in _texts(page) if not text.endswith("/")}
    return {path for path in paths if path.rpartition("/")[2].strip("*?.")}


def is_named(pattern: str, paths: set[str]) -> bool:
    """Return whether some file fits both the pattern and one of the named paths, and ends as that is named.

    What the page leaves open by a placeholder, as a folder, is not looked at.

    Decision: G955.
    """
    ours = OutputPattern.parse(pattern).alternatives
    for path in paths:
        try:
            theirs = OutputPattern.parse(path).alternatives
        except PatternFault:
            continue
        if any(_end_alike(one, other) and _paths_meet(one, other) for one in ours for other in theirs):
            return True
    return False


def _texts(page: str) -> Iterator[str]:
    base, stack = "", list[tuple[int, list[str]]]()
    for line in page.splitlines():
        if line.startswith("#"):
            base, stack = "", []
        elif found := _FOLDER_LINE.search(line):
            base, stack = _folder(found[1]), []
        elif item := _BULLET.match(line):
            indent = len(item[1])
            while stack and stack[-1][0] >= indent:
                stack.pop()
            above = stack[-1][1] if stack else [base]
            paths = [folder + span for span in _names(item[2]) for folder in above]
            yield from paths
            stack.append((indent, [_folder(path) for path in paths] or above))


def _names(text: str) -> list[str]:
    """Take the spans of a list item that stand before its explanation; blanks mean that it is no path."""
    head = re.split(r"`\s*(?::|\u2013|-\s)", text, maxsplit=1)[0] + "`"
    return [span for span in _SPAN.findall(head) if " " not in span and not span.startswith("-")]


def _folder(text: str) -> str:
    folder = _ROOT.sub("", text.strip()).removesuffix("*").strip("/")
    return f"{folder}/" if folder else ""


def _pattern(text: str) -> str:
    return re.sub(r"\*+", "*", _PLACEHOLDER.sub("*", _ROOT.sub("", text))).strip("/")


def _end_alike(ours: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    """Return whether a named file ends as the pattern asks after its last `*`, or at all for a plain name."""
    _, *open_part = _STARS.split(ours[-1])
    ending = _STARS.split(theirs[-1])[-1]
    return ending.endswith(open_part[-1]) if open_part else bool(ending)


def _paths_meet(ours: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    if not ours or not theirs:
        return not ours and not theirs
    if ours[0] == "**":
        return _paths_meet(ours[1:], theirs) or _paths_meet(ours, theirs[1:])
    return _names_meet(ours[0], theirs[0]) and _paths_meet(ours[1:], theirs[1:])


# WHY: without memory two names with several `*` each are compared over and over.
@lru_cache(maxsize=100_000)
def _names_meet(one: str, other: str) -> bool:
    """Return whether some name fits both, each with `*` and `?`."""
    if not one or not other:
        return not (one + other).strip("*")
    if one[0] == "*":
        return _names_meet(one[1:], other) or _names_meet(one, other[1:])
    if other[0] == "*":
        return _names_meet(other, one)
    return (one[0] == other[0] or "?" in {one[0], other[0]}) and _names_meet(one[1:], other[1:])
