"""The index that the search of the pages reads: one row for whatever has a place of its own."""

from collections.abc import Iterator
from typing import Any

from seqfacility_registry.pages.checklists import page_name
from seqfacility_registry.pages.documents import CATALOG, RESEARCH, Documents

_CATALOG = (("technologies", "Platform"), ("devices", "Device"), ("flowCells", "Flow cell"), ("kits", "Kit"))


def search_index(documents: Documents) -> list[dict[str, str]]:
    """Return title, kind, path below the root, and further words of each row."""
    return [*_pipelines(documents), *_checklists(documents), *_catalog(documents), *_others(documents)]


def _pipelines(documents: Documents) -> Iterator[dict[str, str]]:
    for entry in documents.pipelines():
        words = [entry["id"], entry["shortDescription"], *entry["tags"]]
        words += [tool["name"] for tool in entry["tools"]]
        yield _row(entry["name"], "Pipeline", f"pipelines/{entry['id']}/", " ".join(words))


def _checklists(documents: Documents) -> Iterator[dict[str, str]]:
    for row in documents.checklists():
        path = f"checklists/{page_name(row['accession'])}/"
        yield _row(row["name"], "Checklist", path, row["accession"])


def _catalog(documents: Documents) -> Iterator[dict[str, str]]:
    catalog: dict[str, Any] = documents.find(CATALOG) or {}
    for collection, kind in _CATALOG:
        for item in catalog.get(collection, []):
            words = f"{item.get('manufacturer', '')} {item.get('sku', '')}".strip()
            yield _row(item["name"], kind, f"technology/#{collection}-{item['id']}", words)


def _others(documents: Documents) -> Iterator[dict[str, str]]:
    for profile in documents.profiles():
        yield _row(profile["name"], "Profile", f"profiles/#{profile['id']}", profile["description"])
    for metric in (documents.find(RESEARCH) or {}).get("metrics", []):
        yield _row(metric["label"], "Metric", f"research/#{metric['id']}", metric["unit"])


def _row(title: str, kind: str, path: str, words: str) -> dict[str, str]:
    return {"title": title, "kind": kind, "path": path, "words": words}
