"""Values of a pipeline's page: identifiers as readable labels; an unknown identifier is shown unchanged."""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

_ENGINES: Final = {"nextflow": "Nextflow", "snakemake": "Snakemake"}
_DESTINATIONS: Final = {
    "artifact": "the files of the run",
    "assembly": "the assemblies of the sample",
    "bin": "the bins of the sample",
    "read-candidate": "new reads, once an admin promotes them",
    "read-metadata": "what is known of the reads",
}
_FAMILIES: Final = {
    "dnbseq": "DNBSEQ",
    "element": "Element",
    "illumina": "Illumina",
    "ion-torrent": "Ion Torrent",
    "mgi": "MGI",
    "oxford-nanopore": "Oxford Nanopore",
    "pacbio": "PacBio",
    "ultima": "Ultima",
}
_TARGETS: Final = {"order": "orders", "study": "studies"}
_SOURCES: Final = {"reads": "reads", "samples": "samples", "sequencing-run": "the folder of a sequencing run"}


def pipeline_values(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the values of the template, the entry itself among them."""
    return {
        "entry": entry,
        "works_on": target_labels(entry),
        "inputs": [_input(row) for row in entry["inputs"]],
        "outputs": [
            {**row, "goes_to": _DESTINATIONS.get(row["destination"], row["destination"])}
            for row in entry["outputs"]
        ],
        "platforms": [
            _FAMILIES.get(family, family) for family in entry["sequencingCompatibility"]["platformFamilies"]
        ],
        "databases": [_database(row) for row in entry["databases"]],
        "verification": _verification(entry),
    }


def target_labels(entry: Mapping[str, Any]) -> Sequence[str]:
    """Return what a pipeline works on, as labels."""
    return [_TARGETS.get(target, target) for target in entry["targets"]["supported"]]


def _input(row: Mapping[str, Any]) -> str:
    text = _SOURCES.get(row["source"], row["source"])
    return text if row["required"] else f"{text} (optional)"


def _database(row: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**row, "host": urlsplit(row["downloadUrl"]).hostname}


def _verification(entry: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the record of the verification run, its outputs by label; None without one. Decision: G1005."""
    record = entry.get("verification")
    if record is None:
        return None
    labels = {row["id"]: row["label"] for row in entry["outputs"]}
    return {
        **record,
        "engine": _ENGINES.get(record["engine"], record["engine"]),
        "outputs": [labels.get(name, name) for name in record["outputs"]],
    }
