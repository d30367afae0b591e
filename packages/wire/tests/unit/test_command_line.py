"""What both commands have: release, help, completion, and an address that is free."""

import argparse
import socket
from pathlib import Path

import pytest
from seqfacility_wire.command_line import Help, add_program_options, check_bindable


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
    told = parser.format_help()

    assert "Line one.\nLine two." in told
    assert "where (default: 127.0.0.1:1)" in told
    assert told.count("default") == 1


def test_completion_offers_options_and_names_of_files(
    parser: argparse.ArgumentParser, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        parser.parse_args(["--print-completion", "bash"])

    printed = capsys.readouterr().out
    assert ended.value.code == 0
    assert "--quiet" in printed
    assert "_pos_0_COMPGEN=_shtab_compgen_files" in printed.replace("program", "")


def test_an_address_that_is_taken_is_named_unless_it_is_shared() -> None:
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        other.bind(("127.0.0.1", 0))
        other.listen()
        bind = f"127.0.0.1:{other.getsockname()[1]}"

        check_bindable(bind, is_shared=True)
        with pytest.raises(OSError, match=f"^cannot listen on {bind}: Address already in use$"):
            check_bindable(bind)


@pytest.mark.parametrize("bind", ["127.0.0.1:0", "[::1]:0"])
def test_a_free_address_stays_free(bind: str) -> None:
    check_bindable(bind)
    check_bindable(bind)
