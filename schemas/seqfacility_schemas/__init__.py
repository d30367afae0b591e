"""JSON Schemas and examples of every document that crosses a border, with the loader for them.

A schema's name is its place without the ending: `registry/mixs`, `instance/order`. Schemas refer to
each other by relative `$ref`.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

BASE = "https://seqfacility.example/schemas/"
ENDING = ".schema.json"
_ROOT = files(__package__)


def schema_names() -> list[str]:
    """Name every schema, sorted."""
    return sorted(name for name in _walk(_ROOT, "") if name)


def load_schema(name: str) -> dict[str, Any]:
    """Read one schema as a value."""
    schema: dict[str, Any] = json.loads(_ROOT.joinpath(f"{name}{ENDING}").read_text("utf-8"))
    return schema


def validator(name: str) -> "Draft202012Validator":
    """Give the validator of one schema, compiled once."""
    from seqfacility_schemas import checking

    return checking.validator(name)


def problems(name: str, document: object, limit: int = 50) -> list[str]:
    """List what keeps `document` from being a `name`, as `<key path>: <reason>`, at most `limit` lines."""
    from seqfacility_schemas import checking

    return checking.problems(name, document, limit)


@cache
def routes() -> Mapping[tuple[str, str, int], str]:
    """Give the contract table of the instance: (method, path template, status) to schema name."""
    table: dict[tuple[str, str, int], str] = {}
    for part in sorted(_ROOT.joinpath("instance/routes").iterdir(), key=lambda entry: entry.name):
        for row in json.loads(part.read_text("utf-8")):
            table[row["method"], row["path"], row["status"]] = row["schema"]
    return table


@cache
def registry_routes() -> Mapping[tuple[str, str, int], str]:
    """Give the contract table of the registry, in the same form as `routes`."""
    rows = json.loads(_ROOT.joinpath("registry/routes.json").read_text("utf-8"))
    return {(row["method"], row["path"], row["status"]): row["schema"] for row in rows}


def _walk(folder: Traversable, prefix: str) -> Iterator[str]:
    for entry in folder.iterdir():
        if entry.is_dir() and entry.name not in {"examples", "__pycache__"}:
            yield from _walk(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(ENDING):
            yield prefix + entry.name.removesuffix(ENDING)
