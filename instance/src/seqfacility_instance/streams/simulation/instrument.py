"""The simulated instrument: reads come in minute by minute and go to files that grow, close and roll over."""

import io
import uuid
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from seqfacility_instance.streams.simulation.molecules import Molecule, Molecules
from seqfacility_instance.streams.simulation.run_folder import (
    KIT,
    MODEL,
    SUMMARY_COLUMNS,
    RunIdentity,
    Written,
    final_summary_text,
    output_hash_text,
    sample_sheet_text,
)

if TYPE_CHECKING:
    import numpy as np

_CHANNELS: Final = 512
_PASSING_QUALITY: Final = 9.0
_UNCLASSIFIED_SHARE: Final = 0.05
_BASES_PER_SECOND: Final = 400
_GZIP_MEMBER: Final = 31
_HALF_LIFE_SHARE: Final = 0.6  # of the run's length: pores die, the yield falls


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be simulated; times are those of the instrument."""

    minutes: int
    reads_per_minute: int
    reads_per_file: int
    barcodes: Mapping[str, str]
    """Every barcode and its alias, which stands in the names of folders and files."""
    in_folders: bool = True
    is_compressed: bool = True
    late_files: int = 0
    """How many files close only after the final summary, as happens when basecalling lags behind."""
    with_hashes: bool = True


@dataclass(slots=True)
class _OpenFile:
    path: str
    barcode: str
    file: io.BufferedWriter
    member: "zlib._Compress | None"
    reads: int = 0
    bases: int = 0

    def write(self, text: bytes) -> None:
        """Write text so that a part of it is on disk at once, as a file that grows."""
        if self.member is None:
            self.file.write(text)
        else:
            self.file.write(self.member.compress(text) + self.member.flush(zlib.Z_SYNC_FLUSH))
        self.file.flush()

    def close(self) -> None:
        if self.member is not None:
            self.file.write(self.member.flush())
        self.file.close()


@dataclass(slots=True)
class Instrument:
    """Writes one run. `pause` is called with the seconds that pass between two steps, on the run's clock."""

    run: RunIdentity
    plan: Plan
    molecules: Molecules
    random: "np.random.Generator"
    pause: Callable[[float], None]
    written: Written
    open_files: dict[tuple[str, bool], _OpenFile] = field(default_factory=dict)
    next_numbers: dict[tuple[str, bool], int] = field(default_factory=dict)

    def work(self) -> Written:
        self.written.folder.mkdir(parents=True, exist_ok=True)
        self._put(self.run.sample_sheet, sample_sheet_text(self.run, self.plan.barcodes))
        with (self.written.folder / self.run.sequencing_summary).open("w", encoding="utf-8") as summary:
            summary.write("\t".join(SUMMARY_COLUMNS) + "\n")
            for minute in range(self.plan.minutes):
                for _ in range(self._reads_in(minute)):
                    summary.write(self._add_read(self.molecules.next(), minute))
                summary.flush()
                self.pause(60.0)
        self._end()
        return self.written

    def _reads_in(self, minute: int) -> int:
        decay = 0.5 ** (minute / max(1.0, self.plan.minutes * _HALF_LIFE_SHARE))
        return int(self.random.poisson(self.plan.reads_per_minute * decay))

    def _end(self) -> None:
        """Close open files, some of them late, and write the instrument's summaries."""
        late = list(self.open_files)[: self.plan.late_files]
        for key in [key for key in self.open_files if key not in late]:
            self._close(key)
        ended = self.run.started + timedelta(minutes=self.plan.minutes)
        self._put(self.run.final_summary, final_summary_text(self.run, ended, len(self.written.files)))
        for key in late:
            self.pause(60.0)
            self._close(key)
        if self.plan.with_hashes:
            files = self.written.files
            self._put(
                self.run.output_hash,
                output_hash_text(self.run, self.written.folder, files, self.plan.barcodes),
            )

    def _add_read(self, molecule: Molecule, minute: int) -> str:
        """Write a read to the file that it belongs to; return its line of the summary."""
        quality = molecule.mean_quality
        passed = quality >= _PASSING_QUALITY
        barcode = self._barcode()
        key = (barcode, passed)
        file = self.open_files.get(key) or self._open(key)
        read_id = uuid.UUID(bytes=self.random.bytes(16), version=4)
        channel = int(self.random.integers(1, _CHANNELS + 1))
        seconds = minute * 60 + float(self.random.random()) * 60
        file.write(self._record(str(read_id), channel, seconds, barcode, molecule))
        file.reads += 1
        file.bases += len(molecule.bases)
        line = self._summary_line(file.path, str(read_id), channel, seconds, barcode, molecule, quality)
        if file.reads >= self.plan.reads_per_file:
            self._close(key)
        return line

    def _barcode(self) -> str:
        if not self.plan.barcodes:
            return ""
        if self.random.random() < _UNCLASSIFIED_SHARE:
            return "unclassified"
        return list(self.plan.barcodes)[int(self.random.integers(len(self.plan.barcodes)))]

    def _open(self, key: tuple[str, bool]) -> _OpenFile:
        barcode, passed = key
        number = self.next_numbers.get(key, 0)
        self.next_numbers[key] = number + 1
        ending = ".fastq.gz" if self.plan.is_compressed else ".fastq"
        path = self.run.fastq_path(
            self.plan.barcodes.get(barcode, barcode),
            number,
            passed=passed,
            in_folders=self.plan.in_folders,
            ending=ending,
        )
        target = self.written.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        member = zlib.compressobj(1, zlib.DEFLATED, _GZIP_MEMBER) if self.plan.is_compressed else None
        opened = _OpenFile(path, barcode, target.open("wb"), member)
        self.open_files[key] = opened
        return opened

    def _close(self, key: tuple[str, bool]) -> None:
        file = self.open_files.pop(key)
        file.close()
        self.written.files[file.path] = (file.barcode, file.reads, file.bases)

    def _record(self, read_id: str, channel: int, seconds: float, barcode: str, molecule: Molecule) -> bytes:
        run = self.run
        began = (run.started + timedelta(seconds=seconds)).isoformat()
        words = [
            f"@{read_id}",
            f"runid={run.acquisition_run_id}",
            f"ch={channel}",
            f"start_time={began}",
            f"flow_cell_id={run.flow_cell}",
            f"protocol_group_id={run.experiment}",
            f"sample_id={run.sample}",
            *(
                [f"barcode={barcode}", f"barcode_alias={self.plan.barcodes.get(barcode, barcode)}"]
                if barcode
                else []
            ),
            f"parent_read_id={read_id}",
            f"basecall_model_version_id={MODEL}",
        ]
        return b"%s\n%s\n+\n%s\n" % (" ".join(words).encode(), molecule.bases, molecule.qualities)

    def _summary_line(
        self,
        path: str,
        read_id: str,
        channel: int,
        seconds: float,
        barcode: str,
        molecule: Molecule,
        quality: float,
    ) -> str:
        run, length = self.run, len(molecule.bases)
        duration = length / _BASES_PER_SECOND
        has_barcode = barcode not in {"", "unclassified"}
        values = (
            path.rpartition("/")[2], read_id, read_id, run.acquisition_run_id, channel, 1 + channel % 4,
            length // 5, f"{seconds:.3f}", f"{duration:.3f}", str(quality >= _PASSING_QUALITY).upper(),
            f"{seconds:.3f}", length // 5, f"{duration:.3f}", length, f"{quality:.4f}", "not_set",
            run.experiment, run.sample, "signal_positive", self.plan.barcodes.get(barcode, barcode) or "na",
            "test_sample" if has_barcode else "na", barcode or "unclassified",
            KIT if has_barcode else "n/a", "var1" if has_barcode else "n/a",
            "90.0" if has_barcode else "20.0",
        )  # fmt: skip
        return "\t".join(str(value) for value in values) + "\n"

    def _put(self, name: str, text: str) -> None:
        (self.written.folder / name).write_text(text, encoding="utf-8")


def run_folder(output: Path, run: RunIdentity, *, is_nested: bool) -> Path:
    """Choose where the run goes: below experiment and sample as MinKNOW does it, or right in `output`."""
    return output / run.experiment / run.sample / run.folder_name if is_nested else output / run.folder_name
