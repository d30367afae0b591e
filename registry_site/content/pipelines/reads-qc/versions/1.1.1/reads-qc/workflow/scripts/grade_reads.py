"""Count and grade the reads of one sample, file by file."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import dnaio

sys.path.insert(0, str(Path(__file__).resolve().parent))
from read_charts import binned
from run_sheet import read_rows, table_text, write_json, write_whole

METADATA = ("sample", "read_count_1", "read_count_2", "avg_quality_1", "avg_quality_2")


def counted(path: Path) -> dict[str, Any]:
    """Count reads and bases; `meanQuality` is the mean Phred score over all bases, None without bases.

    `lengths` is what the picture of the lengths is drawn from, None without reads.
    """
    reads = bases = score = 0
    lengths: Counter[int] = Counter()
    with dnaio.open(path) as stream:
        for read in stream:
            reads += 1
            length = len(read.sequence)
            bases += length
            lengths[length] += 1
            score += sum(read.qualities_as_bytes())
    mean = round(score / bases - 33, 2) if bases else None
    bars = asdict(binned(lengths)) if reads else None
    return {"file": path.name, "reads": reads, "bases": bases, "meanQuality": mean, "lengths": bars}


def sequali_facts(path: Path, html: Path) -> dict[str, Any]:
    """Run Sequali on one file; keeps its own report and picks what our report shows."""
    with tempfile.TemporaryDirectory(dir=html.parent) as folder:
        draft, facts_file = Path(folder) / "report.html", Path(folder) / "facts.json"
        command = [sys.executable, "-m", "sequali", "--threads", "1", "--html", str(draft)]
        done = subprocess.run(
            [*command, "--json", str(facts_file), "--", str(path)],
            check=False,
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        if done.returncode:
            message = done.stderr.decode("utf-8", "replace")[-2000:]
            raise SystemExit(f"sequali failed on {path.name!r}:\n{message}")
        os.replace(draft, html)
        return picked(json.loads(facts_file.read_text(encoding="utf-8")))


def picked(facts: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Pick what the report of the run shows from Sequali's facts.

    Adapters are per cent of the reads. `qualityByPosition` is the Phred score of the mean error rate.
    """
    summary, quality = facts["summary"], facts["per_position_mean_quality_and_spread"]
    means = dict(quality["percentiles"]).get("mean", [])
    adapters = {
        name: round(max(shares, default=0.0), 2)
        for name, shares in facts["adapter_content"]["adapter_content"]
    }
    return {
        "totalReads": summary["total_reads"],
        "shortest": summary["minimum_length"],
        "longest": summary["maximum_length"],
        "meanLength": round(summary["mean_length"], 1),
        "n50": facts["sequence_length_distribution"]["n50"],
        "q20Bases": summary["q20_bases"],
        "gcBases": summary["total_gc_bases"],
        "unknownBases": summary["total_n_bases"],
        "distinctShare": round(facts["duplication_fractions"]["remaining_fraction"], 4),
        "positions": quality["x_labels"],
        "qualityByPosition": [round(mean, 2) for mean in means],
        "adapters": {name: share for name, share in adapters.items() if share >= 0.1},
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Write `samples/<sample code>.qc.tsv`, Sequali's reports, and the facts for the run's report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sheet", type=Path, required=True)
    parser.add_argument("--sample", required=True, help="key of the sample in the sheet")
    parser.add_argument("--output-dir", type=Path, required=True)
    parser.add_argument("--result", type=Path, required=True)
    options = parser.parse_args(arguments)
    row = read_rows(options.sheet)[options.sample]
    details = options.output_dir / "sequali"
    details.mkdir(parents=True, exist_ok=True)
    files = []
    for mate, path in enumerate(row.files, start=1):
        facts = counted(path)
        if facts["bases"]:
            facts |= sequali_facts(path, details / f"{row.code}_R{mate}.sequali.html")
            if facts["totalReads"] != facts["reads"]:
                raise SystemExit(f"{path.name!r} changed while it was read")
        files.append({"mate": f"R{mate}", **facts})
    padded = [*files, {}, {}]
    line = [row.code, *(padded[at].get(key) for key in ("reads", "meanQuality") for at in (0, 1))]
    write_whole(options.output_dir / "samples" / f"{row.code}.qc.tsv", table_text(METADATA, [line]))
    names = {"code": row.code, "alias": row.alias, "title": row.title}
    write_json(options.result, {**names, "layout": row.layout, "files": files})
    return 0


if __name__ == "__main__":
    job = globals().get("snakemake")  # the workflow engine sets it; on the command line it is absent
    if status := main(job.params.arguments if job else None):
        sys.exit(status)
