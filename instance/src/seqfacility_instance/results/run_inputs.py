"""What a run was started with, as its folder tells: `run.json`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypedDict

from seqfacility_workflow_runtime.regular_file import read_document
from seqfacility_workflow_runtime.run_folder import JsonValue, RunFolder, write_json

from seqfacility_instance.core.storable_text import storable_text


class InputFile(TypedDict):
    """One file that went into a run. Decision: G160."""

    sampleId: str
    role: str
    path: str
    dataClass: str
    size: int | None
    checksum: str | None


@dataclass(frozen=True, slots=True)
class UsedFolder:
    """The folder of a sequencing run as it was when a run took it. Decision: G995."""

    path: str
    state: dict[str, str]


@dataclass(frozen=True, slots=True)
class RunDescription:
    """Identity and inputs of a run. `read_ids` names the read of each sample id that was used.

    `sequencing_folder` is there when the run works on a sequencing run.

    Decision: G154, G995.
    """

    run_id: str
    pipeline_id: str
    version: str
    sha256: str | None
    read_ids: dict[str, str]
    files: tuple[InputFile, ...]
    sequencing_folder: UsedFolder | None = None


def write_description(folder: RunFolder, description: RunDescription) -> None:
    """Write `run.json`. Decision: G154."""
    files: list[JsonValue] = [dict(file) for file in description.files]  # type: ignore[arg-type]  # a TypedDict
    document: dict[str, JsonValue] = {
        "runId": description.run_id,
        "pipelineId": description.pipeline_id,
        "version": description.version,
        "sha256": description.sha256,
        "readIds": dict(description.read_ids),
        "inputFiles": files,
    }
    if (used := description.sequencing_folder) is not None:
        document["sequencingFolder"] = {"path": used.path, "state": dict(used.state)}
    write_json(folder.description, document)


def read_description(folder: RunFolder) -> RunDescription | None:
    """Read `run.json` back; None when there is none that makes sense. Decision: G375, G376."""
    match read_document(folder.description):
        case dict(document):
            pass
        case _:
            return None
    try:
        return RunDescription(
            run_id=_text(document["runId"]),
            pipeline_id=_text(document["pipelineId"]),
            version=_text(document["version"]),
            sha256=_optional_text(document.get("sha256")),
            read_ids={_text(key): _text(value) for key, value in document.get("readIds", {}).items()},
            files=tuple(_input_file(item) for item in document.get("inputFiles", [])),
            sequencing_folder=_used_folder(document.get("sequencingFolder")),
        )
    except (KeyError, TypeError, AttributeError, RecursionError):
        return None


def _input_file(item: dict[str, object]) -> InputFile:
    size = item["size"]
    return {
        "sampleId": _text(item["sampleId"]),
        "role": _text(item["role"]),
        "path": _text(item["path"]),
        "dataClass": _text(item["dataClass"]),
        "size": size if isinstance(size, int) else None,
        "checksum": _optional_text(item["checksum"]),
    }


def _used_folder(item: Mapping[str, object] | None) -> UsedFolder | None:
    if item is None:
        return None
    state = item["state"]
    if not isinstance(state, dict):
        raise TypeError(state)
    return UsedFolder(str(item["path"]), {str(name): str(facts) for name, facts in state.items()})


def _text(value: object) -> str:
    return storable_text(str(value))


def _optional_text(value: object) -> str | None:
    return storable_text(value) if isinstance(value, str) else None
