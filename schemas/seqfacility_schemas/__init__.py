"""JSON Schemas and examples of every document that crosses a border, with the loader for them.

A schema's name says whose it is and what: `registry/mixs`, `instance/order`, `instance/requests/order`. Its
file lies in the folder of the service, that of the instance's in the folder of the slice
(`instance/orders/order.schema.json`), with examples and operations beside it. Schemas refer to each other
by name: `$ref` is resolved against `BASE` and the name, not against the folder.
"""

import json
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

BASE = "https://seqfacility.example/schemas/"
ENDING = ".schema.json"
REQUESTS = "requests"
_FIRST_REFUSAL = 400
_ROOT = Path(__file__).parent


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


@cache
def schema_files() -> Mapping[str, Path]:
    """Return the file of each schema, by name."""
    return {_name_of(file): file for file in sorted(_ROOT.rglob(f"*{ENDING}"))}


def _name_of(file: Path) -> str:
    service = file.relative_to(_ROOT).parts[0]
    kind = f"{REQUESTS}/" if file.parent.name == REQUESTS else ""
    return f"{service}/{kind}{file.name.removesuffix(ENDING)}"


def schema_names() -> list[str]:
    """Return the names of all schemas, sorted."""
    return sorted(schema_files())


def load_schema(name: str) -> dict[str, Any]:
    """Read one schema as a value."""
    schema: dict[str, Any] = json.loads(schema_files()[name].read_text("utf-8"))
    return schema


@cache
def object_keys(name: str, definition: str) -> frozenset[str]:
    """Return the keys that an object may have, by the definition of it in a schema."""
    definitions = load_schema(name)["$defs"]
    keys: set[str] = set()
    part = definitions[definition]
    while part is not None:
        keys |= part.get("properties", {}).keys()
        part = definitions.get(part.get("$ref", "").rpartition("/")[2])
    return frozenset(keys)


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
def operations(service: str) -> Mapping[tuple[str, str], Mapping[str, Any]]:
    """Return what a service (`instance`, `registry`) does, by (method, path template).

    A row has `answers` (status to `{schema?, media?, headers?}`) and any of `query`, `headers` (name to
    `{about, required?, schema}`), `body` (`{schema?, media?, required?}`), `cached` (whether its answer has
    an ETag) and `refusals` (names of classes, see `seqfacility_wire.openapi.refusals`).

    Decision: G361.
    """
    return {key: row for rows in _operations_by_slice(service).values() for key, row in rows.items()}


@cache
def routes(service: str) -> Mapping[tuple[str, str, int], str]:
    """Return the schemas of answers, `-` for none, by (method, path template, status)."""
    return {
        (*key, int(status)): answer.get("schema", "-")
        for key, row in operations(service).items()
        for status, answer in row["answers"].items()
        if "schema" in answer or int(status) < _FIRST_REFUSAL
    }


@cache
def slices() -> Mapping[tuple[str, str], str]:
    """Return the slice of the instance that does an operation, by (method, path template)."""
    return {key: slice_ for slice_, rows in _operations_by_slice("instance").items() for key in rows}


@cache
def _operations_by_slice(service: str) -> Mapping[str, Mapping[tuple[str, str], Mapping[str, Any]]]:
    return {
        file.parent.name: {(row["method"], row["path"]): row for row in json.loads(file.read_text("utf-8"))}
        for file in sorted(_ROOT.joinpath(service).rglob("operations.json"))
    }
