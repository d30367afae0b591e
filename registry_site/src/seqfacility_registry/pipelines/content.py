"""The pipelines of one publication, read from `content/pipelines`.

`<id>/entry.json` says what the registry itself knows, `<id>/versions/<version>/<id>/` is a package folder,
and `published.lock.json` holds the digests that never change.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from seqfacility_pipeline_package.documents import Fields, JsonObject, NotStrictJson
from seqfacility_pipeline_package.folder import PackageFiles, read_files
from seqfacility_pipeline_package.names import version_order
from seqfacility_pipeline_package.package import Package, package_from
from seqfacility_pipeline_package.payload import payload_of
from seqfacility_pipeline_package.problems import PackageInvalid, Problem
from seqfacility_pipeline_package.published import read_lock

from seqfacility_registry.answers import Answer, BrokenContent, Source, check_schema, read_source
from seqfacility_registry.pipelines.ro_crate import ro_crate
from seqfacility_registry.pipelines.rules import (
    PackageFacts,
    PublishedVersion,
    full_entry,
    index_document,
    index_entry,
    newest_offered,
)


@dataclass
class HostedPackage:
    """One version of a pipeline: read with the publication, checked when it is first used."""

    where: str
    files: PackageFiles
    problems: list[Problem]
    locked_digest: str | None

    @cached_property
    def package(self) -> Package:
        """Return the package; raises `BrokenContent` when it breaks a rule."""
        if self.problems:
            raise BrokenContent(f"{self.where}: {self.problems[0]}")
        try:
            return package_from(self.files)
        except PackageInvalid as broken:
            raise BrokenContent(f"{self.where}: {broken.details[0]}") from broken

    @cached_property
    def payload(self) -> JsonObject:
        """Return the download payload; raises `BrokenContent` when it is not the published one.

        Decision: G234. Spec: registry, Versioning.
        """
        payload = payload_of(self.package)
        if self.locked_digest not in {None, payload["sha256"]}:
            raise BrokenContent(f"{self.where}: is published and has changed; give it a new version")
        return payload

    @property
    def facts(self) -> PackageFacts:
        documents = self.package.files.documents
        manifest, definition, descriptor = (
            documents[name] for name in ("manifest.json", "definition.json", "registry.json")
        )
        assert isinstance(manifest, dict)
        assert isinstance(definition, dict)
        assert isinstance(descriptor, dict)
        return PackageFacts(manifest, definition, descriptor, self.package.capabilities)


@dataclass
class ListedPipeline:
    """One pipeline: its listing, or what is wrong with it, and its packages by version."""

    id: str
    source: Source
    packages: Mapping[str, HostedPackage]

    @property
    def is_public(self) -> bool:
        """Return whether packages are served; a broken listing serves them as broken. Decision: G235."""
        found = self.source.found
        return isinstance(found, BrokenContent) or found.get("status") != "private"

    @cached_property
    def listing(self) -> JsonObject:
        listing = self.source.document()
        where = f"pipelines/{self.id}/entry.json"
        check_schema(where, "pipeline_package/listing", listing)
        if listing["id"] != self.id:
            raise BrokenContent(f"{where}: id: the folder is named {self.id!r}")
        return listing

    @cached_property
    def versions(self) -> list[PublishedVersion]:
        """Return the versions, newest first; an older version whose package is broken is left out."""
        rows = sorted(
            Fields(self.listing).parts("versions"),
            key=lambda row: version_order(row.text("version")),
            reverse=True,
        )
        found = []
        for place, row in enumerate(rows):
            try:
                found.append(self._published(row))
            except BrokenContent:
                if place == 0:
                    raise
        return found

    @property
    def newest(self) -> HostedPackage:
        """Return the package that the entry describes. Decision: G930."""
        return self.hosted(newest_offered(self.versions).version)

    @property
    def yanked(self) -> frozenset[str]:
        return frozenset(version.version for version in self.versions if version.yank_reason is not None)

    def index_entry(self, base_url: str) -> dict[str, object]:
        return index_entry(self.listing, self.newest.facts, self.versions, base_url)

    def full_entry(self, base_url: str) -> dict[str, object]:
        return full_entry(self.listing, self.newest.facts, self.versions, base_url)

    def download(self, version: str) -> JsonObject:
        """Make the payload of one version; raises `BrokenContent`."""
        assert self.listing["id"] == self.id
        payload = self.hosted(version).payload
        if payload["version"] != version:
            raise BrokenContent(f"pipelines/{self.id}/versions/{version}: holds version {payload['version']}")
        return payload

    def crate(self, version: str) -> dict[str, object]:
        """Make the RO-Crate of one version; raises `BrokenContent`. Decision: G936."""
        self.download(version)
        dates = {
            row.text("version"): row.text("releaseDate") for row in Fields(self.listing).parts("versions")
        }
        if version not in dates:
            raise BrokenContent(f"pipelines/{self.id}/versions/{version}: is not listed in entry.json")
        return ro_crate(self.hosted(version).package, dates[version])

    def hosted(self, version: str) -> HostedPackage:
        """Return a version's package; raises `BrokenContent` without one."""
        if version not in self.packages:
            raise BrokenContent(f"pipelines/{self.id}/versions/{version}: missing")
        return self.packages[version]

    def _published(self, row: Fields) -> PublishedVersion:
        """Return how a version is listed; a withdrawn one needs no package. Decision: G922."""
        version, yank_reason = row.text("version"), row.optional_text("yankReason")
        digest = None
        if yank_reason is None or version in self.packages:
            digest = str(self.download(version)["sha256"])
        return PublishedVersion(
            version, row.text("releaseDate"), digest if self.is_public else None, yank_reason
        )


class PipelineContent:
    """All pipelines of a publication; `downloads` and `crates` by id and version, public ones only."""

    def __init__(self, pipelines: Mapping[str, ListedPipeline]) -> None:
        self.pipelines = pipelines
        self.index = Answer("pipelines", "registry/pipeline-index", self._index, linked=True)
        self.entries = {
            name: Answer(f"pipelines/{name}", "registry/pipeline-entry", pipeline.full_entry, linked=True)
            for name, pipeline in pipelines.items()
        }
        self.downloads = {
            (name, version): _download(pipeline, version)
            for name, pipeline in pipelines.items()
            if pipeline.is_public
            for version in pipeline.packages
        }
        self.crates = {(name, version): _crate(pipelines[name], version) for name, version in self.downloads}

    def answers(self) -> Iterator[Answer]:
        yield self.index
        yield from self.entries.values()
        yield from self.downloads.values()
        yield from self.crates.values()

    def _index(self, base_url: str) -> dict[str, object]:
        entries, dates = [], []
        for pipeline in self.pipelines.values():
            try:
                entries.append(pipeline.index_entry(base_url))
            except BrokenContent:
                continue  # its own answer says so, and `check` names it
            dates += [version.release_date for version in pipeline.versions]
            dates += [row.text("published") for row in Fields(pipeline.listing).parts("advisories")]
        return index_document(entries, max(dates, default="1970-01-01"), base_url)


def read_pipelines(folder: Path) -> PipelineContent:
    """Read all pipelines below `folder`; what is broken is kept as broken and spoils only itself.

    Decision: G232.
    """
    locked = _locked_digests(folder)
    homes = sorted(path for path in folder.glob("*") if path.is_dir() and not path.name.startswith("."))
    return PipelineContent({home.name: _read_pipeline(home, locked) for home in homes})


def _read_pipeline(home: Path, locked: Mapping[tuple[str, str], str]) -> ListedPipeline:
    packages = {}
    for place in sorted((home / "versions").glob("*")):
        if place.is_dir():
            files, problems = read_files(place / home.name)
            where = f"pipelines/{home.name}/versions/{place.name}"
            packages[place.name] = HostedPackage(where, files, problems, locked.get((home.name, place.name)))
    source = read_source(home / "entry.json", f"pipelines/{home.name}")
    return ListedPipeline(home.name, source, packages)


def _locked_digests(folder: Path) -> dict[tuple[str, str], str]:
    """Read the lock file; what is unreadable or no digest locks nothing here, and `check` names it."""
    try:
        lock = read_lock(folder)
    except (OSError, NotStrictJson):
        return {}
    return {
        (name, version): digest
        for name, versions in lock.items()
        if isinstance(versions, dict)
        for version, facts in versions.items()
        if isinstance(facts, dict) and isinstance(digest := facts.get("sha256"), str)
    }


def _download(pipeline: ListedPipeline, version: str) -> Answer:
    where = f"pipelines/{pipeline.id}/versions/{version}"
    return Answer(where, "pipeline_package/payload", lambda _base_url: pipeline.download(version))


def _crate(pipeline: ListedPipeline, version: str) -> Answer:
    where = f"pipelines/{pipeline.id}/versions/{version}"
    return Answer(where, "registry/ro-crate", lambda _base_url: pipeline.crate(version))
