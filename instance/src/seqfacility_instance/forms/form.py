"""A form as a value: its fields and groups, read from JSON and written back to JSON in one place."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Self

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from seqfacility_instance.core import limits
from seqfacility_instance.core.json_text import is_deeper_than
from seqfacility_instance.core.patterns import is_readable
from seqfacility_instance.core.request_model import FilledLine, Line, RequestModel, Text
from seqfacility_instance.core.vocabulary.forms import FieldType
from seqfacility_instance.core.vocabulary.site import ModuleId


class SystemKey(StrEnum):
    """A field whose value has a column of its own. Decision: G58."""

    NAME = "name"
    PLATFORM = "platform"
    LIBRARY_STRATEGY = "libraryStrategy"
    LIBRARY_SOURCE = "librarySource"
    SAMPLE_ALIAS = "sampleAlias"

    @property
    def is_per_sample(self) -> bool:
        """Whether the column is one of the Sample, not of the Order."""
        return self is SystemKey.SAMPLE_ALIAS


def _machine_name(name: str) -> str:
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,63}", name):
        raise PydanticCustomError(
            "name", "must be letters, digits and _, begin with no digit, and have at most 64 characters"
        )
    return name


def _compiles(pattern: str) -> str:
    if len(pattern) > limits.PATTERN_MAX_CHARACTERS:
        raise PydanticCustomError("long", f"must have at most {limits.PATTERN_MAX_CHARACTERS} characters")
    if not is_readable(pattern):
        raise PydanticCustomError("pattern", "is not a regular expression")
    return pattern


def _checked_depth(value: object) -> object:
    if is_deeper_than(value, limits.ANSWER_MAX_LEVELS):
        raise PydanticCustomError("deep", "is nested too deeply")
    return value


class FieldValidation(RequestModel):
    """Bounds of a value, checked when an order is submitted. Decision: G51, G63."""

    min_length: Annotated[int, Field(ge=0)] | None = None
    max_length: Annotated[int, Field(ge=0)] | None = None
    min: int | float | None = None
    max: int | float | None = None
    pattern: Annotated[Text, AfterValidator(_compiles)] | None = None
    pattern_message: Line | None = None


class FormField(RequestModel):
    """One question. `name` is the key of its answer, `label` what people read. Decision: G51."""

    id: FilledLine
    name: Annotated[FilledLine, AfterValidator(_machine_name)]
    type: FieldType = Field(strict=False)
    label: FilledLine
    options: list[FilledLine] = Field(default=[])
    required: bool = False
    visible: bool = True
    per_sample: bool = False
    group_id: Line | None = None
    order: int
    admin_only: bool = False
    help_text: Text | None = None
    placeholder: Line | None = None
    example: Line | None = None
    default_value: Annotated[object | None, AfterValidator(_checked_depth)] = None
    units: list[FilledLine] | None = None
    validation: FieldValidation | None = None
    module_source: ModuleId | None = Field(default=None, strict=False)
    system_key: SystemKey | None = Field(default=None, strict=False)
    section: Line | None = None

    def document(self) -> dict[str, object]:
        """Return the document of the field, as stored and as in responses: optional keys only where set."""
        document = self.model_dump(mode="json", by_alias=True, exclude_none=True)
        if not self.admin_only:
            del document["adminOnly"]
        return {**document, "groupId": self.group_id}


class FormGroup(RequestModel):
    """A heading under which fields stand. Decision: G52."""

    id: FilledLine
    name: FilledLine
    icon: Line = ""
    order: int

    def document(self) -> dict[str, object]:
        return self.model_dump(mode="json", by_alias=True)


@dataclass(frozen=True, slots=True)
class Form:
    """Fields and groups that belong together."""

    fields: tuple[FormField, ...]
    groups: tuple[FormGroup, ...]

    @classmethod
    def from_documents(cls, fields: Sequence[object], groups: Sequence[object]) -> Self:
        return cls(
            tuple(FormField.model_validate(field) for field in fields),
            tuple(FormGroup.model_validate(group) for group in groups),
        )

    def field_documents(self) -> list[dict[str, object]]:
        return [field.document() for field in self.fields]

    def group_documents(self) -> list[dict[str, object]]:
        return [group.document() for group in self.groups]


@dataclass(frozen=True, slots=True)
class OrderForm:
    """An order form: `version` rises with every save. Spec: instance, Form schemas. Decision: G55.

    `enabled_checklists` is None as long as nobody chose: then all current checklists are enabled (G54).
    """

    form: Form
    enabled_checklists: tuple[str, ...] | None
    version: int
