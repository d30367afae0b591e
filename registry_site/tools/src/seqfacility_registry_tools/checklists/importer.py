"""Build the next registry version of the checklists from a new MIxS release in LinkML YAML.

The archive's checklists are carried over unchanged; every MIxS checklist is built anew from the
release and the curation. How to run it: `content/checklists/PROVENANCE.md`.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from seqfacility_registry.checklists.editions import Edition, EditionSource, read_edition
from seqfacility_registry.checklists.fields import Checklist

from seqfacility_registry_tools.checklists.curation import ClassNames, Curation, read_curation
from seqfacility_registry_tools.checklists.fields import LEVELS, Term, checklist_of, field_of
from seqfacility_registry_tools.checklists.linkml import Release, ReleaseClass, read_release
from seqfacility_registry_tools.checklists.writing import write_edition

MIXS_PREFIX = "MIXS:"
_SOURCE_NAME = "GSC MIxS"


class ImportRefused(Exception):
    """The import would publish something that must not be published; the text says why."""


def import_release(folder: Path, linkml_text: str, release: str, version: int, published_on: str) -> Edition:
    """Write registry version `version` below `folder` and give it back.

    `release` is the publisher's version such as `7.1.0`, `published_on` a date. Raises `ImportRefused`
    when `version` is not greater than the newest published one or when nothing would change, and
    `UnreadableRelease` when the file is no release. Decision: G237.
    """
    newest = read_edition(folder)
    if version <= newest.version:
        raise ImportRefused(f"version {version} must be greater than {newest.version}, the newest published")
    edition = next_edition(
        newest,
        read_release(linkml_text),
        read_curation(folder / "curation"),
        release=release,
        version=version,
        published_on=published_on,
    )
    if edition.checklists == newest.checklists:
        raise ImportRefused("nothing changed: there is no new version to publish")
    write_edition(folder, edition)
    return edition


def next_edition(
    newest: Edition, content: Release, curation: Curation, *, release: str, version: int, published_on: str
) -> Edition:
    """Combine the archive's checklists of `newest` with those of the MIxS `content`. Decision: G237."""
    kept = [entry for entry in newest.checklists if not entry["accession"].startswith(MIXS_PREFIX)]
    built = mixs_checklists(content.terms, content.classes.values(), curation, release)
    source: EditionSource = {
        "name": _SOURCE_NAME,
        "release": release,
        "date": published_on,
        "licence": "CC0 1.0",
        "address": "https://github.com/GenomicsStandardsConsortium/mixs",
    }
    others = [entry for entry in newest.sources if entry["name"] != _SOURCE_NAME]
    return Edition(
        version=version,
        published_on=published_on,
        sources=(source, *others),
        checklists=tuple(sorted([*kept, *built], key=lambda entry: entry["accession"])),
    )


def mixs_checklists(
    terms: Mapping[str, Term], classes: Iterable[ReleaseClass], curation: Curation, release: str
) -> list[Checklist]:
    """Build every checklist and extension class, and the curated checklists joined with one environment.

    Of the publisher's combinations those are taken that join a curated checklist with one extension.
    Decision: G237.
    """
    known = {entry.name: entry for entry in classes}
    built = []
    for entry in known.values():
        if entry.kind in ("checklist", "extension"):
            built.append(_built(terms, entry, _names(entry, curation), curation, release))
        elif _is_curated(entry, known, curation):
            words = _combined_names(*(_names(known[part], curation) for part in _base_first(entry, curation)))
            built.append(_built(terms, entry, words, curation, release))
    return sorted(built, key=lambda entry: entry["accession"])


def _is_curated(entry: ReleaseClass, known: Mapping[str, ReleaseClass], curation: Curation) -> bool:
    base, *others = _base_first(entry, curation)
    return (
        base in curation.combined_checklists
        and len(others) == 1
        and others[0] in known
        and known[others[0]].kind == "extension"
    )


def _base_first(entry: ReleaseClass, curation: Curation) -> list[str]:
    return sorted(entry.parts, key=lambda part: part not in curation.combined_checklists)


def _built(
    terms: Mapping[str, Term], entry: ReleaseClass, words: ClassNames, curation: Curation, release: str
) -> Checklist:
    slots = [slot for slot in entry.levels if not terms[slot].deprecated]
    unordered = [field_of(terms[slot], entry.levels[slot], 0, curation) for slot in slots]
    last = len(curation.slot_order)
    unordered.sort(
        key=lambda field: (
            curation.section_order.index(field["section"]),
            LEVELS.index(field["level"]),
            curation.slot_order.get(field["name"], last),
            field["name"],
        )
    )
    for place, field in enumerate(unordered):
        field["order"] = place
    return checklist_of(
        accession=entry.identifier,
        name=words.name,
        description=words.description,
        checklist_version=release,
        source=f"Genomic Standards Consortium, MIxS {release} (CC0 1.0)",
        fields=unordered,
    )


def _names(entry: ReleaseClass, curation: Curation) -> ClassNames:
    known = curation.classes.get(entry.name)
    if known is not None:
        return known
    return ClassNames(
        name=f"MIxS {entry.title}", short=entry.title, description=f"The MIxS {entry.kind} {entry.title}."
    )


def _combined_names(base: ClassNames, extension: ClassNames) -> ClassNames:
    return ClassNames(
        name=f"{base.short} {extension.short}",
        short=f"{base.short} {extension.short}",
        description=f"{base.description} Environment: {extension.short}.",
    )
