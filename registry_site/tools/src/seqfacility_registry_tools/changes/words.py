"""Two contents compared: lines of Markdown for a pull request, and versions that should have been raised."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from seqfacility_registry_tools.changes.published import Thing, Things, plain

LONGEST_VALUE = 120
LONGEST_LIST = 40
"""More parts of one thing than this are counted: an added checklist has hundreds of terms."""


def summary(old: Mapping[str, Thing], new: Mapping[str, Thing]) -> str:
    """Say as Markdown what was added, withdrawn and changed. Decision: G949."""
    sections = []
    for title, now in new.items():
        lines = [*_facts(old[title], now), *_parts(old[title].parts, now.parts)]
        if lines:
            sections.append("\n".join([f"## {title}", "", *(f"- {line}" for line in lines)]))
    return "\n\n".join(sections or ["Nothing that is published changes."]) + "\n"


def unraised_versions(old: Mapping[str, Thing], new: Mapping[str, Thing]) -> list[str]:
    """Name what changes under a version that stays, or disappears; instances would not see it, or lose it.

    Decision: G950.
    """
    found = []
    for title in ("Catalog", "Checklists"):
        before, after = old[title], new[title]
        if _number(after) < _number(before):
            found.append(f"{title}: version {_number(after)} is lower than {_number(before)}")
        elif _number(after) == _number(before) and before != after:
            found.append(f"{title}: changed, and still version {_number(before)}")
    for title in ("Pipelines", "Releases"):
        found += [f"{title}: {name} is gone" for name in _gone(old[title].parts, new[title].parts)]
    for (_, name), was, now in _in_both(old["Pipelines"], new["Pipelines"]):
        lost = _gone(_of_kind(was, "version"), _of_kind(now, "version"))
        found += [f"Pipelines: {name}: {version} is gone" for version in lost]
    for (_, name), was, now in _in_both(old["Install profiles"], new["Install profiles"]):
        if was != now and was.facts["version"] == now.facts["version"]:
            found.append(f"Install profiles: {name}: changed, and still version {was.facts['version']}")
    return found


def _parts(old: Things, new: Things) -> Iterator[str]:
    for kind, name in sorted({*old, *new}):
        before, now = old.get((kind, name)), new.get((kind, name))
        if before is None and now is not None:
            yield f"{kind} `{name}` **added**{_contents(now)}"
        elif now is None:
            yield f"{kind} `{name}` **withdrawn**"
        elif before is not None and now is not None and before != now:
            inner = [*_facts(before, now), *_parts(before.parts, now.parts)]
            yield f"{kind} `{name}`: {inner[0]}" if len(inner) == 1 else _nested(f"{kind} `{name}`:", inner)


def _nested(head: str, lines: Sequence[str]) -> str:
    shown = [line.replace("\n", "\n  ") for line in lines[:LONGEST_LIST]]
    rest = len(lines) - LONGEST_LIST
    return "\n".join(
        [head, *(f"  - {line}" for line in shown), *([f"  - and {rest} more"] if rest > 0 else [])]
    )


def _facts(old: Thing, new: Thing) -> Iterator[str]:
    for key in dict.fromkeys([*old.facts, *new.facts]):
        before, now = old.facts.get(key), new.facts.get(key)
        if before == now:
            continue
        if key == "available" and before and not now:
            yield "**discontinued**"
        elif isinstance(before, list) and isinstance(now, list):
            yield f"{key}: {_list_change(before, now)}"
        else:
            yield f"{key}: {_value(before)} \u2192 {_value(now)}"


def _list_change(old: list[object], new: list[object]) -> str:
    added = [one for one in new if one not in old]
    lost = [one for one in old if one not in new]
    words = [f"{sign} {_value(one)}" for sign, several in (("+", added), ("\u2212", lost)) for one in several]
    rest = len(words) - LONGEST_LIST
    return ", ".join([*words[:LONGEST_LIST], *([f"and {rest} more"] if rest > 0 else [])]) or "another order"


def _contents(thing: Thing) -> str:
    """Say briefly what an added thing is: its facts when it has no parts, else how many of each kind."""
    counts = Counter(kind for kind, _ in thing.parts)
    if counts:
        said = [f"{number} {kind}{'s' if number > 1 else ''}" for kind, number in sorted(counts.items())]
    else:
        said = [f"{key} {_value(value)}" for key, value in thing.facts.items() if value not in (None, [], "")]
    return f": {', '.join(said)}" if said else ""


def _value(value: object) -> str:
    """Quote a value, so that no text of the content is read as Markdown."""
    if value is None:
        return "nothing"
    text = plain(value).replace("`", "\u2019")
    return f"`{text[:LONGEST_VALUE]}\u2026`" if len(text) > LONGEST_VALUE else f"`{text}`"


def _in_both(old: Thing, new: Thing) -> Iterator[tuple[tuple[str, str], Thing, Thing]]:
    for key, before in old.parts.items():
        if key in new.parts:
            yield key, before, new.parts[key]


def _of_kind(thing: Thing, kind: str) -> Things:
    return {key: part for key, part in thing.parts.items() if key[0] == kind}


def _gone(old: Things, new: Things) -> list[str]:
    return [f"{kind} {name}" for kind, name in sorted(old) if (kind, name) not in new]


def _number(section: Thing) -> int:
    version = section.facts.get("version", 0)
    assert isinstance(version, int)
    return version
