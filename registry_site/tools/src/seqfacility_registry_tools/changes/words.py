"""Two contents compared: lines of Markdown for a pull request, and versions that should have been raised."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from seqfacility_pipeline_package.names import version_order

from seqfacility_registry_tools.changes.things import Thing, Things

LONGEST_VALUE = 120
SHOWN_BEFORE = 20
LONGEST_LIST = 40
"""More values than this are counted, and more parts of what has hundreds of harmless ones."""

LONG_LISTS = ("checklist", "metric")


def summary(old: Mapping[str, Thing], new: Mapping[str, Thing]) -> str:
    """Say as Markdown what was added, removed and changed. Decision: G949, G952."""
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
    for title in ("Catalog", "Checklists", "Pipelines", "Releases", "Install profiles"):
        found += [f"{title}: {name} is gone" for name in _gone(old[title].parts, new[title].parts)]
    for (_, name), was, now in _in_both(old["Pipelines"], new["Pipelines"]):
        lost = _gone(_of_kind(was, "version"), _of_kind(now, "version"))
        found += [f"Pipelines: {name}: {version} is gone" for version in lost]
        for (kind, version), package, other in _in_both(was, now):
            if kind == "version" and package.parts != other.parts:
                found.append(f"Pipelines: {name}: {version} is published and has changed")
    for (_, name), was, now in _in_both(old["Install profiles"], new["Install profiles"]):
        if was != now and was.facts["version"] == now.facts["version"]:
            found.append(f"Install profiles: {name}: changed, and still version {was.facts['version']}")
    return found


def _parts(old: Things, new: Things) -> Iterator[str]:
    for kind, name in sorted({*old, *new}):
        before, now = old.get((kind, name)), new.get((kind, name))
        label = f"{kind} {_quoted(name)}"
        if now is None:
            yield f"{label} **removed**"
        elif before is None:
            yield _added(kind, name, now, new)
        elif before != now:
            inner = [*_facts(before, now), *_parts(before.parts, now.parts)]
            yield f"{label}: {inner[0]}" if len(inner) == 1 else _nested(f"{label}:", inner, kind)


def _added(kind: str, name: str, thing: Thing, beside: Things) -> str:
    """Say what an added thing is; of a version each file that its predecessor has not, or has otherwise."""
    head, files = f"{kind} {_quoted(name)} **added**", list[str]()
    if kind == "version":
        lower = [other for other in _versions(beside) if version_order(other) < version_order(name)]
        before = beside["version", lower[-1]] if lower else Thing({})
        files = list(_parts(before.parts, thing.parts))
        head += _contents(Thing(thing.facts)) + (f"; beside {_quoted(lower[-1])}" if lower else "")
    else:
        head += _contents(thing)
        if kind == "pipeline":
            files = list(_parts({}, _of_kind(thing, "version")))
    return _nested(f"{head}:", files, kind) if files else head


def _versions(things: Things) -> list[str]:
    return sorted((name for kind, name in things if kind == "version"), key=version_order)


def _nested(head: str, lines: Sequence[str], kind: str) -> str:
    longest = LONGEST_LIST if kind in LONG_LISTS else len(lines)
    shown = [line.replace("\n", "\n  ") for line in lines[:longest]]
    rest = len(lines) - longest
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
        elif key == "withdrawn" and now is not None:
            yield f"**withdrawn**: {_value(now)}"
        elif isinstance(before, list) and isinstance(now, list):
            yield f"{_plain(key)}: {_list_change(before, now)}"
        else:
            yield f"{_plain(key)}: {_change(before, now)}"
    if old.lines != new.lines:
        yield _line_change(old.lines, new.lines)


def _line_change(old: Sequence[bytes], new: Sequence[bytes]) -> str:
    changes = [code for code in SequenceMatcher(None, old, new).get_opcodes() if code[0] != "equal"]
    lost = sum(end - start for _, start, end, _, _ in changes)
    added = sum(end - start for _, _, _, start, end in changes)
    return f"changed, +{added} \u2212{lost} lines"


def _list_change(old: list[object], new: list[object]) -> str:
    added = [one for one in new if one not in old]
    lost = [one for one in old if one not in new]
    words = [f"{sign} {_value(one)}" for sign, several in (("+", added), ("\u2212", lost)) for one in several]
    rest = len(words) - LONGEST_LIST
    return ", ".join([*words[:LONGEST_LIST], *([f"and {rest} more"] if rest > 0 else [])]) or "another order"


def _contents(thing: Thing) -> str:
    """Say briefly what an added thing is: its facts when it has no parts, else how many of each kind."""
    if thing.lines:
        return f": {len(thing.lines)} lines"
    counts = Counter(kind for kind, _ in thing.parts)
    if counts:
        said = [f"{number} {kind}{'s' if number > 1 else ''}" for kind, number in sorted(counts.items())]
    else:
        said = [
            f"{_plain(key)} {_value(value)}"
            for key, value in thing.facts.items()
            if value not in (None, [], "")
        ]
    return f": {', '.join(said)}" if said else ""


def _change(old: object, new: object) -> str:
    """Say what a value was and is; of long ones from shortly before the place where they part."""
    start = 0
    if old is not None and new is not None:
        before, now = _text(old), _text(new)
        shorter, longer = sorted((len(before), len(now)))
        same = next((at for at in range(shorter) if before[at] != now[at]), shorter)
        start = max(same - SHOWN_BEFORE, 0) if longer > LONGEST_VALUE else 0
    return f"{_value(old, start)} \u2192 {_value(new, start)}"


def _value(value: object, start: int = 0) -> str:
    """Quote a value, so that no text of the content is read as Markdown."""
    if value is None:
        return "nothing"
    text = ("\u2026" if start else "") + _text(value)[start:]
    return _quoted(f"{text[:LONGEST_VALUE]}\u2026" if len(text) > LONGEST_VALUE else text)


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _quoted(text: str) -> str:
    return f"`{_plain(text)}`"


def _plain(text: str) -> str:
    """Take from a text or name what would end its line or its quotes: file names may have line breaks."""
    shown = "".join(character if character.isprintable() else "\ufffd" for character in text)
    return shown.replace("`", "\u2019")


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
