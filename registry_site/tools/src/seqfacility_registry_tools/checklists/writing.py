"""Writing a version of the checklist set into the content."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from seqfacility_registry.checklists.editions import Edition, definition_path
from seqfacility_registry.checklists.fields import Checklist


def write_edition(folder: Path, edition: Edition) -> None:
    """Write the definitions first and the version file last, so that a reader never meets a half version."""
    rows = []
    for checklist in sorted(edition.checklists, key=lambda entry: entry["accession"]):
        text = definition_text(checklist)
        digest = hashlib.sha256(text.encode()).hexdigest()
        place = definition_path(folder, checklist["accession"], digest)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
        rows.append({"accession": checklist["accession"], "sha256": digest})
    (folder / "versions").mkdir(parents=True, exist_ok=True)
    (folder / "versions" / f"{edition.version}.json").write_text(_listing_text(edition, rows), "utf-8")


def definition_text(checklist: Checklist) -> str:
    """Write a checklist with one field a line: small, and readable as a difference."""
    head = {key: value for key, value in checklist.items() if key != "fields"}
    lines = [f"  {json.dumps(key)}: {_json(value)}," for key, value in head.items()]
    fields = ",\n".join(f"    {_json(field)}" for field in checklist["fields"])
    return "{\n" + "\n".join(lines) + '\n  "fields": [\n' + fields + "\n  ]\n}\n"


def _listing_text(edition: Edition, rows: Sequence[dict[str, str]]) -> str:
    sources = ",\n".join(f"    {_json(source)}" for source in edition.sources)
    lines = ",\n".join(f"    {_json(row)}" for row in rows)
    return (
        f'{{\n  "version": {edition.version},\n  "publishedOn": {_json(edition.published_on)},\n'
        f'  "sources": [\n{sources}\n  ],\n  "checklists": [\n{lines}\n  ]\n}}\n'
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
