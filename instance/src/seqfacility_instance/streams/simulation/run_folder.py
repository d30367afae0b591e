"""How MinKNOW names a run folder and the files in it, and what its own files say."""

import hashlib
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

MODEL = "dna_r10.4.1_e8.2_400bps_hac@v5.2.0"
KIT = "SQK-NBD114-24"
PRODUCT = "FLO-MIN114"
SUMMARY_COLUMNS = (
    "filename_fastq", "parent_read_id", "read_id", "run_id", "channel", "mux", "minknow_events", "start_time",
    "duration", "passes_filtering", "template_start", "num_events_template", "template_duration",
    "sequence_length_template", "mean_qscore_template", "pore_type", "experiment_id", "sample_id",
    "end_reason", "alias", "type", "barcode_arrangement", "barcode_kit", "barcode_variant", "barcode_score",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RunIdentity:
    """What names a run: experiment, sample, device, flow cell, and the two ids that the instrument makes."""

    experiment: str
    sample: str
    device: str
    flow_cell: str
    started: datetime
    protocol_run_id: str
    acquisition_run_id: str

    @classmethod
    def make(
        cls, experiment: str, sample: str, device: str, flow_cell: str, started: datetime, seed: int
    ) -> "RunIdentity":
        """Make the ids from a seed: the same seed gives the same names."""
        words = f"{seed}:{experiment}:{sample}:{flow_cell}:{started.isoformat()}".encode()
        digest = hashlib.sha256(words).hexdigest()
        return cls(experiment, sample, device, flow_cell, started, str(uuid.UUID(digest[:32])), digest[24:64])

    @property
    def folder_name(self) -> str:
        return f"{self._when}_{self.device}_{self.flow_cell}_{self.protocol_run_id[:8]}"

    @property
    def _when(self) -> str:
        return f"{self.started:%Y%m%d_%H%M}"

    @property
    def _stem(self) -> str:
        return f"{self.flow_cell}_{self.protocol_run_id[:8]}_{self.acquisition_run_id[:8]}"

    @property
    def _dated_stem(self) -> str:
        return f"{self.flow_cell}_{self._when}_{self.protocol_run_id[:8]}"

    def fastq_path(self, alias: str, number: int, *, passed: bool, in_folders: bool, ending: str) -> str:
        """Return the path of a FASTQ file below the run folder; `alias` is empty without barcodes."""
        status = "pass" if passed else "fail"
        ids = f"{self.protocol_run_id[:8]}_{self.acquisition_run_id[:8]}"
        token = f"{alias}_" if alias else ""
        folder = f"fastq_{status}/{alias}" if alias and in_folders else f"fastq_{status}"
        return f"{folder}/{self.flow_cell}_{status}_{token}{ids}_{number}{ending}"

    @property
    def sequencing_summary(self) -> str:
        """The table of all reads, which grows during the run."""
        return f"sequencing_summary_{self._stem}.txt"

    @property
    def final_summary(self) -> str:
        """The file that appears when the run has ended."""
        return f"final_summary_{self._stem}.txt"

    @property
    def sample_sheet(self) -> str:
        """The sample sheet, which maps barcodes to aliases."""
        return f"sample_sheet_{self._dated_stem}.csv"

    @property
    def output_hash(self) -> str:
        """The list of the SHA-256 sums of all files."""
        return f"output_hash_{self._dated_stem}.csv"


@dataclass(slots=True)
class Written:
    """What was written, for comparison with what was counted: paths below the run folder."""

    folder: Path
    files: dict[str, tuple[str, int, int]] = field(default_factory=dict)
    """Path to barcode, reads and bases of every complete FASTQ file."""

    def totals(self, *, with_failed: bool = False) -> dict[str, object]:
        """Add up what a monitor has to find."""
        counted = [
            facts for path, facts in self.files.items() if with_failed or not path.startswith("fastq_fail")
        ]
        barcodes = sorted({barcode for barcode, _, _ in counted})
        return {
            "files": len(counted),
            "reads": sum(reads for _, reads, _ in counted),
            "bases": sum(bases for _, _, bases in counted),
            "barcodes": {
                name: {
                    "files": sum(1 for barcode, _, _ in counted if barcode == name),
                    "reads": sum(reads for barcode, reads, _ in counted if barcode == name),
                    "bases": sum(bases for barcode, _, bases in counted if barcode == name),
                }
                for name in barcodes
            },
        }


def final_summary_text(run: RunIdentity, ended: datetime, fastq_files: int) -> str:
    facts = {
        "instrument": "SIMULATED",
        "position": run.device,
        "flow_cell_id": run.flow_cell,
        "sample_id": run.sample,
        "protocol_group_id": run.experiment,
        "protocol": f"sequencing/sequencing_MIN114_DNA:{PRODUCT}:{KIT}",
        "protocol_run_id": run.protocol_run_id,
        "acquisition_run_id": run.acquisition_run_id,
        "started": run.started.isoformat(),
        "acquisition_stopped": ended.isoformat(),
        "processing_stopped": (ended + timedelta(seconds=76)).isoformat(),
        "basecalling_enabled": "1",
        "sequencing_summary_file": run.sequencing_summary,
        "fastq_files_in_final_dest": str(fastq_files),
        "fastq_files_in_fallback": "0",
    }
    return "".join(f"{key}={value}\n" for key, value in facts.items())


def sample_sheet_text(run: RunIdentity, barcodes: Mapping[str, str]) -> str:
    """Write the sample sheet of a run from its barcodes and their aliases."""
    rows = ["protocol_run_id,position_id,flow_cell_id,sample_id,experiment_id,flow_cell_product_code,kit"]
    fixed = (
        f"{run.protocol_run_id},{run.device},{run.flow_cell},{run.sample},{run.experiment},{PRODUCT},{KIT}"
    )
    if not barcodes:
        return f"{rows[0]}\n{fixed}\n"
    header = f"{rows[0]},barcode,alias,type"
    return (
        "\n".join(
            [header, *(f"{fixed},{barcode},{alias},test_sample" for barcode, alias in barcodes.items())]
        )
        + "\n"
    )


def output_hash_text(
    run: RunIdentity, folder: Path, files: dict[str, tuple[str, int, int]], aliases: Mapping[str, str]
) -> str:
    rows = ["runid,protocol_group_id,flow_cell_id,sample_id,file_hash,file_path,barcode,barcode_alias"]
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        path = file.relative_to(folder).as_posix()
        barcode = files[path][0] if path in files else ""
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        fixed = f"{run.acquisition_run_id},{run.experiment},{run.flow_cell},{run.sample}"
        rows.append(f"{fixed},{digest},{path},{barcode},{aliases.get(barcode, barcode)}")
    return "\n".join(rows) + "\n"
