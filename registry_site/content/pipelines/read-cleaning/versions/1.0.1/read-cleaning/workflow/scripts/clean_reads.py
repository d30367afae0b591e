"""Trim and filter the reads of one sample with Cutadapt."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from run_sheet import Row, read_rows, write_json

ADAPTERS = {
    "TruSeq": "AGATCGGAAGAGC",
    "Nextera": "CTGTCTCTTATACACATCT",
}
"""Beginnings of the usual Illumina adapters; long reads are not searched for them."""


@dataclass(frozen=True)
class Limits:
    """What a read must keep to: bases, quality at its ends, unknown bases."""

    min_length: int
    min_quality: int
    max_n: int


def cutadapt_words(row: Row, limits: Limits, threads: int, folder: Path) -> list[str]:
    """Name Cutadapt's command line.

    Both ends lose their low quality, then the adapter goes; a read, or a pair when either of its
    reads fails, is dropped when it is then too short or holds too many unknown bases.
    """
    words = [sys.executable, "-m", "cutadapt", "--cores", str(threads), "--json", str(folder / "facts.json")]
    words += ["--quality-cutoff", f"{limits.min_quality},{limits.min_quality}"]
    words += ["--minimum-length", str(limits.min_length), "--max-n", str(limits.max_n)]
    paired = len(row.files) == 2
    if row.layout != "long":
        for name, sequence in ADAPTERS.items():
            words += ["--adapter", f"{name}={sequence}"]
            words += ["-A", f"{name}={sequence}"] if paired else []
    words += ["--output", str(folder / "R1.fastq.gz")]
    words += ["--paired-output", str(folder / "R2.fastq.gz"), "--pair-filter", "any"] if paired else []
    return [*words, "--", *(str(path) for path in row.files)]


def clean(row: Row, limits: Limits, threads: int, target: Path) -> dict[str, Any]:
    """Clean one sample; the files appear under their names when Cutadapt has finished."""
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target, prefix=".cleaning-") as name:
        folder = Path(name)
        done = subprocess.run(
            cutadapt_words(row, limits, threads, folder),
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        if done.returncode:
            message = done.stderr.decode("utf-8", "replace")[-2000:]
            raise SystemExit(f"cutadapt failed on sample {row.code!r}:\n{message}")
        for mate in range(1, len(row.files) + 1):
            os.replace(folder / f"R{mate}.fastq.gz", target / f"{row.code}_R{mate}.cleaned.fastq.gz")
        return picked(json.loads((folder / "facts.json").read_text(encoding="utf-8")))


def picked(facts: dict[str, Any]) -> dict[str, Any]:
    """Pick what the report shows from Cutadapt's facts; for pairs all read counts are pairs."""
    reads, bases = facts["read_counts"], facts["basepair_counts"]
    filtered = reads["filtered"]
    return {
        "readsIn": reads["input"],
        "readsOut": reads["output"],
        "tooShort": filtered.get("too_short") or 0,
        "tooManyUnknown": filtered.get("too_many_n") or 0,
        "withAdapter": [reads["read1_with_adapter"], reads["read2_with_adapter"]],
        "basesIn": bases["input"],
        "basesOut": bases["output"],
        "qualityTrimmed": bases["quality_trimmed"] or 0,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Write `<sample code>_R1.cleaned.fastq.gz`, R2 for pairs, and the facts for the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sheet", type=Path, required=True)
    parser.add_argument("--sample", required=True, help="key of the sample in the sheet")
    parser.add_argument("--output-dir", type=Path, required=True)
    parser.add_argument("--result", type=Path, required=True)
    parser.add_argument("--min-length", type=int, default=50)
    parser.add_argument("--min-quality", type=int, default=20)
    parser.add_argument("--max-n", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args(arguments)
    row = read_rows(options.sheet)[options.sample]
    limits = Limits(options.min_length, options.min_quality, options.max_n)
    facts = clean(row, limits, options.threads, options.output_dir)
    write_json(options.result, {"code": row.code, "title": row.title, "paired": len(row.files) == 2, **facts})
    return 0


if __name__ == "__main__":
    job = globals().get("snakemake")  # the workflow engine sets it; on the command line it is absent
    if status := main(job.params.arguments if job else None):
        sys.exit(status)
