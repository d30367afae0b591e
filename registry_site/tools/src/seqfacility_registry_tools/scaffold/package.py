"""`new-pipeline`: a package that keeps all rules, to be changed into what it shall become."""

import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from seqfacility_pipeline_package.documents import Fields, JsonObject, readable_json
from seqfacility_pipeline_package.package import check_package
from seqfacility_registry.answers import read_document
from seqfacility_wire.command_line.refusal import Refused

VERSION = "0.1.0"
TEMPLATE = Path(__file__).parent / "template"
SHEET_READER = "run_sheet.py"
"""The script of our own packages that reads a sample sheet; a package brings a copy."""

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class FetchedWorkflow:
    """A workflow that Nextflow fetches: a repository, what people call the revision, and its commit."""

    repository: str
    revision: str
    commit: str


def new_pipeline(pipelines: Path, pipeline_id: str, fetched: FetchedWorkflow | None, today: str) -> Path:
    """Write the package and its entry; return the package's folder.

    Without a fetched workflow it is one for Snakemake that counts reads and runs as it is. Raises `Refused`
    when there is one of this id, or when what was given breaks a rule of packages; nothing is written then.

    Decision: G951.
    """
    home = pipelines / pipeline_id
    if not _ID.fullmatch(pipeline_id):
        raise Refused(f"{pipeline_id}: an id is made of lower-case letters and digits with hyphens between")
    if home.exists():
        raise Refused(f"{home}: is there already")
    with tempfile.TemporaryDirectory(prefix=".new-", dir=pipelines) as room:
        draft = Path(room) / pipeline_id
        place = draft / "versions" / VERSION / pipeline_id
        place.mkdir(parents=True)
        for name, document in _documents(pipeline_id, fetched).items():
            (place / name).write_text(readable_json(document), encoding="utf-8")
        if fetched is None:
            shutil.copytree(TEMPLATE, place / "workflow", ignore=shutil.ignore_patterns("__pycache__"))
            shutil.copyfile(_sheet_reader(pipelines), place / "workflow" / "scripts" / SHEET_READER)
        if faults := check_package(place):
            raise Refused("; ".join(str(fault) for fault in faults))
        entry = _entry(pipeline_id, fetched, today)
        (draft / "entry.json").write_text(readable_json(entry), encoding="utf-8")
        draft.rename(home)
    return home / "versions" / VERSION / pipeline_id


def _sheet_reader(pipelines: Path) -> Path:
    """Find the copy of the newest version of one of our own packages; tests keep those copies alike."""
    home = pipelines / "fastq-checksum"
    version = Fields(read_document(home / "entry.json")).parts("versions")[-1].text("version")
    return home / "versions" / version / home.name / "workflow" / "scripts" / SHEET_READER


def _entry(pipeline_id: str, fetched: FetchedWorkflow | None, today: str) -> JsonObject:
    source: JsonObject = {"kind": "registry", "label": "SeqFacility registry"}
    if fetched is not None:
        source = {
            "kind": "github",
            "label": fetched.repository.removeprefix("https://"),
            "repository": fetched.repository,
            "refDefault": fetched.revision,
            "includeWorkflow": False,
        }
    return {
        "id": pipeline_id,
        "status": "available",
        "verified": False,
        "featured": False,
        "source": source,
        "versions": [{"version": VERSION, "releaseDate": today}],
    }


def _documents(pipeline_id: str, fetched: FetchedWorkflow | None) -> dict[str, JsonObject]:
    title = pipeline_id.replace("-", " ").capitalize()
    if fetched is None:
        description = "Counts the reads of each sample, and those that are long enough."
        workflow: JsonObject = {"path": "workflow/Snakefile"}
        parameter = "minLength"
        tool: JsonObject = {"name": "Snakemake", "version": ">=9", "url": "https://snakemake.github.io"}
        columns = _columns("sample", "file1", "file2")
        columns[1:1] = [
            {"name": "alias", "source": "sample.sampleAlias"},
            {"name": "layout", "source": "read.readLayout", "required": True},
        ]
        pattern, process = "samples/*.reads.tsv", "count"
    else:
        description = (
            f"Runs {fetched.repository.rpartition('/')[2]} at {fetched.revision} on the reads of each sample."
        )
        workflow = {
            "repository": fetched.repository,
            "revision": fetched.revision,
            "commit": fetched.commit,
        }
        parameter = "min_length"
        tool = {"name": "Nextflow", "url": "https://www.nextflow.io"}
        columns = _columns("sample", "fastq_1", "fastq_2")
        pattern, process = "**/*.reads.tsv", "COUNT"
    output: JsonObject = {
        "id": "counts",
        "label": "Counts of reads",
        "pattern": pattern,
        "required": True,
        "matchSample": "name",
        "destination": "artifact",
        "artifactType": "qc_report",
        "step": "count",
    }
    step: JsonObject = {
        "id": "count",
        "name": "Count",
        "description": "Counts the reads of each sample.",
        "dependsOn": [],
        "processMatchers": [{"kind": "exact", "value": process}],
    }
    setting: JsonObject = {
        "type": "integer",
        "title": "Shortest read",
        "description": "Shorter reads are not counted as long enough.",
        "minimum": 1,
        "maximum": 100000,
        "default": 50,
    }
    return {
        "manifest.json": {
            "manifestVersion": 1,
            "package": {
                "id": pipeline_id,
                "name": title,
                "version": VERSION,
                "description": description,
                "provider": "SeqFacility",
                "license": "Apache-2.0",
            },
            "targets": {"supported": ["order", "study"]},
            "sequencingCompatibility": {"readLengthClass": "both", "readLayouts": [], "platformFamilies": []},
            "inputs": [{"id": "reads", "source": "reads", "required": True, "minSamples": 1}],
            "execution": {
                "engine": "snakemake" if fetched is None else "nextflow",
                "workflow": workflow,
                "defaultParams": {},
                "cores": 1,
                "memoryGb": 1,
            },
            "outputs": [output],
        },
        "definition.json": {"pipeline": pipeline_id, "steps": [step]},
        "registry.json": {
            "id": pipeline_id,
            "name": title,
            "shortName": title,
            "shortDescription": description,
            "description": description,
            "category": "quality-control",
            "topics": [{"id": "topic_3168", "label": "Sequencing"}],
            "icon": "hash",
            "tags": [],
            "author": "SeqFacility",
            "configSchema": {
                "type": "object",
                "properties": {parameter: setting},
                "additionalProperties": False,
            },
            "defaultConfig": {parameter: 50},
            "features": [],
            "tools": [tool],
            "requirements": {"cpus": 1, "memoryGb": 1},
            "databases": [],
        },
        "samplesheet.json": {"format": "csv", "columns": [*columns]},
    }


def _columns(sample: str, first: str, second: str) -> list[JsonObject]:
    return [
        {"name": sample, "source": "sample.sampleId", "required": True},
        {"name": first, "source": "read.file1", "required": True},
        {"name": second, "source": "read.file2"},
    ]
