"""The demonstration is a test of the whole: registry, instance, daemons, workflow engine, two people."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
PROMISES = (
    "submits it",
    "installs ampliseq",
    "the connection breaks in the middle of a chunk",
    "Ada sees no run and no file yet; her download is refused: Access denied",
    "the raw ones are superseded and kept",
    "publishes 4 files",
    "in a sandbox",
    "4 raw files are still at the facility, byte for byte as they were sent",
)


def test_a_real_order_goes_from_submission_to_delivery(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "seqfacility_testkit.demo",
        "--registry-site",
        str(ROOT / "registry_site"),
    ]

    done = subprocess.run(
        [*command, "--folder", str(tmp_path / "demo")],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )

    logs = "\n".join(
        log.read_text("utf-8", "replace")[-5000:] for log in (tmp_path / "demo/logs").glob("*.log")
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}\n{logs}"
    assert [promise for promise in PROMISES if promise not in done.stdout] == []
