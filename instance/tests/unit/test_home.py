"""Who may work in a state directory."""

import os
import pwd
from pathlib import Path

import pytest
from seqfacility_instance.cli import main
from seqfacility_instance.cli.refusal import home_fault


def test_a_home_that_may_be_written_or_is_not_there_has_no_fault(tmp_path: Path) -> None:
    assert home_fault(tmp_path) is home_fault(tmp_path / "none") is None


def test_a_home_of_somebody_else_is_told_with_both_users(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o750)
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may everything
    monkeypatch.setenv("SEQFACILITY_HOME", str(home))
    user = pwd.getpwuid(os.geteuid()).pw_name
    fault = f"running as {user}, but {home} is owned by {user} with mode 0750"

    codes = [main([command]) for command in ("check-setup", "serve", "up", "migrate", "worker")]

    printed = capsys.readouterr()
    assert codes == [1] * 5
    assert printed.out == f"fail Home: {fault}. Run this as the user of the service.\n"
    assert printed.err == f"error: {fault}\n" * 4
