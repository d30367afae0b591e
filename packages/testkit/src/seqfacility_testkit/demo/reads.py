"""The reads of the story: somebody's own files, or simulated ones."""

import subprocess
import sys
from dataclasses import dataclass
from hashlib import md5
from pathlib import Path

from seqfacility_testkit.demo.narration import Narrator

PAIRS = 40_000
READ_LENGTH = 150
SIMULATOR = (
    "content/pipelines/simulate-reads/versions/1.0.1/simulate-reads/workflow/scripts/simulate_reads.py"
)


@dataclass(frozen=True)
class Mates:
    """R1 and R2 of one sample, on the disk of the sequencing computer."""

    r1: Path
    r2: Path

    def files(self) -> list[tuple[str, Path]]:
        return [("R1", self.r1), ("R2", self.r2)]


def own_reads(files: list[str]) -> list[Mates]:
    """Take the files that a person named: one pair, or one for each sample."""
    paths = [Path(name).expanduser().resolve() for name in files]
    missing = [str(path) for path in paths if not path.is_file()]
    if missing or not paths or len(paths) % 2:
        raise SystemExit(
            f"--reads wants pairs of existing files, R1 then R2; missing: {', '.join(missing) or 'a mate'}"
        )
    return [Mates(paths[place], paths[place + 1]) for place in range(0, len(paths), 2)]


def simulated_reads(folder: Path, registry_folder: Path, narrator: Narrator) -> list[Mates]:
    """Simulate two samples with the simulator that the bundled pipeline uses."""
    folder.mkdir(parents=True)
    simulator = registry_folder / SIMULATOR
    made = []
    for name in ("seawater", "sediment"):
        command = [
            *(sys.executable, str(simulator), "--code", name, "--output-dir", str(folder)),
            *("--reads", str(PAIRS), "--length", str(READ_LENGTH), "--layout", "paired", "--seed", "7"),
        ]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        r1, r2 = sorted(folder.glob(f"{name}*.fastq.gz"))
        made.append(Mates(r1, r2))
        narrator.step(f"sequenced {name}: {PAIRS} pairs of {READ_LENGTH} bases, {_megabytes(r1, r2)}")
    return made


def md5_of(path: Path) -> str:
    digest = md5(usedforsecurity=False)
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _megabytes(*paths: Path) -> str:
    return f"{sum(path.stat().st_size for path in paths) / 1e6:.1f} MB"
