"""The beginning of a curation: what the workflow's files say, for a maintainer to choose from."""

import re
from collections.abc import Mapping
from typing import Any

from seqfacility_pipeline_package.documents import JsonObject, JsonValue

from seqfacility_registry_tools.nf_core.building import SERVICE_PARAMETERS
from seqfacility_registry_tools.nf_core.source import Source

_COLUMNS = (
    (re.compile(r"^(sample|sample_?id|id|patient)$", re.IGNORECASE), {"source": "sample.sampleId"}),
    (re.compile(r"(^|_)(fastq|r|reads?)_?1$|^forward", re.IGNORECASE), {"source": "read.file1"}),
    (re.compile(r"(^|_)(fastq|r|reads?)_?2$|^reverse", re.IGNORECASE), {"source": "read.file2"}),
    (re.compile(r"platform$", re.IGNORECASE), {"source": "order.platform"}),
)


def draft_curation(source: Source) -> JsonObject:
    """Write down every parameter that is not hidden, in its group, and what the columns seem to mean.

    What only a person can say is left empty, so a draft is refused by the import until it is filled in.

    Decision: G946.
    """
    settings: list[JsonValue] = [
        {"key": key, "title": _title(key), "group": _title(parameter.group.removesuffix("_options"))}
        for key, parameter in source.parameters.items()
        if not parameter.is_hidden and key not in SERVICE_PARAMETERS
    ]
    return {
        "shortName": source.name,
        "shortDescription": "",
        "description": "",
        "category": "",
        "topics": [],
        "icon": "",
        "tags": ["nf-core"],
        "targets": {"supported": ["order", "study"]},
        "sequencingCompatibility": {"readLengthClass": "short", "readLayouts": [], "platformFamilies": []},
        "inputs": [{"id": "reads", "source": "reads", "required": True, "minSamples": 1}],
        "execution": {"defaultParams": {}, "cores": 8, "memoryGb": 32},
        "settings": settings,
        "samplesheet": {
            "format": "csv",
            "columns": [
                _column(name, schema, is_required=name in source.required_columns)
                for name, schema in source.columns.items()
            ],
        },
        "outputs": [],
        "steps": [],
        "features": [],
        "tools": [{"name": "Nextflow", "version": source.min_nextflow, "url": "https://www.nextflow.io"}],
        "requirements": {"cpus": 8, "memoryGb": 32},
        "databases": [],
    }


def _column(name: str, schema: Mapping[str, Any], *, is_required: bool) -> JsonObject:
    for expression, meaning in _COLUMNS:
        if expression.search(name):
            return {"name": name, **meaning, **({"required": True} if is_required else {})}
    return {"name": name, "value": schema.get("default") or ""}


def _title(key: str) -> str:
    text = key.replace("_", " ").strip()
    return text[:1].upper() + text[1:]
