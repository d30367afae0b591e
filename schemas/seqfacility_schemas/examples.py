"""Examples of each schema: documents that fit it, and documents that have one stated problem.

The examples of `instance/order` are a list of cases in `examples/order.json` beside the schema. A case has a
`description` and either a whole `document` or `of` and `change`: the document of an earlier case of the list
with a few values `set` and keys `remove`d, each by its JSON pointer. A case with a `problem` is invalid.
"""

import copy
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seqfacility_schemas import REQUESTS, schema_files


@dataclass(frozen=True, slots=True)
class Example:
    """A document that fits its schema, or has one problem there: `order.status: enum`."""

    description: str
    document: Any
    problem: str | None


def example_file(name: str) -> Path:
    """Return where the examples of a schema lie, if it has any."""
    _, _, stem = name.partition("/")
    folder = schema_files()[name].parent
    return (folder.parent if folder.name == REQUESTS else folder) / "examples" / f"{stem}.json"


def examples(name: str) -> tuple[Example, ...]:
    """Return the examples of one schema."""
    file = example_file(name)
    cases = json.loads(file.read_text("utf-8")) if file.exists() else []
    documents: dict[str, Any] = {}
    for case in cases:
        if (base := case.get("of")) is None:
            documents[case["description"]] = case["document"]
        else:
            documents[case["description"]] = _changed(documents[base], case["change"])
    return tuple(
        Example(case["description"], documents[case["description"]], case.get("problem")) for case in cases
    )


def valid_examples(name: str) -> Mapping[str, Any]:
    """Return the documents that fit one schema, by a name made from their description."""
    return {
        example.description.replace(" ", "-"): example.document
        for example in examples(name)
        if example.problem is None
    }


def _changed(document: Any, change: Mapping[str, Any]) -> Any:
    """Return `document` with the change made; an index beyond the end of a list appends."""
    changed = copy.deepcopy(document)
    for pointer in change.get("remove", ()):
        holder, key = _place(changed, pointer)
        del holder[key]
    for pointer, value in change.get("set", {}).items():
        holder, key = _place(changed, pointer)
        if isinstance(holder, list) and key == len(holder):
            holder.append(value)
        else:
            holder[key] = value
    return changed


def _place(document: Any, pointer: str) -> tuple[Any, Any]:
    """Return what holds the value that a pointer leads to, and its key there."""
    *path, last = (step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:])
    for step in path:
        document = document[int(step) if isinstance(document, list) else step]
    return document, int(last) if isinstance(document, list) else last
