"""`check`: everything that keeps the content from being published, found before anybody reads it."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from seqfacility_pipeline_package.documents import Fields, NotStrictJson
from seqfacility_pipeline_package.published import LOCK_NAME, read_lock
from seqfacility_schemas import problems

from seqfacility_registry.answers import ANY_ADDRESS, BrokenContent, read_document
from seqfacility_registry.catalog import publishing_checks as catalog_checks
from seqfacility_registry.catalog.facts import contradictions
from seqfacility_registry.checklists import publishing_checks as checklist_checks
from seqfacility_registry.checklists.editions import (
    BrokenEdition,
    document_of,
    edition_numbers,
    read_edition,
)
from seqfacility_registry.content_folder import Publication, read_publication
from seqfacility_registry.install_profiles import publishing_checks as profile_checks
from seqfacility_registry.pipelines.content import HostedPackage, ListedPipeline
from seqfacility_registry.pipelines.rules import (
    entry_problems,
    notice_problems,
    unsigned_databases,
)
from seqfacility_registry.releases import publishing_checks as release_checks
from seqfacility_registry.research_data import publishing_checks as research_checks

_JsonDocument = Mapping[str, Any]

OF_A_REPOSITORY = (".git", ".github", ".gitignore")
"""What may lie beside the content where it has a repository of its own."""


def content_problems(content: Path) -> list[str]:
    """List what is wrong with the content, one line a problem, sorted; empty when it may be published.

    First each section by its own checks, then whatever would be answered with 500.

    Decision: G266.
    """
    publication = read_publication(content)
    found = {
        *_hidden_files(content, ""),
        *_catalog_problems(content / "catalog"),
        *_checklist_problems(content / "checklists"),
        *_file_problems(content, "research", research_checks.check),
        *_file_problems(content, "releases", release_checks.check),
        *_file_problems(content, "profiles", profile_checks.check),
        *_pipeline_problems(content / "pipelines", publication),
        *_entry_problems(publication, _families(content / "catalog")),
        *_profile_pipelines(publication),
    }
    broken = {answer.where: answer.fault(ANY_ADDRESS) for answer in publication.answers()}
    for where, fault in broken.items():
        if fault is not None and not any(line.startswith(where) for line in found):
            found.add(fault)
    return sorted(found)


def content_warnings(content: Path) -> list[str]:
    """List what people should know of a sound content. Decision: G954."""
    found = []
    for pipeline in read_publication(content).pipelines.pipelines.values():
        if pipeline.is_public:
            lines = unsigned_databases(pipeline.newest.package)
            found += [f"pipelines/{pipeline.id}: {line}" for line in lines]
    return found


def _hidden_files(folder: Path, prefix: str) -> Iterator[str]:
    """Refuse hidden files: nobody looks at them, and git takes orders from some. Decision: G953."""
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.name.startswith("."):
            if prefix or path.name not in OF_A_REPOSITORY:
                yield f"{prefix}{path.name}: is hidden, and no file of the content"
        elif path.is_dir() and not path.is_symlink():
            yield from _hidden_files(path, f"{prefix}{path.name}/")


def _file_problems(content: Path, section: str, check: Callable[[_JsonDocument], list[str]]) -> Iterator[str]:
    for path in sorted((content / section).glob("*.json")):
        try:
            document = read_document(path)
        except BrokenContent as broken:
            yield f"{section}/{broken}"
        else:
            yield from (f"{section}/{path.name}: {line}" for line in check(document))


def _catalog_problems(folder: Path) -> Iterator[str]:
    try:
        document = read_document(folder / "sequencing-tech.json")
    except BrokenContent as broken:
        yield f"catalog/{broken}"
        return
    lines = catalog_checks.check(document)
    if not lines:
        images = [path.name for path in (folder / "images").glob("*")]
        lines = [*catalog_checks.check_images(document, images), *contradictions(document)]
    yield from (f"catalog/sequencing-tech.json: {line}" for line in lines)


def _checklist_problems(folder: Path) -> Iterator[str]:
    try:
        editions = [read_edition(folder, number) for number in edition_numbers(folder)]
        newest = editions[-1] if editions else read_edition(folder)
    except BrokenEdition as broken:
        yield f"checklists/{broken}"
        return
    yield from (f"checklists: {line}" for line in checklist_checks.check_history(editions))
    lines = checklist_checks.check(document_of(newest))
    yield from (f"checklists: {line}" for line in lines)
    if not lines:
        known = {row["accession"] for edition in editions for row in edition.checklists}
        yield from _illustration_problems(folder, known)


def _illustration_problems(folder: Path, accessions: set[str]) -> Iterator[str]:
    path = folder / "illustrations.json"
    if not path.exists():
        return
    try:
        images = {name: str(image) for name, image in read_document(path).items()}
    except BrokenContent as broken:
        yield f"checklists/{broken}"
        return
    for line in checklist_checks.check_illustrations(images, sorted(accessions)):
        yield f"checklists/{line}"
    known = {f"/images/checklists/{image.name}" for image in (folder / "images").glob("*")}
    for accession, image in images.items():
        if image.startswith("/") and image not in known:
            yield f"checklists/illustrations.json: {accession}: no file for {image}"


def _pipeline_problems(folder: Path, publication: Publication) -> Iterator[str]:
    yield from _lock_problems(folder, publication)
    for pipeline in publication.pipelines.pipelines.values():
        for package in pipeline.packages.values():
            yield from _package_problems(package)
        yield from _listing_problems(pipeline)


def _entry_problems(publication: Publication, families: set[str] | None) -> Iterator[str]:
    """Check what the newest version of each pipeline is published with; without a catalog, nothing."""
    for pipeline in publication.pipelines.pipelines.values():
        if families is None or not pipeline.is_public:
            continue
        try:
            lines = entry_problems(pipeline.listing, pipeline.newest.package, families)
        except BrokenContent:
            continue
        yield from (f"pipelines/{pipeline.id}/entry.json: {line}" for line in lines)


def _families(folder: Path) -> set[str] | None:
    try:
        document = read_document(folder / "sequencing-tech.json")
    except BrokenContent:
        return None
    return None if catalog_checks.check(document) else catalog_checks.platform_families(document)


def _package_problems(package: HostedPackage) -> Iterator[str]:
    try:
        assert package.payload
    except BrokenContent as broken:
        yield str(broken)


def _listing_problems(pipeline: ListedPipeline) -> Iterator[str]:
    where = f"pipelines/{pipeline.id}"
    try:
        listing = Fields(pipeline.listing)
    except BrokenContent as broken:
        yield str(broken)
        return
    yield from (f"{where}/entry.json: {line}" for line in notice_problems(pipeline.listing))
    listed = [row.text("version") for row in listing.parts("versions")]
    for version in sorted({version for version in listed if listed.count(version) > 1}):
        yield f"{where}/entry.json: version {version} is listed twice"
    withdrawn = {row.text("version") for row in listing.parts("versions") if "status" in row.values}
    for version in sorted(set(listed) - set(pipeline.packages) - withdrawn):
        yield f"{where}/entry.json: version {version} has no package"
    for version in sorted(set(pipeline.packages) - set(listed)):
        yield f"{where}/versions/{version}: is not listed in entry.json"
    for version in sorted(set(listed) & set(pipeline.packages)):
        try:
            pipeline.download(version)
        except BrokenContent as broken:
            yield str(broken)


def _lock_problems(folder: Path, publication: Publication) -> Iterator[str]:
    """Compare the packages with the committed lock: nothing changed, nothing vanished, nothing unlocked."""
    where = f"pipelines/{LOCK_NAME}"
    try:
        document = read_document(folder / LOCK_NAME)
        lock = read_lock(folder)
    except (BrokenContent, NotStrictJson) as broken:
        yield f"pipelines/{broken}"
        return
    yield from (f"{where}: {line}" for line in problems("pipeline_package/published-lock", document))
    locked = {(name, version) for name, rows in lock.items() if isinstance(rows, dict) for version in rows}
    there = {
        (name, version)
        for name, pipeline in publication.pipelines.pipelines.items()
        for version in pipeline.packages
    }
    for name, version in sorted(locked - there):
        yield f"{where}: {name} {version} is published but no longer there"
    for name, version in sorted(there - locked):
        yield f"{where}: {name} {version} is not locked"


def _profile_pipelines(publication: Publication) -> Iterator[str]:
    for name, profile in publication.install_profiles.profiles.items():
        try:
            wanted = Fields(profile.checked().profile).parts("pipelines")
        except BrokenContent:
            continue
        for row in wanted:
            pipeline = publication.pipelines.pipelines.get(row.text("id"))
            version = row.optional_text("version")
            if pipeline is None:
                yield f"profiles/{name}.json: pipelines: {row.text('id')} is not in the registry"
            elif version is not None and version not in pipeline.packages:
                yield f"profiles/{name}.json: pipelines: {row.text('id')} has no version {version}"
            elif version is not None and version in pipeline.yanked:
                yield f"profiles/{name}.json: pipelines: {row.text('id')} {version} is yanked"
