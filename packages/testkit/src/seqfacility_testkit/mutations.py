"""JSON documents that are almost what they should be."""

import json
import random
from collections.abc import Callable
from copy import deepcopy
from typing import Any, Final

VALUES: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, -1, 1, 1.5, 10**30, -(10**400), 1e308, [], {}, [[]], [None], {"": None}, "", " "),
    *(
        "\0",
        "\ud800",
        "é" * 300,
        "x" * 70_000,
        "../../etc/passwd",
        "/etc/passwd",
        "<script>alert(1)</script>",
    ),
    *(
        "javascript:alert(1)",
        "http://127.0.0.1/",
        "file:///etc/passwd",
        "2031-02-30",
        "9" * 50,
        "=1+1",
        "a\nb",
    ),
    *("(((", "{pipeline_id}", "%s", "1.0.0", "Infinity", ["x"] * 2000, {"$ref": "#"}, {"__proto__": {}}),
)
"""What a careless or hostile author puts in a place."""


def mutated(document: Any, dice: random.Random, max_changes: int = 4) -> bytes:
    """Write a document with one to `most` random changes; sometimes its bytes are spoilt as well.

    A change replaces a value, removes or renames a key, repeats, removes or reorders entries, or moves a
    value to another place.
    """
    changed = deepcopy(document)
    for _ in range(dice.randint(1, max_changes)):
        changed = dice.choice(_CHANGES)(changed, dice)
    content = json.dumps(changed).encode()
    return _spoilt(content, dice) if dice.random() < 0.1 else content


def _spoilt(content: bytes, dice: random.Random) -> bytes:
    position = dice.randrange(len(content))
    return dice.choice(
        [
            content[:position],
            content[:position] + bytes([dice.randrange(256)]) + content[position + 1 :],
            content[:position] + content[position // 2 :],
            b"\xef\xbb\xbf" + content,
            content + content,
        ]
    )


def _place(document: Any, dice: random.Random) -> tuple[Any, Any] | None:
    """Choose a container and a key in it, near the top as often as far below."""
    container, chosen = document, None
    while isinstance(container, dict | list) and container:
        key = dice.choice(list(container)) if isinstance(container, dict) else dice.randrange(len(container))
        chosen = container, key
        if dice.random() < 0.2:
            break
        container = container[key]
    return chosen


def _replace(document: Any, dice: random.Random) -> Any:
    place = _place(document, dice)
    if place is None or dice.random() < 0.01:
        return deepcopy(dice.choice(VALUES))
    container, key = place
    container[key] = deepcopy(dice.choice(VALUES))
    return document


def _remove(document: Any, dice: random.Random) -> Any:
    if place := _place(document, dice):
        container, key = place
        del container[key]
    return document


def _rename(document: Any, dice: random.Random) -> Any:
    if (place := _place(document, dice)) and isinstance(place[0], dict):
        container, key = place
        container[dice.choice(["", "id", key.upper(), "\0", f"{key} "])] = container.pop(key)
    return document


def _repeat(document: Any, dice: random.Random) -> Any:
    if (place := _place(document, dice)) and isinstance(place[0], list):
        container, key = place
        container.extend([container[key]] * dice.choice([1, 1, 50]))
    return document


def _reorder(document: Any, dice: random.Random) -> Any:
    if (place := _place(document, dice)) and isinstance(place[0], list):
        dice.shuffle(place[0])
    return document


def _move(document: Any, dice: random.Random) -> Any:
    source, target = _place(document, dice), _place(document, dice)
    if source and target:
        target[0][target[1]] = deepcopy(source[0][source[1]])
    return document


_CHANGES: Final[tuple[Callable[[Any, random.Random], Any], ...]] = (
    *(_replace, _replace, _replace, _remove, _rename, _repeat, _reorder, _move),
)
