"""Descriptions of all settings for the page of admins: meaning, kind, range and default.

Kinds and ranges are read from the models that validate a save. Decision: G1030.
"""

from collections.abc import Iterator
from enum import StrEnum
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Final, Union, get_args, get_origin

from annotated_types import Ge, Le
from pydantic import BaseModel
from pydantic.alias_generators import to_camel
from pydantic.fields import FieldInfo
from seqfacility_workflow_runtime.executors.registry import SCHEDULERS, offered

from seqfacility_instance.core.vocabulary.site import ModuleId
from seqfacility_instance.facility_settings import modules, unavailable_backends
from seqfacility_instance.facility_settings.identity_providers import OidcProvider
from seqfacility_instance.facility_settings.meanings import MEANINGS, meaning_of
from seqfacility_instance.facility_settings.sections import SECTIONS, PipelineOverride, Section
from seqfacility_instance.facility_settings.service import section_answer

if TYPE_CHECKING:
    from seqfacility_schemas import answers

_LONG_TEXT_MIN_LENGTH: Final = 4097
"""A text that may be longer than a path is edited in several lines."""

_SECRETS: Final = frozenset({"password", "weblog_secret", "client_secret"})


def descriptions() -> "answers.SettingDescriptions":
    """Describe every section with its settings, and every module."""
    return {
        "sections": [_section(name, kind) for name, kind in SECTIONS.items()],
        "modules": [_module(module, meaning) for module, meaning in modules.MEANINGS.items()],
    }


def _module(module: ModuleId, meaning: modules.ModuleMeaning) -> "answers.ModuleDescription":
    return {
        "id": module.value,
        "label": meaning.label,
        "meaning": meaning.meaning,
        "whenOff": meaning.when_off,
        "default": modules.DEFAULTS[module],
    }


def _section(name: str, kind: type[Section]) -> "answers.SectionDescription":
    defaults = section_answer(kind())
    section = MEANINGS[name]
    return {
        "name": name,
        "label": section.label,
        "meaning": section.meaning,
        "settings": [_setting(name, *one, defaults.get(one[1])) for one in _fields(kind)],
    }


def _fields(kind: type[BaseModel]) -> Iterator[tuple[str, str, FieldInfo]]:
    hidden = unavailable_backends.unavailable()
    for field, info in kind.model_fields.items():
        key = info.alias or to_camel(field)
        if not key.startswith(hidden):
            yield field, key, info


def _setting(
    section: str, field: str, key: str, info: FieldInfo, default: object = None
) -> "answers.SettingDescription":
    type_, limits, may_be_null = _unwrapped(info.annotation)
    limits += info.metadata
    record = next((one for one in (OidcProvider, PipelineOverride) if one in get_args(type_)), None)
    meaning = meaning_of(section, field, {name: one.label for name, one in SCHEDULERS.items()})
    choices = _choices(field, type_)
    return {
        "key": key,
        "label": meaning.label,
        "meaning": meaning.meaning,
        "kind": "choice" if choices else _kind(field, type_, limits),
        "unit": meaning.unit,
        "minimum": next((_number(one.ge) for one in limits if isinstance(one, Ge)), None),
        "maximum": next((_number(one.le) for one in limits if isinstance(one, Le)), None),
        "choices": choices,
        "mayBeNull": may_be_null,
        "without": meaning.without,
        "default": default,
        "fields": [] if record is None else [_setting(section, *one) for one in _fields(record)],
    }


def _number(limit: object) -> float:
    assert isinstance(limit, int | float), "the range of a setting has numbers"
    return limit


def _unwrapped(annotation: Any) -> tuple[Any, list[Any], bool]:
    """Unwrap `Annotated` and `| None`: return the type, its constraints, and whether null is allowed."""
    limits: list[Any] = []
    may_be_null = False
    while True:
        if get_origin(annotation) is Annotated:
            for one in annotation.__metadata__:
                limits += one.metadata if isinstance(one, FieldInfo) else [one]
            annotation = annotation.__origin__
        elif get_origin(annotation) in {Union, UnionType}:
            may_be_null = True
            (annotation,) = [one for one in get_args(annotation) if one is not type(None)]
        else:
            return annotation, limits, may_be_null


def _choices(field: str, type_: Any) -> list[str]:
    if field == "default_backend":
        return offered()
    if field == "mode":
        return ["inherit", *offered()]
    is_closed = isinstance(type_, type) and issubclass(type_, StrEnum)
    return [one.value for one in type_] if is_closed else []


def _kind(field: str, type_: Any, limits: list[Any]) -> str:
    if field in _SECRETS:
        return "secret"
    if get_origin(type_) is dict:
        return "named-records"
    if get_origin(type_) is list:
        return "records" if OidcProvider in get_args(type_) else "lines"
    if type_ is str:
        longest = max((getattr(one, "max_length", None) or 0 for one in limits), default=0)
        return "long-text" if longest >= _LONG_TEXT_MIN_LENGTH else "text"
    return {bool: "switch", int: "whole", float: "number"}[type_]
