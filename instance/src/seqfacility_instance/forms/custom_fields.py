"""Which answers of one record somebody may see and change, and how a change is laid over them."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Self

from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.forms import FieldType
from seqfacility_instance.core.vocabulary.site import ModuleId
from seqfacility_instance.forms.form import FormField
from seqfacility_instance.forms.rules import fields_for, fields_with_modules
from seqfacility_instance.forms.values import WrongValue, draft_value, storable

ORGANISM_COLUMNS: Final = frozenset({"scientificName", "taxId"})
"""Where the answer of an organism field goes. Decision: G50."""


@dataclass(frozen=True, slots=True)
class CustomFields:
    """The fields of one level (order, sample or study) as they concern one caller. Decision: G58, G304.

    `fields` are the questions whose answers lie in the record's custom fields, by name; `ignored` the
    names whose answers have a column. `readable` are the names that the caller may see and change, None
    for all of them; `hidden_columns` the columns that the caller may not. `labels` are those of the
    questions that the caller is asked, by what bodies call the answer; an organism is called by its name.
    """

    fields: Mapping[str, FormField]
    ignored: frozenset[str]
    readable: frozenset[str] | None
    hidden_columns: frozenset[str]
    labels: Mapping[str, str]

    @classmethod
    def of(cls, fields: Iterable[FormField], modules_on: Collection[ModuleId], *, is_admin: bool) -> Self:
        """Sort the fields of one level by what the caller may do with their values."""
        fields = list(fields)
        answered = {field.name: field for field in reversed(fields) if not _has_column(field)}
        allowed = [
            field
            for field in fields_with_modules(fields_for(fields, is_admin=is_admin), modules_on)
            if field.visible
        ]
        withheld = {field.name for field in fields if field.admin_only}
        columns = {column for field in fields if field.admin_only for column in _columns(field)}
        open_columns = {column for field in allowed for column in _columns(field)}
        return cls(
            fields=answered,
            ignored=frozenset(field.name for field in fields if _has_column(field)),
            readable=None if is_admin else frozenset(field.name for field in allowed) - withheld,
            hidden_columns=frozenset() if is_admin else frozenset(columns - open_columns),
            labels={_path(field): field.label for field in reversed(allowed)},
        )

    def shown(self, stored: Mapping[str, object]) -> dict[str, object]:
        return {
            name: value for name, value in stored.items() if self.readable is None or name in self.readable
        }

    def merged(
        self, stored: Mapping[str, object], changes: Mapping[str, object], path: str = "customFields"
    ) -> tuple[dict[str, object], list[str]]:
        """Merge `changes` into the stored values; return the result, and `<path>.<name>: <reason>` a refusal.

        `null` removes an answer. What the caller may not change is left as it is.

        Decision: G9, G58, G63.
        """
        merged = dict(stored)
        problems = []
        for name, value in changes.items():
            if name in self.ignored or (self.readable is not None and name not in self.readable):
                continue
            if value is None:
                merged.pop(name, None)
                continue
            try:
                merged[name] = self._stored(name, value)
            except WrongValue as wrong:
                problems.append(f"{path}.{name}: {wrong}")
        if len(merged) > max(limits.CUSTOM_FIELD_KEYS_MAX, len(stored)):
            problems.append(f"{path}: must have at most {limits.CUSTOM_FIELD_KEYS_MAX} keys")
        return merged, problems

    def warnings(
        self,
        unknown_keys: Iterable[str],
        stored: Mapping[str, object],
        changes: Mapping[str, object],
        path: str = "customFields",
    ) -> list[str]:
        """Return what no field accepts, `<path>: <reason>`: keys of the body, and names in `changes`.

        A name is reported unless it is a field for the caller, or one of an answer that it sees. What is
        hidden from the caller is not distinguished from what does not exist.

        Decision: G461, G492.
        """
        known = self.fields.keys() if self.readable is None else self.readable
        seen = self.shown(stored).keys()
        return [f"{key}: is not a known key" for key in unknown_keys] + [
            f"{path}.{name}: is not a field that is asked for"
            for name, value in changes.items()
            if value is not None and name not in seen and (name not in known or name in self.ignored)
        ]

    def _stored(self, name: str, value: object) -> object:
        field = self.fields.get(name)
        if field is not None:
            return draft_value(field, value)
        if "\0" in name or not 0 < len(name) <= limits.SINGLE_LINE_MAX_CHARACTERS:
            raise WrongValue("is not a possible key")
        return storable(value)


def _has_column(field: FormField) -> bool:
    return field.system_key is not None or field.type is FieldType.ORGANISM


def _path(field: FormField) -> str:
    if field.type is FieldType.ORGANISM:
        return "scientificName"
    return f"customFields.{field.name}" if field.system_key is None else field.system_key.value


def _columns(field: FormField) -> frozenset[str]:
    if field.type is FieldType.ORGANISM:
        return ORGANISM_COLUMNS
    return frozenset() if field.system_key is None else frozenset({field.system_key.value})
