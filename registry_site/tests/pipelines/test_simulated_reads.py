"""simulate-reads, run for real and as a plain program."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Records = Callable[[Path], list[tuple[str, str, str]]]
DEFAULTS = {"readCount": 100, "readLength": 100, "layout": "paired", "seed": 1}


@pytest.fixture(scope="module")
def simulate(package_of: Callable[..., Path]) -> Callable[..., list[Path]]:
    """Run the simulator as a program of its own."""
    script = package_of("simulate-reads") / "workflow" / "scripts" / "simulate_reads.py"

    def run(folder: Path, code: str, *words: str) -> list[Path]:
        command = [sys.executable, str(script), "--code", code, "--output-dir", str(folder), *words]
        subprocess.run(command, check=True, timeout=60)
        return sorted(folder.iterdir())

    return run


@pytest.fixture(scope="module")
def genome(package_of: Callable[..., Path]) -> str:
    """Return the reference, twice, because it is a circle."""
    path = package_of("simulate-reads") / "workflow" / "reference" / "NC_001422.1.fasta"
    return "".join(path.read_text("ascii").splitlines()[1:]) * 2


def test_a_run_makes_pairs_for_every_sample_with_names_that_carry_the_code(
    run_pipeline: Any, sample: Any, records: Records, simulate: Callable[..., list[Path]], tmp_path: Path
) -> None:
    run = run_pipeline("simulate-reads", [sample("S-1"), sample("S-10"), sample("a b'\"{x} é")], **DEFAULTS)
    names = sorted(path.name for path in (run.output / "reads").iterdir())
    alone = simulate(tmp_path, "S-10")

    assert run.status == 0, run.log
    assert names == sorted(
        f"{code}_R{mate}.fastq.gz" for code in ("S-1", "S-10", "a b'\"{x} é") for mate in (1, 2)
    )
    assert [len(records(run.output / "reads" / name)) for name in names] == [100] * 6
    assert [path.read_bytes() for path in alone] == [
        (run.output / "reads" / path.name).read_bytes() for path in alone
    ]


def test_equal_seeds_give_equal_bytes_and_other_seeds_and_codes_do_not(
    simulate: Callable[..., list[Path]], tmp_path: Path
) -> None:
    first = [path.read_bytes() for path in simulate(tmp_path / "1", "S", "--seed", "7")]
    again = [path.read_bytes() for path in simulate(tmp_path / "2", "S", "--seed", "7")]
    other_seed = [path.read_bytes() for path in simulate(tmp_path / "3", "S", "--seed", "8")]
    other_code = [path.read_bytes() for path in simulate(tmp_path / "4", "T", "--seed", "7")]

    assert first == again
    assert len({first[0], other_seed[0], other_code[0]}) == 3


def test_mates_have_one_name_and_lie_on_opposite_strands_of_the_genome(
    simulate: Callable[..., list[Path]], records: Records, genome: str, tmp_path: Path
) -> None:
    first, second = simulate(tmp_path, "S", "--reads", "60", "--length", "60")
    backwards = genome.translate(str.maketrans("ACGT", "TGCA"))[::-1]

    pairs = list(zip(records(first), records(second), strict=True))
    exact = [
        (one[1] in genome, one[1] in backwards, two[1] in genome, two[1] in backwards) for one, two in pairs
    ]

    assert all(one[0].split()[0] == two[0].split()[0] for one, two in pairs)
    assert all(len(read[1]) == len(read[2]) == 60 for pair in pairs for read in pair)
    clean = [strands for strands in exact if sum(strands) == 2]
    assert len(clean) >= 20
    assert all(strands in {(True, False, False, True), (False, True, True, False)} for strands in clean)


def test_single_reads_are_one_file_with_falling_qualities(
    simulate: Callable[..., list[Path]], records: Records, tmp_path: Path
) -> None:
    (path,) = simulate(tmp_path, "S", "--layout", "single", "--reads", "300")
    qualities = [read[2] for read in records(path)]
    early = [ord(text[20]) - 33 for text in qualities]
    late = [ord(text[-1]) - 33 for text in qualities]

    assert path.name == "S_R1.fastq.gz"
    assert sum(early) / len(early) > sum(late) / len(late) + 5
    assert {ord(char) - 33 for text in qualities for char in text} <= set(range(2, 41))


def test_long_reads_vary_in_length_around_the_mean(
    simulate: Callable[..., list[Path]], records: Records, tmp_path: Path
) -> None:
    (path,) = simulate(tmp_path, "S", "--layout", "long", "--reads", "200", "--length", "1500")
    lengths = [len(read[1]) for read in records(path)]

    assert 1200 < sum(lengths) / len(lengths) < 1800
    assert len(set(lengths)) > 150
    assert all(len(read[1]) == len(read[2]) for read in records(path))


def test_a_sheet_with_one_code_twice_stops_the_run(run_pipeline: Any, sample: Any) -> None:
    run = run_pipeline("simulate-reads", [sample("S-1"), sample("S-1")], **DEFAULTS)

    assert run.status != 0
    assert "the sample 'S-1' stands in the sample sheet twice" in run.log
    assert list(run.output.iterdir()) == []
