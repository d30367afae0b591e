"""JSON Schemas and examples of every document that crosses a border, with the loader for them.

A schema's name is its place without the ending: `registry/mixs`, `instance/order`. Schemas refer to
each other by relative `$ref`.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker, ValidationError, validators
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

_BASE = "https://seqfacility.example/schemas/"
_ENDING = ".schema.json"
_ROOT = files(__package__)


def _pattern(
    _validator: object, pattern: str, instance: object, _schema: object
) -> Iterator[ValidationError]:
    """Match as ECMA does: `$` is the end of the text, never the place before a last line break."""
    exact = re.sub(r"(?<!\\)\$$", r"\\Z", pattern)
    if isinstance(instance, str) and not re.search(exact, instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


_Validator: type[Draft202012Validator] = validators.extend(  # type: ignore[no-untyped-call]  # jsonschema stubs
    Draft202012Validator, {"pattern": _pattern}
)


def schema_names() -> list[str]:
    """Name every schema, sorted."""
    return sorted(name for name in _walk(_ROOT, "") if name)


def load_schema(name: str) -> dict[str, Any]:
    """Read one schema as a value."""
    schema: dict[str, Any] = json.loads(_ROOT.joinpath(f"{name}{_ENDING}").read_text("utf-8"))
    return schema


@cache
def validator(name: str) -> Draft202012Validator:
    """Give the validator of one schema, compiled once."""
    schema = {"$ref": f"{_BASE}{name}{_ENDING}"}
    checked: Draft202012Validator = _Validator(schema, registry=_registry(), format_checker=FormatChecker())
    return checked


def problems(name: str, document: object, limit: int = 50) -> list[str]:
    """List what keeps `document` from being a `name`, as `<key path>: <reason>`, at most `limit` lines."""
    found = []
    for error in validator(name).iter_errors(document):
        found.append(f"{_path(error)}: {error.message[:300]}")
        if len(found) >= limit:
            break
    return sorted(found)


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


@cache
def _registry() -> Registry[Any]:
    resources = [
        (
            f"{_BASE}{name}{_ENDING}",
            Resource.from_contents(_undeclared(load_schema(name)), default_specification=DRAFT202012),
        )
        for name in schema_names()
    ]
    return Registry().with_resources(resources)


def _undeclared(schema: dict[str, Any]) -> dict[str, Any]:
    """Drop `$schema`: jsonschema would go on with its stock validator there, whose `$` is not ours."""
    return {key: value for key, value in schema.items() if key != "$schema"}


def _walk(folder: Traversable, prefix: str) -> Iterator[str]:
    for entry in folder.iterdir():
        if entry.is_dir() and entry.name not in {"examples", "__pycache__"}:
            yield from _walk(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(_ENDING):
            yield prefix + entry.name.removesuffix(_ENDING)


def _path(error: ValidationError) -> str:
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.absolute_path)
    return path.lstrip(".") or "document"
