"""Strangers who send large bodies, all at once: they cost no memory, and others are answered."""

import json
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import requests
from seqfacility_testkit.facility import move_folders
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.processes import Processes
from seqfacility_testkit.soak import record, rounds
from seqfacility_testkit.stalled_requests import seconds_of_answers

AT_ONCE = 50
ROUNDS = rounds(1, 10)
MIB = 1024 * 1024
MEMORY_MIB = 150
"""Two passwords that are hashed at the same time take 92 MiB."""


@pytest.fixture
def live(facility_template: Path, tmp_path: Path) -> Iterator[LiveFacility]:
    """Return an instance that has one web process."""
    shutil.copytree(facility_template, tmp_path / "home")
    move_folders(tmp_path / "home")
    processes = Processes(tmp_path / "logs")
    live = LiveFacility(tmp_path / "home", processes, workers=1)
    try:
        live.serve()
        yield live
    finally:
        processes.stop_all()
        sys.stdout.write(processes.logs())


def peak_mib(live: LiveFacility) -> int:
    """Read the most memory that the web process has had."""
    assert live.server is not None
    (worker,) = live.server.children()
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{worker}/status").read_text("ascii"))
    assert found is not None
    return int(found[1]) // 1024


def test_large_sign_ins_made_at_once_cost_no_memory(live: LiveFacility) -> None:
    live.sign_in().close()
    credentials = {"email": "nobody@example.org", "password": "x" * 12}
    large = json.dumps({**credentials, "x": [[]] * 500_000}, separators=(",", ":")).encode()[: 2 * MIB]
    small = json.dumps({**credentials, "x": [[]] * 400}, separators=(",", ":")).encode()
    bodies = [large, small] * (AT_ONCE // 2) * ROUNDS
    before = peak_mib(live)

    def sign_in(body: bytes) -> int:
        answer = requests.post(f"{live.base}/api/auth/sign-in", data=body, timeout=60)
        return answer.status_code

    with ThreadPoolExecutor(AT_ONCE) as people:
        answers = people.map(sign_in, bodies)
        seconds_of_answers(live.base, 10)
        statuses = Counter(answers)
    grown = peak_mib(live) - before

    assert statuses[413] == len(bodies) // 2
    assert set(statuses) <= {413, 401, 429}
    assert grown < MEMORY_MIB
    record(
        "Large bodies of strangers cost no memory.",
        tried=f"{len(bodies)} sign-ins, {AT_ONCE} at a time, half of them of 1.5 MB",
        found=f"the large ones were refused unread, the process grew by {grown} MiB, others were answered",
    )
