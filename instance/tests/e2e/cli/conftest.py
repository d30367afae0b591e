"""Real commands in a state directory of the test's own."""

import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

import pytest
from seqfacility_testkit.processes import whole_environment

NOTHING: Mapping[str, str] = MappingProxyType({})
Command = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def seqfacility(home: Path) -> Command:
    """Run `seqfacility` with arguments and variables; what is given as `stdin` comes on standard input."""
    basic = {"SEQFACILITY_HOME": str(home), "SEQFACILITY_DATABASE_URL": ""}

    def run(*arguments: str, stdin: str = "", **variables: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "seqfacility_instance", *arguments],
            env=whole_environment({**basic, **variables}),
            input=stdin,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return run
