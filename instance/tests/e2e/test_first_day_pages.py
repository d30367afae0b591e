"""The pages for a first day: their commands, taken as they stand there, on a facility in one folder."""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from seqfacility_testkit.nginx import free_port
from seqfacility_testkit.processes import whole_environment

ROOT = Path(__file__).parents[3]
PAGES = ("first_day", "people", "forms", "live_sequencing", "numbers_of_a_year", "audit")
MINUTES = 10


def commands_of(page: str) -> str:
    """Join the commands of a page, each block announced by its line."""
    text = (ROOT / f"docs/how_to/{page}.md").read_text("utf-8")
    blocks = re.finditer(r"^```sh\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return "".join(
        f"echo '### {page}:{text.count(chr(10), 0, block.start()) + 1}'\n{block[1]}" for block in blocks
    )


def test_a_newcomer_follows_the_pages_to_a_delivery_people_a_form_and_a_live_run(tmp_path: Path) -> None:
    missing = [name for name in ("bash", "curl", "jq") if shutil.which(name) is None]
    if missing:
        pytest.skip(f"needs the Debian packages {' '.join(missing)}")
    script = tmp_path / "script.sh"
    trap = "trap 'code=$?; kill %1; wait; [ $code = 0 ] || tail -n 60 seqfacility.log; exit $code' EXIT\n"
    bind = f"127.0.0.1:{free_port()}"
    commands = "".join(map(commands_of, PAGES)).replace("127.0.0.1:8080", bind)
    commands = commands.replace("seqfacility up ", f"seqfacility up --bind {bind} ")
    script.write_text(f"set -euo pipefail\n{trap}{commands}", "utf-8")
    environment = whole_environment(
        {"SEQFACILITY_DATABASE_URL": "", "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    )
    environment.pop("SEQFACILITY_HOME", None)

    with subprocess.Popen(
        ["bash", str(script)],
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as shell:
        try:
            output, _ = shell.communicate(timeout=MINUTES * 60)
        except subprocess.TimeoutExpired:
            os.killpg(shell.pid, signal.SIGTERM)
            output, _ = shell.communicate()

    assert shell.returncode == 0, output
    assert "lake-1_R1.fastq.gz" in output
