"""What another version of a package would change, for the admin who decides about it."""

from collections.abc import Mapping
from dataclasses import dataclass

from seqfacility_pipeline_package.documents import Fields, JsonValue
from seqfacility_pipeline_package.package import Package

_EXECUTED = ("scripts/", "workflow/")


@dataclass(frozen=True, slots=True)
class NamedChanges:
    """Which of a set of named things are added, removed and changed, each sorted."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A value before and after; None where there is none."""

    before: JsonValue
    after: JsonValue


@dataclass(frozen=True, slots=True)
class PackageChanges:
    """How one version differs from another in what it executes, fetches and lets people configure.

    Decision: G442.

    `execution` has the engine and where the workflow comes from, by key of the manifest: `repository`,
    `revision`, `commit`, `path`; only keys that differ. `files` are workflow and scripts.
    """

    execution: Mapping[str, ValueChange]
    files: NamedChanges
    databases: NamedChanges
    config_keys: NamedChanges


def package_changes(before: Package, after: Package) -> PackageChanges:
    old, new = _execution(before), _execution(after)
    return PackageChanges(
        execution={
            key: ValueChange(old.get(key), new.get(key))
            for key in sorted(old.keys() | new.keys())
            if old.get(key) != new.get(key)
        },
        files=_compared(_executed_files(before), _executed_files(after)),
        databases=_compared(_databases(before), _databases(after)),
        config_keys=_compared(_config_keys(before), _config_keys(after)),
    )


def _compared(before: Mapping[str, object], after: Mapping[str, object]) -> NamedChanges:
    return NamedChanges(
        added=tuple(sorted(after.keys() - before.keys())),
        removed=tuple(sorted(before.keys() - after.keys())),
        changed=tuple(sorted(name for name in before.keys() & after.keys() if before[name] != after[name])),
    )


def _execution(package: Package) -> Mapping[str, JsonValue]:
    execution = _document(package, "manifest.json").part("execution")
    return {"engine": execution.values.get("engine"), **execution.mapping("workflow")}


def _executed_files(package: Package) -> Mapping[str, object]:
    return {path: text for path, text in package.files.texts.items() if path.startswith(_EXECUTED)}


def _databases(package: Package) -> Mapping[str, object]:
    return {database.id: database for database in package.descriptor.databases}


def _config_keys(package: Package) -> Mapping[str, object]:
    descriptor = package.descriptor
    properties = Fields(descriptor.config_schema).mapping("properties")
    return {
        key: (properties.get(key), descriptor.default_config.get(key))
        for key in properties.keys() | descriptor.default_config.keys()
    }


def _document(package: Package, path: str) -> Fields:
    document = package.files.documents[path]
    assert isinstance(document, dict)
    return Fields(document)
