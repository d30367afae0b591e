"""Copies what the registry publishes into the instance, which ships it with each release.

    python tools/ship_content.py

The instance must not import the registry, and an installation without a network must still have checklists
and a catalog. A test fails while the copies differ from the registry's content.
"""

import gzip
import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
CONTENT = ROOT / "registry_site" / "content"
INSTANCE = ROOT / "instance" / "src" / "seqfacility_instance"


def checklists() -> dict[str, Any]:
    """Put the newest version of the checklists together."""
    folder = CONTENT / "checklists"
    newest = max(folder.glob("versions/*.json"), key=lambda path: int(path.stem))
    listing = json.loads(newest.read_text("utf-8"))
    return {
        "version": listing["version"],
        "checklists": [_definition(folder, row["accession"], row["sha256"]) for row in listing["checklists"]],
    }


def catalog() -> dict[str, Any]:
    """Read the catalog."""
    document: dict[str, Any] = json.loads((CONTENT / "catalog" / "sequencing-tech.json").read_text("utf-8"))
    return document


def packed(document: object) -> bytes:
    """Write a document so that equal documents give equal bytes."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return gzip.compress(text.encode(), compresslevel=9, mtime=0)


def main() -> None:
    """Write both copies."""
    (INSTANCE / "checklists" / "shipped.json.gz").write_bytes(packed(checklists()))
    (INSTANCE / "catalog" / "shipped.json.gz").write_bytes(packed(catalog()))


def _definition(folder: Path, accession: str, sha256: str) -> object:
    name = accession.replace(":", "-")
    return json.loads((folder / "definitions" / name / f"{sha256[:16]}.json").read_text("utf-8"))


if __name__ == "__main__":
    main()
