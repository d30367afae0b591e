"""What a set of checklists must keep before it is published."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from seqfacility_schemas import problems
from seqfacility_schemas.checklist_rules import checklist_findings, repeated

from seqfacility_registry.checklists.editions import Edition, MixsDocument
from seqfacility_registry.checklists.fields import Checklist, ChecklistField, accepts

# The instance refuses a longer answer (G226); half of it leaves room for the standard to grow.
MAX_BYTES = 8 * 1024 * 1024


def check(document: MixsDocument) -> list[str]:
    """List what is wrong with the list answer: shape, counts, names, patterns, order. Decision: G64, G237."""
    shape = problems("registry/mixs", document)
    return shape or list(set_problems(document["checklists"]))


def check_history(editions: Sequence[Edition]) -> list[str]:
    """List what is wrong between versions: numbers without a gap from 1, dates that never go back."""
    found = []
    for place, edition in enumerate(editions, start=1):
        if edition.version != place:
            found.append(f"versions/{place}.json: says version {edition.version}")
    for earlier, later in pairwise(editions):
        if later.published_on < earlier.published_on:
            found.append(f"versions/{later.version}.json: published before version {earlier.version}")
        if later.checklists == earlier.checklists:
            found.append(f"versions/{later.version}.json: equal to version {earlier.version}")
    return found


def check_illustrations(illustrations: Mapping[str, str], accessions: Sequence[str]) -> list[str]:
    """List illustrations of checklists that no version knows."""
    return [f"illustrations.json: {key}: unknown accession" for key in illustrations if key not in accessions]


def set_problems(checklists: Sequence[Checklist]) -> Iterator[str]:
    """Yield what is wrong with checklists that fit their schema: counts, names, patterns, order."""
    accessions = [entry["accession"] for entry in checklists]
    if accessions != sorted(accessions):
        yield "checklists: not sorted by accession"
    for accession in repeated(accessions):
        yield f"{accession}: listed twice"
    for name in repeated([_normalised(entry["name"]) for entry in checklists]):
        yield f"checklists: two have the name {name!r}"
    for entry in checklists:
        yield from _checklist_problems(entry)


def _checklist_problems(entry: Checklist) -> Iterator[str]:
    where, fields = entry["accession"], entry["fields"]
    if where.startswith("ERC") and not re.fullmatch(r"ERC[0-9]{6}", where):
        yield f"{where}: an archive accession is ERC and six digits"
    if entry["fieldCount"] != len(fields):
        yield f"{where}: fieldCount is {entry['fieldCount']}, there are {len(fields)} fields"
    mandatory = sum(1 for field in fields if field["required"])
    if entry["mandatoryCount"] != mandatory:
        yield f"{where}: mandatoryCount is {entry['mandatoryCount']}, {mandatory} fields are required"
    for name in repeated([field["name"] for field in fields]):
        yield f"{where}: two fields are called {name}"
    if [field["order"] for field in fields] != list(range(len(fields))):
        yield f"{where}: order does not count the fields from 0"
    faults = list(checklist_findings(entry))
    yield from (f"{where}.{fault.reason_with_key}" for fault in faults)
    if not faults:
        for field in fields:
            yield from (f"{where}.{field['name']}: {reason}" for reason in _field_problems(field))


def _field_problems(field: ChecklistField) -> Iterator[str]:
    pattern = field["pattern"]
    if pattern is not None and re.fullmatch(pattern, "\x00 no sensible answer \x00"):
        yield "pattern accepts anything"
    if field["example"] is not None and not accepts(field, field["example"]):
        yield "the example is not an allowed answer"


def _normalised(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())
