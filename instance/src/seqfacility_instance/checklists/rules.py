"""How a checklist is found by name, what an update makes active, and what a template is."""

import unicodedata
from collections.abc import Collection, Mapping, Sequence
from urllib.parse import urljoin

from seqfacility_instance.checklists.definition import Checklist, ChecklistField, Summary
from seqfacility_instance.checklists.differences import Difference
from seqfacility_instance.checklists.errors import MostListsRemoved, VersionJump
from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.forms import ChecklistFieldType, FieldType
from seqfacility_instance.core.vocabulary.site import ModuleId

_FIELD_TYPES: Mapping[ChecklistFieldType, FieldType] = {
    ChecklistFieldType.TEXT: FieldType.TEXT,
    ChecklistFieldType.NUMBER: FieldType.NUMBER,
    ChecklistFieldType.DATE: FieldType.DATE,
    ChecklistFieldType.SELECT: FieldType.SELECT,
    ChecklistFieldType.TAXON: FieldType.TEXT,
}


def normalized_name(name: str) -> str:
    """Return the letters and digits of a name in lower case, for comparison. Decision: G66."""
    return "".join(
        character for character in unicodedata.normalize("NFKC", name).lower() if character.isalnum()
    )


def resolved(query: str, candidates: Collection[Summary]) -> Summary | None:
    """Find the checklist of a query: by accession, by equal name, by a part of a name.

    Accessions are compared without case, names as `normalized_name` makes them. Of several hits the one
    with most fields wins, then the lowest accession.

    Spec: instance, MIxS checklists. Decision: G66.
    """
    wanted = normalized_name(query)
    by_accession = [one for one in candidates if one.accession.casefold() == query.strip().casefold()]
    equal = [one for one in candidates if wanted and normalized_name(one.name) == wanted]
    containing = [one for one in candidates if wanted and wanted in normalized_name(one.name)]
    hits = by_accession or equal or containing
    return min(hits, key=lambda one: (-one.field_count, one.accession), default=None)


def check_update(current_version: int, remote_version: int, found: Difference, offered: int) -> None:
    """Raise `VersionJump` or `MostListsRemoved` for an update that is more likely a slip than meant.

    `offered` counts the checklists that are active and not deprecated.

    Decision: G443, G444.
    """
    if remote_version - current_version > limits.CHECKLISTS_MAX_JUMP:
        raise VersionJump(remote=remote_version, current=current_version)
    if len(found.removed) * 2 > offered:
        raise MostListsRemoved(removed=len(found.removed), offered=offered)


def merged_set(
    current: Sequence[Checklist], remote: Sequence[Checklist], skipped: Collection[str] = ()
) -> list[Checklist]:
    """Return the set that becomes active: the remote one, and deprecated what is gone from it.

    Of what was `skipped` the current form stays.

    Decision: G70, G443.
    """
    there = {checklist.accession for checklist in remote}
    kept = [
        checklist if checklist.accession in skipped else checklist.model_copy(update={"deprecated": True})
        for checklist in current
        if checklist.accession not in there
    ]
    return sorted([*remote, *kept], key=lambda checklist: checklist.accession)


def with_absolute_images(checklists: Sequence[Checklist], url: str) -> list[Checklist]:
    """Resolve relative images against the address that the set came from."""
    return [
        checklist.model_copy(update={"image": absolute_image(url, checklist.image)})
        for checklist in checklists
    ]


def absolute_image(url: str, image: str | None) -> str | None:
    """Resolve an image against the address of a registry; what is no address is no image."""
    try:
        return None if image is None else urljoin(url, image)
    except ValueError:
        return None


def template_field(field: ChecklistField) -> dict[str, object]:
    """Write a term of a checklist as a whole form field. Decision: G51, G68."""
    texts = {"helpText": field.help_text, "example": field.example, "section": field.section}
    return {
        "id": f"mixs_{field.name}",
        "name": field.name,
        "type": _FIELD_TYPES[field.type].value,
        "label": field.label,
        "options": field.options,
        "required": field.required,
        "visible": True,
        "perSample": True,
        "groupId": None,
        "order": field.order,
        **{key: text for key, text in texts.items() if text is not None},
        **({"units": field.units} if field.units else {}),
        **({} if field.pattern is None else {"validation": {"pattern": field.pattern}}),
        "moduleSource": ModuleId.MIXS_METADATA.value,
    }
