"""A small sound package, as values that a test may spoil before they are written."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Documents = dict[str, Any]


def sound_documents() -> Documents:
    """Return the files of a package that passes every check: JSON documents as values, texts as text."""
    return {
        "manifest.json": {
            "manifestVersion": 1,
            "package": {
                "id": "trim-reads",
                "name": "Trim reads",
                "version": "1.2.0",
                "description": "Trims.",
                "provider": "Us",
            },
            "targets": {"supported": ["order"]},
            "sequencingCompatibility": {
                "readLengthClass": "both",
                "readLayouts": ["paired", "single"],
                "platformFamilies": ["illumina"],
            },
            "inputs": [{"id": "reads", "source": "reads", "required": True, "readLayouts": ["paired"]}],
            "execution": {
                "engine": "snakemake",
                "workflow": {"path": "workflow/Snakefile"},
                "defaultParams": {"speed": 2},
            },
            "outputs": [
                {
                    "id": "r1",
                    "label": "Reads",
                    "pattern": "reads/*_R1.fq.gz",
                    "matchSample": "name",
                    "destination": "read-candidate",
                    "targetDataClass": "cleaned",
                    "mate": "R1",
                    "step": "trim",
                },
                {
                    "id": "counts",
                    "label": "Counts",
                    "pattern": "counts/*.tsv",
                    "matchSample": "name",
                    "destination": "read-metadata",
                    "parser": "counts",
                    "fields": ["readCount1"],
                },
                {
                    "id": "report",
                    "label": "Report",
                    "pattern": "report.html",
                    "matchSample": None,
                    "destination": "artifact",
                    "primary": True,
                },
                {
                    "id": "bins",
                    "label": "Bins",
                    "pattern": "bins/**/*.fa",
                    "matchSample": "folder",
                    "destination": "bin",
                    "required": False,
                    "parser": "grades",
                },
                {
                    "id": "grades",
                    "label": "Grades",
                    "pattern": "grades.tsv",
                    "destination": "artifact",
                    "required": False,
                    "parser": "grades",
                },
            ],
            "readCleaning": True,
        },
        "definition.json": {
            "pipeline": "trim-reads",
            "steps": [
                {
                    "id": "trim",
                    "name": "Trim",
                    "description": "Trims.",
                    "dependsOn": [],
                    "processMatchers": [{"kind": "exact", "value": "trim"}],
                },
                {
                    "id": "report",
                    "name": "Report",
                    "description": "Tells.",
                    "dependsOn": ["trim"],
                    "processMatchers": [{"kind": "regex", "value": "^rep"}],
                },
            ],
        },
        "registry.json": {
            "id": "trim-reads",
            "name": "Trim reads",
            "shortName": "Trim",
            "shortDescription": "Trims reads.",
            "description": "Trims.",
            "category": "order-utilities",
            "icon": "scissors",
            "tags": [],
            "author": "Us",
            "configSchema": {
                "type": "object",
                "properties": {"minLength": {"type": "integer", "minimum": 1}, "db": {"type": "string"}},
                "required": ["db"],
                "additionalProperties": False,
            },
            "defaultConfig": {"minLength": 50},
            "features": [],
            "tools": [{"name": "trimmer"}],
            "requirements": {"memoryGb": 0.5},
            "databases": [
                {
                    "id": "host",
                    "label": "Host",
                    "version": "1",
                    "fileName": "host.tar.gz",
                    "downloadUrl": "https://example.org/host.tar.gz",
                    "configKey": "db",
                    "mode": "ensure",
                }
            ],
        },
        "samplesheet.json": {
            "format": "csv",
            "columns": [
                {"name": "sample", "source": "sample.sampleId", "required": True},
                {"name": "fastq_1", "source": "read.file1", "required": True},
            ],
        },
        "parsers/counts.json": {
            "id": "counts",
            "format": "tsv",
            "columns": [{"name": "readCount1", "column": "reads", "type": "int"}],
        },
        "parsers/grades.json": {
            "id": "grades",
            "format": "tsv",
            "columns": [
                {"name": "name", "column": "Bin", "type": "string"},
                {"name": "completeness", "column": "Complete", "type": "float"},
                {"name": "contamination", "column": "Foreign", "type": "float"},
            ],
        },
        "scripts/discover.py": "print('{}')\n",
        "workflow/Snakefile": "rule trim:\n    output: 'x'\n",
    }


def write_documents(folder: Path, documents: Documents) -> Path:
    """Write a package folder."""
    for path, content in documents.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return folder


@pytest.fixture
def documents() -> Documents:
    """Return the files of a sound package, to be spoilt."""
    return sound_documents()


@pytest.fixture
def write() -> Callable[[Path, Documents], Path]:
    """Return the writer of package folders."""
    return write_documents


@pytest.fixture
def package_folder(tmp_path: Path, documents: Documents) -> Path:
    """Return the folder of a sound package."""
    return write_documents(tmp_path / "trim-reads", documents)
