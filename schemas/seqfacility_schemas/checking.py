"""Holding documents against schemas; apart, because the libraries for it take long to import.

A fast validator passes what is sound; whatever it does not pass is judged, and told about, by `jsonschema`.
So the fast one could do harm only by passing what is unsound: that it never does is a test.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import jsonschema_rs
from jsonschema import Draft202012Validator, FormatChecker, ValidationError, validators
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from seqfacility_schemas import BASE, ENDING, Profile, consumer_schema, load_schema, schema_names


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


@cache
def validator(name: str, profile: Profile = Profile.PRODUCER) -> Draft202012Validator:
    """Return the validator of one schema, compiled once."""
    schema = {"$ref": f"{BASE}{name}{ENDING}"}
    checked: Draft202012Validator = _Validator(
        schema, registry=_registry(profile), format_checker=FormatChecker()
    )
    return checked


def problems(name: str, document: object, limit: int, profile: Profile) -> list[str]:
    """List what keeps `document` from being a `name`; see `seqfacility_schemas.problems`."""
    if is_surely_valid(name, document, profile):
        return []
    return _lines(validator(name, profile), document, limit)


def problems_among(schemas: Mapping[str, Any], name: str, document: object) -> list[str]:
    """List problems by schemas that are given, each by its name, instead of by those of this release."""
    schema = {"$ref": f"{BASE}{name}{ENDING}"}
    fast = jsonschema_rs.Draft202012Validator(
        schema, registry=_fast_registry_of(schemas), validate_formats=True
    )
    if fast.is_valid(document):
        return []
    registry = _registry_of(schemas)
    return _lines(_Validator(schema, registry=registry, format_checker=FormatChecker()), document, 50)


def _lines(checked: Draft202012Validator, document: object, limit: int) -> list[str]:
    found = []
    for error in checked.iter_errors(document):
        found.append(f"{_path(error)}: {_words(error)[:300]}")
        if len(found) >= limit:
            break
    return sorted(found)


def is_surely_valid(name: str, document: object, profile: Profile = Profile.PRODUCER) -> bool:
    """Tell quickly that `document` is a `name`; False says nothing, also of what is nested too deep."""
    try:
        return _fast_validator(name, profile).is_valid(document)
    except ValueError:
        return False


@cache
def _fast_validator(name: str, profile: Profile) -> jsonschema_rs.Draft202012Validator:
    schema = {"$ref": f"{BASE}{name}{ENDING}"}
    registry = _fast_registry(profile)
    return jsonschema_rs.Draft202012Validator(schema, registry=registry, validate_formats=True)


@cache
def _fast_registry(profile: Profile) -> jsonschema_rs.Registry:
    return _fast_registry_of({name: _schema(name, profile) for name in schema_names()})


def _fast_registry_of(schemas: Mapping[str, Any]) -> jsonschema_rs.Registry:
    return jsonschema_rs.Registry([(f"{BASE}{name}{ENDING}", schema) for name, schema in schemas.items()])


def _schema(name: str, profile: Profile) -> dict[str, Any]:
    schema = load_schema(name)
    loose: dict[str, Any] = consumer_schema(schema) if profile is Profile.CONSUMER else schema
    return loose


@cache
def _registry(profile: Profile) -> Registry[Any]:
    return _registry_of({name: _schema(name, profile) for name in schema_names()})


def _registry_of(schemas: Mapping[str, Any]) -> Registry[Any]:
    resources = [
        (
            f"{BASE}{name}{ENDING}",
            Resource.from_contents(_undeclared(schema), default_specification=DRAFT202012),
        )
        for name, schema in schemas.items()
    ]
    return Registry().with_resources(resources)


def _undeclared(schema: dict[str, Any]) -> dict[str, Any]:
    """Drop `$schema`: jsonschema would go on with its stock validator there, whose `$` is not ours."""
    return {key: value for key, value in schema.items() if key != "$schema"}


def _words(error: ValidationError) -> str:
    """Say what is wrong; the library says of a missing companion that it is a dependency."""
    if error.validator != "dependentRequired":
        return error.message
    missing, _, key = error.message.partition(" is a dependency of ")
    return f"{key} needs {missing}"


def _path(error: ValidationError) -> str:
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.absolute_path)
    return path.lstrip(".") or "document"
