"""Writes the rows of a new demo workspace, each through the slice that owns its table."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import PurePosixPath

from seqfacility_instance.core.ids import canonical_run_number, new_id
from seqfacility_instance.core.vocabulary.orders import OrderStatus
from seqfacility_instance.core.vocabulary.pipelines import (
    Backend,
    PipelineArtifactType,
    RunStatus,
    TargetType,
)
from seqfacility_instance.core.vocabulary.sequencing import DataClass, ReadSource
from seqfacility_instance.core.vocabulary.streams import StreamEventKind, StreamStatus
from seqfacility_instance.demo import content
from seqfacility_instance.demo.content import OrderStory
from seqfacility_instance.orders import sample_store
from seqfacility_instance.orders import store as orders_store
from seqfacility_instance.pipelines.service import Pipelines
from seqfacility_instance.reads import store as reads_store
from seqfacility_instance.results import store as results_store
from seqfacility_instance.results.rules.matching import stored_path
from seqfacility_instance.runs.store import activity, rows, selection
from seqfacility_instance.streams.store import counters, events
from seqfacility_instance.streams.store import runs as streams_store
from seqfacility_instance.studies import store as studies_store
from seqfacility_instance.tables.orders import Sample
from seqfacility_instance.tables.people import User


@dataclass(frozen=True, slots=True)
class Seeding:
    """The people of a new workspace, and when and where its story happens."""

    researcher: User
    admin: User
    pipelines: Pipelines
    mixs_version: int
    data_base: PurePosixPath
    run_directory: PurePosixPath
    now: datetime

    def write(self) -> None:
        """Write everything; stands in the transaction that makes the workspace. Decision: G246."""
        study_id = self._study()
        delivered = self._order(content.DELIVERED, self.now - timedelta(days=20), study_id)
        sequencing = self._order(content.IN_SEQUENCING, self.now - timedelta(days=2), None)
        self._order(content.BEING_WRITTEN, self.now - timedelta(hours=3), None)
        quality = self._run(content.QUALITY_PIPELINE, delivered, self.now - timedelta(days=18))
        self._select(quality, delivered)
        self._run(content.CLEANING_PIPELINE, delivered, self.now - timedelta(days=17))
        self._stream_run(sequencing, self.now - timedelta(hours=20))

    def _study(self) -> str:
        study = studies_store.create_study(
            {
                "title": content.STUDY_TITLE,
                "description": content.STUDY_DESCRIPTION,
                "mixs_version": self.mixs_version,
                "user": self.researcher.id,
                "created_at": self.now - timedelta(days=21),
                "updated_at": self.now - timedelta(days=20),
            }
        )
        assert study is not None, "a study without an alias takes nobody's"
        return study.id

    def _order(self, story: OrderStory, timestamp: datetime, study_id: str | None) -> str:
        order = orders_store.create_order(
            {
                "order_number": orders_store.next_order_number(self.now),
                "name": story.name,
                "status": story.status,
                "platform": story.platform,
                "library_strategy": story.library_strategy,
                "library_source": story.library_source,
                "user": self.researcher.id,
                "form_version": 1,
                "sequencing_files_published_at": timestamp + timedelta(days=4)
                if story.is_delivered
                else None,
                "published_by": self.admin.id if story.is_delivered else None,
                "status_updated_at": timestamp,
                "created_at": timestamp,
                "updated_at": timestamp,
            }
        )
        codes = sample_store.new_codes(len(story.samples), self.now)
        sample_store.insert_samples(
            [
                {
                    "id": new_id(),
                    "sample_code": code,
                    "sample_alias": sample.alias,
                    "scientific_name": sample.scientific_name,
                    "tax_id": sample.tax_id,
                    "checklist_data": {},
                    "checklist_units": {},
                    "custom_fields": {},
                    "order": order.id,
                    "study": study_id,
                    "created_at": timestamp,
                    "updated_at": timestamp,
                }
                for code, sample in zip(codes, story.samples, strict=True)
            ]
        )
        if story.status is not OrderStatus.DRAFT:
            self._reads(order.id, story, timestamp + timedelta(days=3))
        return order.id

    def _reads(self, order_id: str, story: OrderStory, timestamp: datetime) -> None:
        samples = {sample.sample_alias: sample for sample in sample_store.list_samples(order_id)}
        for sample in story.samples:
            if sample.reads:
                reads_store.create_read(self._read(order_id, samples[sample.alias], sample.reads, timestamp))

    def _read(self, order_id: str, sample: Sample, reads: int, timestamp: datetime) -> dict[str, object]:
        folder = f"orders/{order_id}/reads/{sample.sample_code}"
        values: dict[str, object] = {
            "sample": sample.id,
            "data_class": DataClass.CLEANED,
            "source": ReadSource.PIPELINE,
            "created_at": timestamp,
            "updated_at": timestamp,
        }
        for mate in (1, 2):
            values[f"file{mate}"] = f"{folder}/{sample.sample_alias}_R{mate}.fastq.gz"
            values[f"size{mate}"] = int(reads * 150 * content.BYTES_PER_BASE)
            values[f"read_count{mate}"] = reads
            values[f"avg_quality{mate}"] = 35.5
        return values

    def _run(self, pipeline_id: str, order_id: str, timestamp: datetime) -> str:
        day = f"{timestamp:%Y%m%d}"
        number = canonical_run_number(pipeline_id, timestamp, rows.next_count(pipeline_id, day))
        folder = self.run_directory / number
        package = self.pipelines.current(pipeline_id)
        ended = timestamp + timedelta(minutes=42)
        run = rows.create(
            {
                "run_number": number,
                "pipeline_id": pipeline_id,
                "pipeline_version": "1.0.0" if package is None else package.version,
                "status": RunStatus.COMPLETED,
                "progress": 100,
                "target_type": TargetType.ORDER,
                "order": order_id,
                "user": self.admin.id,
                "execution_mode": Backend.LOCAL,
                "run_folder": str(folder),
                "exit_code": 0,
                "output_tail": content.LOG_TEXT,
                "error_tail": "",
                "created_at": timestamp,
                "updated_at": ended,
                "started_at": timestamp,
                "completed_at": ended,
                "outputs_resolved_at": ended,
                "job_over_at": ended,
            }
        )
        if package is not None:
            activity.add_steps(run.id, [(step.id, step.name) for step in package.definition.steps])
            activity.close_steps(run.id, RunStatus.COMPLETED, ended)
        results_store.save_artifact(
            {
                "type": PipelineArtifactType.QC_REPORT,
                "name": content.REPORT_NAME,
                "path": stored_path(folder / content.REPORT_NAME, self.data_base),
                "size": 48_211,
                "pipeline_run": run.id,
                "output_id": "report",
                "output_label": "Report",
                "is_primary": True,
                "created_at": ended,
            }
        )
        return run.id

    def _select(self, run_id: str, order_id: str) -> None:
        run = rows.find(run_id)
        assert run is not None, "the run was written a moment ago"
        selection.save(run, f"order:{order_id}", self.admin.id, self.now - timedelta(days=17))
        selection.claim_visible(run_id, self.researcher.id, self.now)

    def _stream_run(self, order_id: str, timestamp: datetime) -> None:
        samples = sample_store.list_samples(order_id)
        codes = {f"barcode{place:02d}": sample.sample_code for place, sample in enumerate(samples, 1)}
        files = content.STREAM_FILES
        reads, bases = sum(row[1] for row in files), sum(row[2] for row in files)
        stream = streams_store.create_run(
            {
                "order": order_id,
                "minknow_run_id": "demo-run",
                "flow_cell_id": "FAX00000",
                "device_id": "demo-device",
                "output_dir": f"/demo-stream/{order_id}",
                "status": StreamStatus.STOPPED,
                "total_bases": bases,
                "total_reads": reads,
                "total_files": len(files),
                "barcode_map": codes,
                "started_by": self.admin.id,
                "started_at": timestamp,
                "last_seen_at": timestamp + timedelta(hours=6),
                "last_file_at": timestamp + timedelta(hours=5),
                "stop_requested_at": timestamp + timedelta(hours=6),
                "stopped_at": timestamp + timedelta(hours=6),
            }
        )
        by_code = {sample.sample_code: sample for sample in samples}
        started = {"outputDir": stream.output_dir, "barcodeMap": codes}
        events.write(stream.id, [(StreamEventKind.RUN_STARTED, started)], timestamp)
        self._stream_files(stream.id, {barcode: by_code[code] for barcode, code in codes.items()}, timestamp)
        stopped = {"totalReads": reads, "totalBases": str(bases), "files": len(files)}
        end = timestamp + timedelta(hours=6)
        events.write(stream.id, [(StreamEventKind.RUN_STOPPED, stopped)], end)

    def _stream_files(self, stream_id: str, samples: dict[str, Sample], timestamp: datetime) -> None:
        changes = counters.Changes()
        for place, (barcode, reads, bases) in enumerate(content.STREAM_FILES):
            at = timestamp + timedelta(hours=1 + place)
            path = f"fastq_pass/{barcode}/demo_{place}.fastq.gz"
            size = int(bases * content.BYTES_PER_BASE)
            errors = bases * content.ERRORS_PER_MILLION_BASES
            change = counters.Change(1, size, reads, bases, errors)
            changes.barcodes.setdefault(barcode, counters.Change()).add(change)
            changes.minutes[barcode, at.replace(second=0, microsecond=0)] = change
            changes.newest[barcode] = (at, path)
            events.write(stream_id, [_file_event(path, barcode, size, reads, bases, samples)], at)
        counters.apply(stream_id, changes)


def _file_event(
    path: str, barcode: str, size: int, reads: int, bases: int, samples: dict[str, Sample]
) -> events.NewEvent:
    payload = {
        "filePath": path,
        "barcode": barcode,
        "size": size,
        "reads": reads,
        "bases": bases,
        "sampleId": samples[barcode].id,
        "sampleCode": samples[barcode].sample_code,
        "replaced": False,
        "malformed": False,
    }
    return StreamEventKind.FILE_INGESTED, payload
