"""What every command has: release, help and completion."""

import argparse
from pathlib import Path

import pytest
from seqfacility_wire.command_line.program import Help, add_program_options


@pytest.fixture
def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="program", formatter_class=Help, description="Line one.\nLine two.")
    add_program_options(made, "1.2.3")
    made.add_argument("--bind", default="127.0.0.1:1", help="where")
    made.add_argument("--quiet", action="store_true", help="say less")
    made.add_argument("--to", help="whither")
    made.add_argument("folder", type=Path)
    return made


def test_the_release_is_told(parser: argparse.ArgumentParser, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parser.parse_args(["--version"])

    assert (ended.value.code, capsys.readouterr().out) == (0, "program 1.2.3\n")


def test_help_keeps_its_lines_and_shows_only_defaults_that_say_something(
    parser: argparse.ArgumentParser,
) -> None:
    text = parser.format_help()

    assert "Line one.\nLine two." in text
    assert "where (default: 127.0.0.1:1)" in text
    assert text.count("default") == 1


def test_completion_offers_options_and_names_of_files(
    parser: argparse.ArgumentParser, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        parser.parse_args(["--print-completion", "bash"])

    printed = capsys.readouterr().out
    assert ended.value.code == 0
    assert "--quiet" in printed
    assert "_pos_0_COMPGEN=_shtab_compgen_files" in printed.replace("program", "")
