"""The rules of a package: each document against its schema, then the documents against each other."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from seqfacility_schemas import Profile
from seqfacility_schemas import problems as schema_problems

from seqfacility_pipeline_package.definition import definition_from
from seqfacility_pipeline_package.descriptor import descriptor_from
from seqfacility_pipeline_package.documents import JsonObject
from seqfacility_pipeline_package.folder import DOCUMENTS, PackageFiles
from seqfacility_pipeline_package.manifest import manifest_from
from seqfacility_pipeline_package.output_rules import output_problems
from seqfacility_pipeline_package.part_rules import (
    Parts,
    config_rule_problems,
    execution_problems,
    input_problems,
    samplesheet_problems,
    sequencing_run_problems,
    step_problems,
)
from seqfacility_pipeline_package.problems import Problem
from seqfacility_pipeline_package.samplesheet import samplesheet_from
from seqfacility_pipeline_package.tables import Parser, parser_from

_RULES: tuple[Callable[[Parts], Iterator[Problem]], ...] = (
    execution_problems,
    input_problems,
    sequencing_run_problems,
    output_problems,
    step_problems,
    config_rule_problems,
    samplesheet_problems,
)


def package_problems(files: PackageFiles, profile: Profile = Profile.PRODUCER) -> list[Problem]:
    """List what is wrong with the content of a package; empty when it is sound.

    The rules between documents are checked only when every document fits its schema. For a consumer a key
    that it does not know is no fault.

    Decision: G129, G445.
    """
    problems = list(_schema_faults(files, profile))
    if problems:
        return problems
    parsers, repeats = _parsers_by_id(files)
    parts = Parts(
        files=files,
        manifest=manifest_from(_document(files, "manifest.json")),
        definition=definition_from(_document(files, "definition.json")),
        descriptor=descriptor_from(_document(files, "registry.json")),
        samplesheet=samplesheet_from(_document(files, "samplesheet.json")),
        parsers=parsers,
    )
    found = [*repeats, *_identity_problems(parts)]
    for rule in _RULES:
        found.extend(rule(parts))
    return found


def _schema_faults(files: PackageFiles, profile: Profile) -> Iterator[Problem]:
    for path in DOCUMENTS:
        if path not in files.documents:
            yield Problem(path, "document", "is missing")
    for path in sorted(files.documents):
        schema = "parser" if path in files.parser_paths else path.removesuffix(".json")
        for line in schema_problems(f"pipeline_package/{schema}", files.documents[path], profile=profile):
            place, _, reason = line.partition(": ")
            yield Problem(path, place, reason)


def _identity_problems(parts: Parts) -> Iterator[Problem]:
    package_id = parts.manifest.id
    if parts.files.name != package_id:
        yield Problem("manifest.json", "package.id", f"the folder is named {parts.files.name!r}")
    if parts.definition.pipeline != package_id:
        yield Problem("definition.json", "pipeline", f"is not {package_id!r}")
    if parts.descriptor.id != package_id:
        yield Problem("registry.json", "id", f"is not {package_id!r}")


def _parsers_by_id(files: PackageFiles) -> tuple[Mapping[str, Parser], Sequence[Problem]]:
    parsers: dict[str, Parser] = {}
    repeats = []
    for path in files.parser_paths:
        parser = parser_from(_document(files, path))
        if parser.id in parsers:
            repeats.append(Problem(path, "id", f"{parser.id!r} is the id of another parser"))
        if len({column.name for column in parser.columns}) != len(parser.columns):
            repeats.append(Problem(path, "columns", "gives one name twice"))
        parsers[parser.id] = parser
    return parsers, repeats


def _document(files: PackageFiles, path: str) -> JsonObject:
    document = files.documents[path]
    assert isinstance(document, dict)
    return document
