"""JSON Schemas as the components of one document: references between files become references inside it."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

Load = Callable[[str], Mapping[str, Any]]
"""Gives a schema by its name: `instance/order`."""


def component_name(schema_name: str) -> str:
    """Return the component name of a schema: `instance/order` is `instance.order`."""
    return schema_name.replace("/", ".")


def components(names: Iterable[str], load: Load) -> dict[str, Any]:
    """Return the components of the named schemas and of all that they refer to, by component name.

    A definition within a schema is a component beside it: generators of types read a reference to a
    component, and take one into the middle of a component for a type that is its own part.
    """
    found: dict[str, Any] = {}
    seen: set[str] = set()
    waiting = sorted(set(names), reverse=True)
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        referred: set[str] = set()
        embedded = _rewritten(load(name), name, referred)
        parts = embedded.pop("$defs", {})
        found.update({f"{component_name(name)}.{part}": definition for part, definition in parts.items()})
        own = {key: value for key, value in embedded.items() if key not in {"$schema", "$id"}}
        if own.keys() - {"title", "description"} or not parts:
            found[component_name(name)] = own
        waiting.extend(sorted(referred, reverse=True))
    return dict(sorted(found.items()))


def _rewritten(value: Any, name: str, referred: set[str]) -> Any:  # any JSON value
    if isinstance(value, list):
        return [_rewritten(entry, name, referred) for entry in value]
    if not isinstance(value, dict):
        return value
    rewritten = {key: _rewritten(entry, name, referred) for key, entry in value.items()}
    reference = value.get("$ref")
    if isinstance(reference, str):
        file, _, pointer = reference.partition("#")
        target = _resolved(name, file) if file else name
        referred.add(target)
        part = pointer.replace("/$defs/", ".")
        rewritten["$ref"] = f"#/components/schemas/{component_name(target)}{part}"
    return rewritten


def _resolved(name: str, file: str) -> str:
    """Return the schema that a relative reference in `name` points at."""
    kept: list[str] = []
    for step in [*name.split("/")[:-1], *file.removesuffix(".schema.json").split("/")]:
        kept = kept[:-1] if step == ".." else [*kept, step]
    return "/".join(kept)
