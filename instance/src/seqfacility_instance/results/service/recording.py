"""Writing what was found, destination by destination; stands inside one transaction."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path, PurePosixPath

from seqfacility_pipeline_package.enums import Destination
from seqfacility_pipeline_package.manifest import Output
from seqfacility_pipeline_package.tables import Row
from seqfacility_workflow_runtime.run_folder import RunFolder

from seqfacility_instance.core.vocabulary.pipelines import CandidateStatus, PipelineArtifactType
from seqfacility_instance.core.vocabulary.sequencing import DataClass, Mate
from seqfacility_instance.reads import store as reads
from seqfacility_instance.reads.rules import layout_of
from seqfacility_instance.results import store
from seqfacility_instance.results.rules.matching import (
    CandidatePair,
    Found,
    artifact_type,
    candidate_pairs,
    sequence_name,
    stored_path,
)
from seqfacility_instance.results.run_inputs import read_description
from seqfacility_instance.results.run_tables import RunTables
from seqfacility_instance.tables.orders import Sample
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.sequencing import Read

_METADATA_COLUMNS = {
    "checksum1": "checksum1",
    "checksum2": "checksum2",
    "readCount1": "read_count1",
    "readCount2": "read_count2",
    "avgQuality1": "avg_quality1",
    "avgQuality2": "avg_quality2",
}


@dataclass(slots=True)
class Recorder:
    """Records the files of one run. `output` is absolute, `base` the data base path. Decision: G190-G193."""

    run: PipelineRun
    is_order_run: bool
    output: PurePosixPath
    base: PurePosixPath | None
    samples: Mapping[str, Sample]
    sizes: Mapping[str, int]
    tables: RunTables
    now: datetime
    assemblies_created: int = 0
    bins_created: int = 0
    artifacts_created: int = 0
    warnings: list[str] = field(default_factory=list)

    def record(self, found: Iterable[Found]) -> None:
        """Record every file at its destination. Decision: G190."""
        items = tuple(found)
        reads_used = self._reads_used()
        for item in items:
            match item.output.destination:
                case Destination.ASSEMBLY:
                    self._record_assembly(item)
                case Destination.BIN:
                    self._record_bin(item)
                case Destination.ARTIFACT:
                    self._record_artifact(item)
                case Destination.READ_METADATA:
                    self._record_metadata(item, reads_used)
                case Destination.READ_CANDIDATE:
                    if not self.is_order_run:
                        self._record_artifact(item, PipelineArtifactType.READS)
        if self.is_order_run:
            for pair in candidate_pairs(items):
                self._record_candidate(pair)

    def _record_assembly(self, item: Found) -> None:
        self.assemblies_created += store.add_assembly(
            {
                "assembly_name": sequence_name(item.path)[:255],
                "assembly_file": self._stored(item.path),
                "size": self.sizes[item.path],
                "sample": self._sample_id(item),
                "created_by_pipeline_run": self.run.id,
                "created_at": self.now,
            }
        )

    def _record_bin(self, item: Found) -> None:
        row = self.tables.row_of_bin(item)
        if row is None:
            self.warnings.append(f"{item.path}: no table grades this bin")
        self.bins_created += store.save_bin(
            {
                "bin_name": sequence_name(item.path)[:255],
                "bin_file": self._stored(item.path),
                "completeness": _grade(row, "completeness"),
                "contamination": _grade(row, "contamination"),
                "size": self.sizes[item.path],
                "sample": self._sample_id(item),
                "created_by_pipeline_run": self.run.id,
                "created_at": self.now,
            }
        )

    def _record_artifact(self, item: Found, kind: PipelineArtifactType | None = None) -> None:
        values = self._artifact_values(item, kind or artifact_type(item.output, item.path))
        self.artifacts_created += store.save_artifact(values)

    def _record_candidate(self, pair: CandidatePair) -> None:
        """Record a candidate for the order's reads; it never has a protected class. Decision: G133, G190."""
        data_class = DataClass((pair.first.output.target_data_class or DataClass.CLEANED).value)
        if data_class is not DataClass.CLEANED:
            raise AssertionError("a package that stages protected reads is never loaded")
        file1 = self._stored(pair.first.path)
        file2 = None if pair.second is None else self._stored(pair.second.path)
        platform = self.samples[pair.code].order.platform
        self.artifacts_created += store.save_artifact(
            {
                **self._artifact_values(pair.first, PipelineArtifactType.READS),
                "candidate_status": CandidateStatus.CANDIDATE,
                "file1": file1,
                "file2": file2,
                "read_layout": layout_of(file1, file2, platform),
                "target_data_class": data_class,
            }
        )

    def _record_metadata(self, item: Found, reads_used: Mapping[str, str]) -> None:
        """Fill fields of the read that the run has looked at, empty ones and those that it filled before.

        A newer read is another one's, and so is a value that somebody else has written since.

        Decision: G190, G192, G343.
        """
        row, sample_id = self.tables.first_row(item), self._sample_id(item)
        read = reads.find_active_read(sample_id)
        if row is None:
            self.warnings.append(f"{item.path}: holds no values")
        elif read is None or reads_used.get(sample_id, read.id) != read.id:
            self.warnings.append(f"{item.path}: the sample has another read by now")
        elif values := _metadata_values(item.output, row, read, self.run.id):
            written = {column: {"run": self.run.id, "value": value} for column, value in values.items()}
            changes = {"written_values": {**read.written_values, **written}, "updated_at": self.now}
            reads.update_read(read.id, {**values, **changes})

    def _artifact_values(self, item: Found, kind: PipelineArtifactType) -> dict[str, object]:
        return {
            "type": kind,
            "name": PurePosixPath(item.path).name[:255],
            "path": self._stored(item.path),
            "size": self.sizes[item.path],
            "study": self.run.study_id,
            "sample": None if item.code is None else self.samples[item.code].id,
            "pipeline_run": self.run.id,
            "produced_by_step_id": item.output.step,
            "output_id": item.output.id,
            "output_label": item.output.label[:255],
            "output_position": item.position,
            "is_primary": item.output.primary,
            "mate": _mate(item.output),
            "created_at": self.now,
        }

    def _stored(self, path: str) -> str:
        return stored_path(self.output / path, self.base)

    def _sample_id(self, item: Found) -> str:
        assert item.code is not None, item.output.id
        return self.samples[item.code].id

    def _reads_used(self) -> dict[str, str]:
        """Name the read of each sample that the run was started with."""
        if self.run.run_folder is None:
            return {}
        description = read_description(RunFolder(Path(self.run.run_folder)))
        return {} if description is None else description.read_ids


def _mate(output: Output) -> Mate | None:
    """Return which mate of its sample a file of reads is. Decision: G988, G996."""
    is_of_sample = output.destination is Destination.ARTIFACT and output.mate is not None
    return Mate(output.mate.value) if is_of_sample and output.mate is not None else None


def _metadata_values(output: Output, row: Row, read: Read, run_id: str) -> dict[str, object]:
    """Choose the values that may be written: of mates that exist, where none stands or one of this run."""
    values: dict[str, object] = {}
    for name in output.fields:
        value, column = row.get(name), _METADATA_COLUMNS[name]
        has_file = getattr(read, f"file{name[-1]}") is not None
        current = getattr(read, column)
        is_ours = read.written_values.get(column) == {"run": run_id, "value": current}
        if value is not None and has_file and value != current and (current is None or is_ours):
            values[column] = value
    return values


def _grade(row: Row | None, name: str) -> float:
    """Return a percentage of a bin, 0 when it is not known. Spec: instance, Assembly and Bin."""
    value = None if row is None else row.get(name)
    return min(max(float(value), 0.0), 100.0) if isinstance(value, int | float) else 0.0
