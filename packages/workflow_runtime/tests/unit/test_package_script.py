"""A script of a package has bounds on everything."""

import subprocess
import sys
from pathlib import Path

import pytest
from seqfacility_testkit.waiting import wait_until
from seqfacility_workflow_runtime.package_script import ScriptFailed, run_package_script
from seqfacility_workflow_runtime.processes.identity import identity_of, is_alive


def run(
    folder: Path, text: str, seconds: float = 60.0, max_bytes: int = 1000, name: str = "find.py"
) -> bytes:
    script = folder / name
    script.write_text(text)
    return run_package_script(script, folder, seconds, max_bytes)


def test_a_script_gets_the_folder_and_its_output_is_given(tmp_path: Path) -> None:
    assert run(tmp_path, "import sys; print(sys.argv[1], end='')") == str(tmp_path).encode()


def test_a_script_sees_nothing_of_the_services_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEQFACILITY_DATABASE_URL", "postgresql://secret")

    assert b"secret" not in run(tmp_path, "import os; print(dict(os.environ))", max_bytes=100_000)


@pytest.mark.parametrize(
    ("text", "reason", "seconds"),
    [
        ("raise SystemExit(3)", "it ended with code 3", 60),
        ("print('x' * 2000)", "it wrote too much", 60),
        ("import time; time.sleep(60)", "it took too long", 0.6),
        ("import os, time; os.close(1); time.sleep(60)", "it closed its output and did not end", 60),
    ],
)
def test_a_script_that_misbehaves_is_ended_and_told(
    tmp_path: Path, text: str, reason: str, seconds: float
) -> None:
    with pytest.raises(ScriptFailed, match=reason):
        run(tmp_path, text, seconds)


def test_a_script_dies_with_a_caller_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "find.py"
    script.write_text(
        "import os, pathlib, time\npathlib.Path('pid').write_text(str(os.getpid()))\ntime.sleep(600)\n"
    )
    program = (
        "import sys; from pathlib import Path\n"
        "from seqfacility_workflow_runtime.package_script import run_package_script\n"
        "run_package_script(Path(sys.argv[1]), Path(sys.argv[1]).parent, 600, 1000)\n"
    )
    caller = subprocess.Popen([sys.executable, "-c", program, str(script)])
    try:
        wait_until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text() != "", "it runs")
        identity = identity_of(int((tmp_path / "pid").read_text()))
    finally:
        caller.kill()
        caller.wait()

    assert identity is not None
    wait_until(lambda: not is_alive(identity), "the script has died")


def test_only_python_scripts_are_run(tmp_path: Path) -> None:
    with pytest.raises(ScriptFailed, match="not a Python script"):
        run(tmp_path, "echo", name="find.sh")


def test_what_a_script_left_behind_is_killed(tmp_path: Path) -> None:
    text = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'],"
        " stdout=subprocess.DEVNULL)\n"
        "print(child.pid)\n"
    )

    pid = int(run(tmp_path, text))

    wait_until(lambda: not is_running(pid), "the child is gone")


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"
