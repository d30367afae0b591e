"""The files of an nf-core workflow at one tag: from a folder, or from the workflow's repository."""

import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seqfacility_wire.command_line.refusal import Refused
from seqfacility_wire.timestamps import parse_date

from seqfacility_registry_tools.git import git

FILES = {
    "nextflow_schema.json": ("nextflow_schema.json",),
    "schema_input.json": ("schema_input.json", "assets/schema_input.json"),
    "modules.json": ("modules.json",),
    "nextflow.config": ("nextflow.config",),
    "output.md": ("output.md", "docs/output.md"),
}
"""What an import reads, and where it may lie: side by side, or as in the workflow's repository."""

LICENSE = "LICENSE"
"""Read where it lies beside them, as it does in every clone."""

SERVICE_GROUPS = ("generic_options", "institutional_config_options", "max_job_request_options")
"""Groups of every nf-core schema that say how Nextflow itself is run, which is the facility's to set."""

_COMMIT = re.compile(r"[0-9a-f]{40}")
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_TAG = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+")
_NEXTFLOW = re.compile(r"nextflowVersion\s*=\s*['\"]!?([^'\"]+)['\"]")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of the workflow; `schema` is what `nextflow_schema.json` says of it."""

    group: str
    schema: Mapping[str, Any]
    required: bool

    @property
    def is_hidden(self) -> bool:
        return bool(self.schema.get("hidden")) or self.group in SERVICE_GROUPS

    @property
    def is_path(self) -> bool:
        return str(self.schema.get("format", "")) in {"path", "file-path", "directory-path"}


@dataclass(frozen=True, slots=True)
class Source:
    """What a workflow's own files say at one tag."""

    name: str
    tag: str
    commit: str
    date: str
    parameters: Mapping[str, Parameter]
    columns: Mapping[str, Mapping[str, Any]]
    required_columns: tuple[str, ...]
    modules: frozenset[str]
    min_nextflow: str
    output_page: str
    license: str | None

    @property
    def repository(self) -> str:
        return repository_of(self.name)


def repository_of(name: str) -> str:
    """Return the address of a workflow's repository."""
    return f"https://github.com/nf-core/{name}"


def read_source(folder: Path, name: str, tag: str, commit: str, date: str) -> Source:
    """Read the files of a workflow. Raises `Refused` for a file that is missing or cannot be read."""
    _check_release(name, tag)
    try:
        parse_date(date)
    except ValueError:
        raise Refused(f"{date}: a date is YYYY-MM-DD") from None
    if not _COMMIT.fullmatch(commit):
        raise Refused(f"{commit}: a commit has 40 hexadecimal digits")
    schema, sheet = _document(folder, "nextflow_schema.json"), _document(folder, "schema_input.json")
    rows = sheet.get("items", {})
    found = _NEXTFLOW.search(_text(folder, "nextflow.config"))
    return Source(
        name=name,
        tag=tag,
        commit=commit,
        date=date,
        parameters=dict(_parameters(schema)),
        columns=rows.get("properties", {}),
        required_columns=tuple(rows.get("required", ())),
        modules=frozenset(
            module
            for repository in _document(folder, "modules.json").get("repos", {}).values()
            for modules in repository.get("modules", {}).values()
            for module in modules
        ),
        min_nextflow=found[1] if found else "",
        output_page=_text(folder, "output.md"),
        license=(folder / LICENSE).read_text("utf-8") if (folder / LICENSE).is_file() else None,
    )


@contextmanager
def fetched(name: str, tag: str) -> Iterator[Source]:
    """Clone the workflow at its tag, read it, and throw the clone away."""
    _check_release(name, tag)
    with tempfile.TemporaryDirectory(prefix="nf-core-") as place:
        folder = Path(place) / name
        git("clone", "--quiet", "--depth=1", f"--branch={tag}", "--", repository_of(name), str(folder))
        said = git("log", "-1", "--format=%H %cs", folder=folder).decode("ascii").split()
        yield read_source(folder, name, tag, *said)


def _check_release(name: str, tag: str) -> None:
    """Refuse what is no name or no tag before it is part of a path or of an address."""
    if not _NAME.fullmatch(name):
        raise Refused(f"{name}: a name is made of lower-case letters and digits with hyphens between")
    if not _TAG.fullmatch(tag):
        raise Refused(f"{tag}: a tag of nf-core is three numbers, as 5.5.0")


def _parameters(schema: Mapping[str, Any]) -> Iterator[tuple[str, Parameter]]:
    for group, part in (schema.get("$defs") or schema.get("definitions") or {}).items():
        for key, one in part.get("properties", {}).items():
            yield key, Parameter(group, one, key in part.get("required", ()))


def _document(folder: Path, name: str) -> dict[str, Any]:
    try:
        document = json.loads(_text(folder, name))
    except ValueError as broken:
        raise Refused(f"{folder}: {name} is not JSON: {broken}") from broken
    if not isinstance(document, dict):
        raise Refused(f"{folder}: {name} is not a JSON object")
    return document


def _text(folder: Path, name: str) -> str:
    for place in FILES[name]:
        if (folder / place).is_file():
            return (folder / place).read_text("utf-8")
    raise Refused(f"{folder}: has no {' and no '.join(FILES[name])}")
