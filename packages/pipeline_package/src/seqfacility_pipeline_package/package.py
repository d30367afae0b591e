"""A whole package: its documents as typed values, and what follows from them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from seqfacility_schemas import Profile

from seqfacility_pipeline_package.definition import Definition, definition_from
from seqfacility_pipeline_package.descriptor import RegistryDescriptor, descriptor_from
from seqfacility_pipeline_package.documents import JsonObject, JsonValue
from seqfacility_pipeline_package.enums import Destination, InputSource
from seqfacility_pipeline_package.folder import PackageFiles, read_files
from seqfacility_pipeline_package.manifest import Manifest, manifest_from
from seqfacility_pipeline_package.problems import PackageInvalid, Problem
from seqfacility_pipeline_package.rules import package_problems
from seqfacility_pipeline_package.samplesheet import Samplesheet, samplesheet_from
from seqfacility_pipeline_package.tables import Parser, parser_from


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a pipeline does to reads; derived from the manifest, never written down. Decision: G138."""

    requires_linked_reads: bool
    writes_canonical_read_metadata: bool
    writes_canonical_read_files: bool
    stages_read_candidates: bool
    requires_admin_read_promotion: bool
    requires_sequencing_run: bool


@dataclass(frozen=True, slots=True)
class Package:
    """A package that has passed every check.

    `parsers` are found by their ids, `discovery_scripts` are paths inside the package.

    Decision: G129.
    """

    manifest: Manifest
    definition: Definition
    descriptor: RegistryDescriptor
    samplesheet: Samplesheet
    parsers: Mapping[str, Parser]
    discovery_scripts: tuple[str, ...]
    files: PackageFiles

    @property
    def id(self) -> str:
        return self.manifest.id

    @property
    def version(self) -> str:
        return self.manifest.version

    @property
    def capabilities(self) -> Capabilities:
        return capabilities_of(self.manifest)


def capabilities_of(manifest: Manifest) -> Capabilities:
    """Derive the capability flags of a manifest.

    Decision: G138.
    """
    destinations = {output.destination for output in manifest.outputs}
    candidates = Destination.READ_CANDIDATE in destinations
    return Capabilities(
        requires_linked_reads=any(
            item.source is InputSource.READS and item.required for item in manifest.inputs
        ),
        writes_canonical_read_metadata=Destination.READ_METADATA in destinations,
        writes_canonical_read_files=False,
        stages_read_candidates=candidates,
        requires_admin_read_promotion=candidates,
        requires_sequencing_run=manifest.takes_sequencing_run,
    )


def check_package(folder: Path) -> list[Problem]:
    """List everything that is wrong with a package folder, sorted; empty when it is sound.

    Checked are the folder itself (name, links, sizes, names, unexpected files), each document
    against its schema, and the rules between documents.

    Decision: G129.
    """
    files, problems = read_files(folder)
    return sorted(problems or package_problems(files))


def read_package(folder: Path, profile: Profile = Profile.PRODUCER) -> Package:
    """Read a package folder.

    Raises `PackageInvalid` with every problem of `check_package` when there is one.

    Decision: G129.
    """
    files, problems = read_files(folder)
    return package_from(files, profile) if not problems else _refuse(problems)


def package_from(files: PackageFiles, profile: Profile = Profile.PRODUCER) -> Package:
    """Make a package of its files, wherever they come from.

    Raises `PackageInvalid` when they break a rule.

    Decision: G129.
    """
    if problems := package_problems(files, profile):
        _refuse(problems)
    parsers = [parser_from(_object(files.documents[path])) for path in files.parser_paths]
    return Package(
        manifest=manifest_from(_object(files.documents["manifest.json"])),
        definition=definition_from(_object(files.documents["definition.json"])),
        descriptor=descriptor_from(_object(files.documents["registry.json"])),
        samplesheet=samplesheet_from(_object(files.documents["samplesheet.json"])),
        parsers={parser.id: parser for parser in parsers},
        discovery_scripts=tuple(sorted(path for path in files.texts if path.startswith("scripts/"))),
        files=files,
    )


def _object(value: JsonValue) -> JsonObject:
    assert isinstance(value, dict)
    return value


def _refuse(problems: list[Problem]) -> Package:
    raise PackageInvalid(sorted(problems))
