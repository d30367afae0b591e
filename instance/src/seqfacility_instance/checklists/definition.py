"""A checklist as a registry publishes it and as we store it."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic.alias_generators import to_camel

from seqfacility_instance.core.vocabulary.forms import ChecklistFieldType, ChecklistLevel

_SHORT = Field(min_length=1, max_length=255)


class _Document(BaseModel):
    model_config = ConfigDict(
        strict=True, frozen=True, extra="ignore", alias_generator=to_camel, populate_by_name=True
    )


class ChecklistField(_Document):
    """One term that a checklist asks for. Decision: G64."""

    name: Annotated[str, _SHORT]
    label: str
    type: ChecklistFieldType = Field(strict=False)
    required: bool
    level: ChecklistLevel = Field(strict=False)
    section: str
    units: list[str]
    options: list[str]
    pattern: str | None = None
    help_text: str | None = None
    example: str | None = None
    order: int

    @field_validator("type", mode="before")
    @classmethod
    def _known_type(cls, value: object) -> object:
        """Read a type of a later registry as text: any answer to it is one. Decision: G445."""
        is_unknown = isinstance(value, str) and value not in {known.value for known in ChecklistFieldType}
        return ChecklistFieldType.TEXT if is_unknown else value

    def document(self) -> dict[str, object]:
        return self.model_dump(mode="json", by_alias=True)


class Checklist(_Document):
    """One checklist with all its terms. Decision: G64, G237."""

    accession: Annotated[str, Field(min_length=1, max_length=64)]
    name: Annotated[str, _SHORT]
    description: str = ""
    checklist_version: Annotated[str, Field(max_length=255)] | None = None
    source: Annotated[str, Field(max_length=255)] | None = None
    deprecated: bool = False
    fields: list[ChecklistField]
    image: Annotated[str, Field(max_length=2048)] | None = None

    @property
    def mandatory_count(self) -> int:
        return sum(field.required for field in self.fields)


class ChecklistSet(_Document):
    """All checklists of one version of a registry. Spec: registry, MIxS registry. Decision: G237."""

    version: Annotated[int, Field(ge=1, le=2**31 - 1)]
    checklists: list[Checklist]


class RemoteSet(_Document):
    """A set as a registry answers it, its checklists not yet validated. Decision: G443."""

    version: Annotated[int, Field(ge=1, le=2**31 - 1)]
    checklists: list[dict[str, object]]


@dataclass(frozen=True, slots=True)
class Summary:
    """What a list shows of a checklist. Spec: instance, MIxS checklists."""

    accession: str
    name: str
    description: str
    field_count: int
    mandatory_count: int
    deprecated: bool
    image: str | None = None
