"""JSON Schemas and examples of every document that crosses a border, with the loader for them.

A schema's name is its place without the ending: `registry/mixs`, `instance/order`. Schemas refer to
each other by relative `$ref`.
"""

import json
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

BASE = "https://seqfacility.example/schemas/"
ENDING = ".schema.json"
_ROOT = files(__package__)


def consumer_schema(schema: Any) -> Any:
    """Make of a schema, or a part of one, what a consumer holds documents against. Decision: G445."""
    if isinstance(schema, list):
        return [consumer_schema(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if isinstance(loose := schema.get("x-consumer"), dict):
        return loose
    return {
        key: consumer_schema(part)
        for key, part in schema.items()
        if not (key in {"additionalProperties", "unevaluatedProperties"} and part is False)
    }


def schema_names() -> list[str]:
    """Name every schema, sorted."""
    return sorted(name for name in _walk(_ROOT, "") if name)


def load_schema(name: str) -> dict[str, Any]:
    """Read one schema as a value."""
    schema: dict[str, Any] = json.loads(_ROOT.joinpath(f"{name}{ENDING}").read_text("utf-8"))
    return schema


def validator(name: str) -> "Draft202012Validator":
    """Return the validator of one schema, compiled once."""
    from seqfacility_schemas import checking

    return checking.validator(name)


class Profile(StrEnum):
    """Who holds a document against its schema: who publishes it, or who reads what a later release published.

    For a consumer objects are open, and what the schemas mark with `x-consumer` has the looser form that
    stands there. Decision: G445.
    """

    PRODUCER = "producer"
    CONSUMER = "consumer"


def problems(name: str, document: object, limit: int = 50, profile: Profile = Profile.PRODUCER) -> list[str]:
    """List what keeps `document` from being a `name`, as `<key path>: <reason>`, at most `limit` lines."""
    from seqfacility_schemas import checking

    return checking.problems(name, document, limit, profile)


@cache
def routes() -> Mapping[tuple[str, str, int], str]:
    """Return the contract table of the instance: (method, path template, status) to schema name."""
    table: dict[tuple[str, str, int], str] = {}
    for part in sorted(_ROOT.joinpath("instance/routes").iterdir(), key=lambda entry: entry.name):
        for row in json.loads(part.read_text("utf-8")):
            table[row["method"], row["path"], row["status"]] = row["schema"]
    return table


@cache
def registry_routes() -> Mapping[tuple[str, str, int], str]:
    """Return the contract table of the registry, in the same form as `routes`."""
    rows = json.loads(_ROOT.joinpath("registry/routes.json").read_text("utf-8"))
    return {(row["method"], row["path"], row["status"]): row["schema"] for row in rows}


@cache
def slices() -> Mapping[tuple[str, str], str]:
    """Name the slice of the instance that each (method, path template) of the contract table belongs to."""
    return {
        (row["method"], row["path"]): part.name.removesuffix(".json")
        for part in sorted(_ROOT.joinpath("instance/routes").iterdir(), key=lambda entry: entry.name)
        for row in json.loads(part.read_text("utf-8"))
    }


@cache
def operations(service: str) -> Mapping[tuple[str, str], Mapping[str, Any]]:
    """Return what requests of a service (`instance`, `registry`) may hold, by (method, path template).

    A row has any of `query`, `headers` (name to `{about, required?, schema}`), `body` (`{schema?, media?,
    required?}`), `cached` (whether its answer has an ETag), `answers` (status to `{media?, headers?}`) and
    `refusals` (`[status, text]`). A request without a row has neither parameters nor a body.

    Decision: G361.
    """
    folder = _ROOT.joinpath(f"{service}/operations")
    rows = [row for part in folder.iterdir() for row in json.loads(part.read_text("utf-8"))]
    return {(row["method"], row["path"]): row for row in rows}


def valid_examples(name: str) -> Mapping[str, Any]:
    """Return the examples of one schema that fit it, by name."""
    folder = _ROOT.joinpath(f"examples/{name}/valid")
    if not folder.is_dir():
        return {}
    files_there = sorted(folder.iterdir(), key=lambda entry: entry.name)
    return {file.name.removesuffix(".json"): json.loads(file.read_text("utf-8")) for file in files_there}


def _walk(folder: Traversable, prefix: str) -> Iterator[str]:
    for entry in folder.iterdir():
        if entry.is_dir() and entry.name not in {"examples", "__pycache__"}:
            yield from _walk(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(ENDING):
            yield prefix + entry.name.removesuffix(ENDING)
