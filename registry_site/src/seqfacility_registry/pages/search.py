"""The index of the search: one row for everything that has a page or an anchor."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from seqfacility_registry.pages.checklists import page_name
from seqfacility_registry.pages.documents import CATALOG, RESEARCH, Documents

_CATALOG = (("technologies", "Platform"), ("devices", "Device"), ("flowCells", "Flow cell"), ("kits", "Kit"))


def search_index(documents: Documents) -> list[dict[str, str]]:
    """Return the rows: title, kind, path below the root, and further search terms."""
    return [
        *_pipelines(documents),
        *_checklists(documents),
        *_catalog(documents),
        *_others(documents),
        *_fields(documents.checklists()),
    ]


def _pipelines(documents: Documents) -> Iterator[dict[str, str]]:
    for entry in documents.pipelines():
        words = [entry["id"], entry["shortDescription"], *entry["tags"]]
        words += [tool["name"] for tool in entry["tools"]]
        yield _row(entry["name"], "Pipeline", f"pipelines/{entry['id']}/", " ".join(words))


def _checklists(documents: Documents) -> Iterator[dict[str, str]]:
    for row in documents.checklists():
        path = f"checklists/{page_name(row['accession'])}/"
        yield _row(row["name"], "Checklist", path, row["accession"])


def _fields(checklists: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, str]]:
    """Yield each field label once; the row of a field of several checklists leads to the filtered list."""
    found: dict[str, list[tuple[Mapping[str, Any], str]]] = {}
    for checklist in checklists:
        for field in checklist["fields"]:
            found.setdefault(field["label"], []).append((checklist, field["name"]))
    for label, places in sorted(found.items()):
        checklist, name = places[0]
        accessions = {one["accession"] for one, _name in places}
        path = f"checklists/?field={quote(label)}"
        if len(accessions) == 1:
            path = f"checklists/{page_name(checklist['accession'])}/#field-{name}"
        yield _row(label, "Field", path, " ".join(sorted({name for _one, name in places})))


def _catalog(documents: Documents) -> Iterator[dict[str, str]]:
    catalog: dict[str, Any] = documents.find(CATALOG) or {}
    for collection, kind in _CATALOG:
        for item in catalog.get(collection, []):
            words = f"{item.get('manufacturer', '')} {item.get('sku', '')}".strip()
            yield _row(item["name"], kind, f"technology/#{collection}-{item['id']}", words)


def _others(documents: Documents) -> Iterator[dict[str, str]]:
    for profile in documents.profiles():
        yield _row(profile["name"], "Profile", f"profiles/#profile-{profile['id']}", profile["description"])
    for metric in (documents.find(RESEARCH) or {}).get("metrics", []):
        yield _row(metric["label"], "Metric", f"research/#metric-{metric['id']}", metric["unit"])


def _row(title: str, kind: str, path: str, words: str) -> dict[str, str]:
    return {"title": title, "kind": kind, "path": path, "words": words}
