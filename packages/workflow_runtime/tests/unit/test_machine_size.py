"""How much of the machine the kernel lets us use."""

import os
from pathlib import Path

import pytest
from seqfacility_workflow_runtime.machine_size import usable_cores, usable_memory_bytes

BOUND = len(os.sched_getaffinity(0))
PHYSICAL = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_without_control_groups_it_is_what_the_process_is_bound_to(tmp_path: Path) -> None:
    assert usable_cores(tmp_path, tmp_path / "none") == BOUND
    assert usable_memory_bytes(tmp_path, tmp_path / "none") == PHYSICAL


def test_a_limit_of_any_group_above_holds(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.write_text("0::/system.slice/facility.service\n")
    write(tmp_path / "system.slice/facility.service/cpu.max", "max 100000\n")
    write(tmp_path / "system.slice/cpu.max", "50000 100000\n")
    write(tmp_path / "system.slice/memory.max", "1073741824\n")
    write(tmp_path / "system.slice/facility.service/memory.max", "max\n")

    assert usable_cores(tmp_path, own) == 1
    assert usable_memory_bytes(tmp_path, own) == 2**30


def test_control_groups_of_the_old_kind_are_read_too(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.write_text("4:memory:/docker/abc\n3:cpu,cpuacct:/docker/abc\n")
    write(tmp_path / "cpu,cpuacct/docker/abc/cpu.cfs_quota_us", "100000\n")
    write(tmp_path / "cpu,cpuacct/docker/abc/cpu.cfs_period_us", "100000\n")
    write(tmp_path / "memory/docker/abc/memory.limit_in_bytes", "536870912\n")
    write(tmp_path / "memory/memory.limit_in_bytes", "9223372036854771712\n")

    assert usable_cores(tmp_path, own) == 1
    assert usable_memory_bytes(tmp_path, own) == 2**29


@pytest.mark.parametrize("text", ["", "nonsense", "-1 100000", "100000 0", "max", "\0\xff"])
def test_what_makes_no_sense_limits_nothing(tmp_path: Path, text: str) -> None:
    own = tmp_path / "own"
    own.write_text(f"0::/../..\n{text}\n")
    write(tmp_path / "cpu.max", text)
    write(tmp_path / "memory.max", text)

    assert usable_cores(tmp_path, own) == BOUND
    assert usable_memory_bytes(tmp_path, own) == PHYSICAL
