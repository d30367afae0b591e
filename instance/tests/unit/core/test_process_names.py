"""Names of processes: which of them are known to be dead."""

import os
import socket
import subprocess
import sys

import pytest
from seqfacility_instance.core.process_names import is_dead, process_name


def test_this_process_is_not_dead() -> None:
    assert not is_dead(process_name())


def test_an_ended_process_of_this_machine_is_dead() -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()

    assert is_dead(f"{socket.gethostname()[:96]}:{ended.pid}")


@pytest.mark.parametrize(
    "name",
    ["elsewhere:1", f"{socket.gethostname()[:96]}:x", "", f":{os.getpid()}"],
    ids=["elsewhere", "no number", "nothing", "no host"],
)
def test_a_process_that_cannot_be_asked_is_not_called_dead(name: str) -> None:
    assert not is_dead(name)
