"""Registry versions of the checklist set, as files.

A version is a small list; the definitions are shared between versions by their digest.
A published version never changes; the newest is the highest number.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict, cast

from seqfacility_pipeline_package.documents import read_json

from seqfacility_registry.checklists.fields import Checklist


class EditionSource(TypedDict):
    """Where a part of an edition comes from."""

    name: str
    release: str
    date: str
    licence: str
    address: str


class MixsDocument(TypedDict):
    """The answer that lists every checklist, illustrations not yet merged. Spec: registry, MIxS registry."""

    version: int
    checklists: list[Checklist]


@dataclass(frozen=True, slots=True)
class Edition:
    """One registry version; `published_on` is a date, `checklists` are sorted by accession."""

    version: int
    published_on: str
    sources: tuple[EditionSource, ...]
    checklists: tuple[Checklist, ...]


class BrokenEdition(Exception):
    """A version file or a definition cannot be read as what it should be."""


def edition_numbers(folder: Path) -> list[int]:
    """List the published versions below `folder`, lowest first."""
    return sorted(
        int(path.stem)
        for path in (folder / "versions").glob("*.json")
        if re.fullmatch(r"[1-9][0-9]*", path.stem)
    )


def read_edition(
    folder: Path, version: int | None = None, known: dict[str, Checklist] | None = None
) -> Edition:
    """Read one version, the newest when `version` is None.

    `known` caches definitions by digest, because most versions share most of them; it is extended in place.

    Raises `BrokenEdition` when there is none, when a definition is missing, or when its bytes do not
    have the digest that the version promises. Decision: G237.
    """
    numbers = edition_numbers(folder)
    wanted = version if version is not None else (numbers[-1] if numbers else 0)
    if wanted not in numbers:
        raise BrokenEdition(f"versions/{wanted}.json: missing")
    try:
        raw = (folder / "versions" / f"{wanted}.json").read_bytes()
        listing = cast("dict[str, Any]", read_json(raw))
        checklists = [
            _definition(folder, _text(row, "accession"), _text(row, "sha256"), {} if known is None else known)
            for row in listing["checklists"]
        ]
        return Edition(
            version=listing["version"],
            published_on=listing["publishedOn"],
            sources=tuple(listing["sources"]),
            checklists=tuple(checklists),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BrokenEdition(f"versions/{wanted}.json: {error}") from error


def _text(row: Mapping[str, object], key: str) -> str:
    value = row[key]
    if not isinstance(value, str):
        raise TypeError(f"{key} must be a text")
    return value


def document_of(edition: Edition) -> MixsDocument:
    return {"version": edition.version, "checklists": list(edition.checklists)}


def definition_path(folder: Path, accession: str, digest: str) -> Path:
    """Return where the definition of `accession` with this digest lies."""
    return folder / "definitions" / accession.replace(":", "-") / f"{digest[:16]}.json"


def _definition(folder: Path, accession: str, digest: str, known: dict[str, Checklist]) -> Checklist:
    if digest in known:
        return known[digest]
    raw = definition_path(folder, accession, digest).read_bytes()
    if hashlib.sha256(raw).hexdigest() != digest:
        raise BrokenEdition(f"{accession}: the definition is not the published one")
    known[digest] = cast("Checklist", read_json(raw))
    return known[digest]
