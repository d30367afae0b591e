"""What a run was started with, as its folder tells: `run.json`."""

import json
from dataclasses import dataclass
from typing import TypedDict

from seqfacility_workflow_runtime.run_folder import JsonValue, RunFolder, write_json


class InputFile(TypedDict):
    """One file that went into a run. Gap: G160."""

    sampleId: str
    role: str
    path: str
    dataClass: str
    size: int | None
    checksum: str | None


@dataclass(frozen=True, slots=True)
class RunDescription:
    """Identity and inputs of a run. `read_ids` names the read of each sample id that was used. Gap: G154."""

    run_id: str
    pipeline_id: str
    version: str
    sha256: str | None
    read_ids: dict[str, str]
    files: tuple[InputFile, ...]


def write_description(folder: RunFolder, description: RunDescription) -> None:
    """Write `run.json`. Gap: G154."""
    files: list[JsonValue] = [dict(file) for file in description.files]  # type: ignore[arg-type]  # a TypedDict
    write_json(
        folder.description,
        {
            "runId": description.run_id,
            "pipelineId": description.pipeline_id,
            "version": description.version,
            "sha256": description.sha256,
            "readIds": dict(description.read_ids),
            "inputFiles": files,
        },
    )


def read_description(folder: RunFolder) -> RunDescription | None:
    """Read `run.json` back; None when there is none that makes sense."""
    try:
        document = json.loads(folder.description.read_bytes())
        return RunDescription(
            run_id=str(document["runId"]),
            pipeline_id=str(document["pipelineId"]),
            version=str(document["version"]),
            sha256=document.get("sha256"),
            read_ids={str(key): str(value) for key, value in document.get("readIds", {}).items()},
            files=tuple(_input_file(item) for item in document.get("inputFiles", [])),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _input_file(item: dict[str, object]) -> InputFile:
    size, checksum = item["size"], item["checksum"]
    return {
        "sampleId": str(item["sampleId"]),
        "role": str(item["role"]),
        "path": str(item["path"]),
        "dataClass": str(item["dataClass"]),
        "size": size if isinstance(size, int) else None,
        "checksum": checksum if isinstance(checksum, str) else None,
    }
