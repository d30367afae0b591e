"""Simulate the reads of one sample from a small genome.

Equal arguments give equal files, byte for byte. Each sample has reads of its own, because its code
goes into the seed; the number and order of other samples change nothing.

Short reads have qualities that fall towards the end, substitutions as often as the qualities say, a
few unknown bases, and adapter sequence where the fragment is shorter than the read. Long reads vary
in length and have insertions and deletions too.
"""

import argparse
import gzip
import hashlib
import math
import os
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from run_sheet import read_rows, write_json

DEFAULT_REFERENCE = Path(__file__).resolve().parents[1] / "reference" / "NC_001422.1.fasta"
LAYOUTS = ("paired", "single", "long")
ADAPTERS = ("AGATCGGAAGAGCACACGTCTGAACTCCAGTCA", "AGATCGGAAGAGCGTCGTGTAGGGAAAGAGTGT")
"""What a sequencer reads after the end of a short fragment, for R1 and R2 (Illumina TruSeq)."""

PROFILES = 256
"""Qualities are drawn from this many curves: real enough, and much faster than a curve for each read."""

BEST_QUALITY, WORST_QUALITY = 40, 2
SHARE_WITH_POOR_TAIL = 0.08
SHARE_WITH_UNKNOWN_BASES = 0.02
SHORTEST_FRAGMENT, SHORTEST_LONG_READ = 20, 50
_COMPLEMENT = str.maketrans("ACGTN", "TGCAN")
_OTHER_BASES = {"A": "CGT", "C": "AGT", "G": "ACT", "T": "ACG", "N": "ACGT"}


@dataclass(frozen=True)
class Profile:
    """The qualities of one read: as they stand in the file, and as chances of an error."""

    text: str
    error_chances: tuple[float, ...]


@dataclass(frozen=True)
class Read:
    """One record of a FASTQ file."""

    name: str
    sequence: str
    qualities: str

    def record(self) -> bytes:
        """Write the record."""
        return f"@{self.name}\n{self.sequence}\n+\n{self.qualities}\n".encode("ascii")


def simulated_reads(
    genome: str, code: str, layout: str, read_count: int, read_length: int, seed: int
) -> Iterator[tuple[Read, ...]]:
    """Yield `read_count` reads: pairs for the layout `paired`, else tuples of one.

    `read_length` is exact for short reads and the mean for long ones.
    """
    digest = hashlib.sha256(f"{seed}\0{layout}\0{code}".encode()).digest()
    dice = random.Random(int.from_bytes(digest, "big"))
    if layout == "long":
        for number in range(1, read_count + 1):
            yield (_long_read(genome, read_length, f"sim.{number}", dice),)
        return
    mates = 2 if layout == "paired" else 1
    curves = [[_profile(read_length, mate, dice) for _ in range(PROFILES)] for mate in range(mates)]
    for number in range(1, read_count + 1):
        fragment = _fragment(genome, read_length, dice)
        ends = (fragment, _reverse_complement(fragment))
        yield tuple(
            _short_read(ends[mate], f"sim.{number} {mate + 1}:N:0:1", mate, dice.choice(curves[mate]), dice)
            for mate in range(mates)
        )


def write_reads(folder: Path, code: str, reads: Iterator[tuple[Read, ...]], mates: int) -> list[Path]:
    """Write one compressed file per mate, named by the sample code; give their paths.

    The files carry no time and no name inside, and appear under their names when they are complete.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{code}_R{mate}.fastq.gz" for mate in range(1, mates + 1)]
    drafts = [path.with_name(f".{path.name}.part") for path in paths]
    raw = [draft.open("wb") for draft in drafts]
    packed = [gzip.GzipFile("", "wb", 6, stream, mtime=0) for stream in raw]
    for pair in reads:
        for stream, read in zip(packed, pair, strict=True):
            stream.write(read.record())
    for packer, file in zip(packed, raw, strict=True):
        packer.close()
        file.close()
    for draft, path in zip(drafts, paths, strict=True):
        os.replace(draft, path)
    return paths


def read_genome(path: Path) -> str:
    """Read the one sequence of a FASTA file."""
    lines = path.read_text(encoding="ascii").split("\n")
    return "".join(line.strip() for line in lines if not line.startswith(">")).upper()


def _fragment(genome: str, read_length: int, dice: random.Random) -> str:
    """Cut a fragment out of the genome, which is a circle, from either strand."""
    length = max(SHORTEST_FRAGMENT, round(dice.gauss(2.5 * read_length, 0.75 * read_length)))
    return _cut(genome, length, dice)


def _cut(genome: str, length: int, dice: random.Random) -> str:
    start = dice.randrange(len(genome))
    turns = 1 + (start + length) // len(genome)
    piece = (genome * turns)[start : start + length] if turns > 1 else genome[start : start + length]
    return piece if dice.random() < 0.5 else _reverse_complement(piece)


def _short_read(fragment: str, name: str, mate: int, profile: Profile, dice: random.Random) -> Read:
    length = len(profile.text)
    template = fragment[:length]
    if len(template) < length:
        beyond = ADAPTERS[mate] + "".join(dice.choices("ACGT", k=length))
        template = (template + beyond)[:length]
    bases = list(template)
    for place, chance in enumerate(profile.error_chances):
        if dice.random() < chance:
            bases[place] = dice.choice(_OTHER_BASES[bases[place]])
    qualities = profile.text
    if dice.random() < SHARE_WITH_UNKNOWN_BASES:
        start, count = dice.randrange(length), dice.randint(1, 8)
        end = min(start + count, length)
        bases[start:end] = "N" * (end - start)
        qualities = qualities[:start] + _letter(WORST_QUALITY) * (end - start) + qualities[end:]
    return Read(name, "".join(bases), qualities)


def _profile(length: int, mate: int, dice: random.Random) -> Profile:
    """Draw one curve of qualities: a short rise, a plateau, and a fall that is steeper for R2."""
    fall, level, wobble = 10 + 5 * mate, dice.gauss(0, 1.5), 0.0
    tail = round(length * dice.uniform(0.5, 0.95)) if dice.random() < SHARE_WITH_POOR_TAIL else length
    scores = []
    for place in range(length):
        wobble = 0.6 * wobble + dice.gauss(0, 1.2)
        score = 37 - 4 * math.exp(-place / 3) - fall * (place / length) ** 3 + level + wobble
        scores.append(_bounded(score if place < tail else dice.gauss(8, 3)))
    return Profile("".join(map(_letter, scores)), tuple(10 ** (-score / 10) for score in scores))


def _long_read(genome: str, mean_length: int, name: str, dice: random.Random) -> Read:
    length = max(SHORTEST_LONG_READ, round(dice.gammavariate(4, mean_length / 4)))
    level = min(max(dice.gauss(20, 3), 8), 35)
    bases, scores = [], []
    for base in _cut(genome, length, dice):
        score = _bounded(dice.gauss(level, 3))
        kind = dice.random() / 10 ** (-score / 10)
        if kind < 0.3:
            continue
        if kind < 0.6:
            bases.append(dice.choice("ACGT"))
            scores.append(score)
        bases.append(dice.choice(_OTHER_BASES[base]) if 0.6 <= kind < 1 else base)
        scores.append(score)
    return Read(name, "".join(bases), "".join(map(_letter, scores)))


def _bounded(score: float) -> int:
    return min(max(round(score), WORST_QUALITY), BEST_QUALITY)


def _letter(score: int) -> str:
    return chr(33 + score)


def _reverse_complement(sequence: str) -> str:
    return sequence.translate(_COMPLEMENT)[::-1]


def main(arguments: Sequence[str] | None = None) -> int:
    """Simulate one sample, named by its code or by its key in a run's sample sheet."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--code", help="sample code; begins the names of the files")
    parser.add_argument("--sheet", type=Path, help="sample sheet of a run, instead of --code")
    parser.add_argument("--sample", help="key of the sample in the sheet")
    parser.add_argument("--output-dir", type=Path, required=True)
    parser.add_argument("--reads", type=int, default=100, help="reads, or pairs of reads")
    parser.add_argument("--length", type=int, default=100, help="bases of a read; the mean for long reads")
    parser.add_argument("--layout", choices=LAYOUTS, default="paired")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reference", type=Path, default=DEFAULT_REFERENCE, help="FASTA with one sequence")
    parser.add_argument("--result", type=Path, help="where to write the names of the files as JSON")
    options = parser.parse_args(arguments)
    code = options.code
    if options.sheet:
        code = read_rows(options.sheet)[options.sample].code
    if not code:
        parser.error("--code is missing")
    genome = read_genome(options.reference)
    reads = simulated_reads(genome, code, options.layout, options.reads, options.length, options.seed)
    paths = write_reads(options.output_dir, code, reads, 2 if options.layout == "paired" else 1)
    if options.result:
        write_json(options.result, {"sample": code, "files": [path.name for path in paths]})
    return 0


if __name__ == "__main__":
    job = globals().get("snakemake")  # the workflow engine sets it; on the command line it is absent
    if status := main(job.params.arguments if job else None):
        sys.exit(status)
