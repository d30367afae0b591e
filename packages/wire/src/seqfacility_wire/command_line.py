"""What the commands of both services share: help, `--version`, shell completion, an address to listen on."""

import argparse
import io
import os
import signal
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

SHELLS: Final = ("bash", "zsh", "tcsh")


_UNREAD_EXIT: Final = 128 + signal.SIGPIPE
"""What a shell reports of a program that wrote to a closed pipe."""


class _StandardOutput(io.FileIO):
    """Ends the command when nobody reads any more, or when its output cannot be written.

    WHY: `BrokenPipeError` is an `OSError`, which commands report as a failing file, and SIGPIPE would end
    a server for a client that hung up.
    """

    def write(self, content: "ReadableBuffer", /) -> int:
        try:
            return super().write(content)
        except OSError as failed:
            unread = os.open(os.devnull, os.O_WRONLY)
            os.dup2(unread, self.fileno())  # for what is flushed on the way out
            os.close(unread)
            if isinstance(failed, BrokenPipeError):
                raise SystemExit(_UNREAD_EXIT) from None
            raise SystemExit(f"error: cannot write the output: {failed.strerror}") from None


@contextmanager
def quiet_output() -> Iterator[None]:
    """End a command silently with exit 141 when the reader of its output is gone.

    When its output cannot be written, as on a full disk, it ends with a line on standard error and exit 1.

    Decision: G503.
    """
    own = sys.__stdout__
    if own is None or sys.stdout is not own:
        yield
        return
    own.flush()
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(_StandardOutput(own.fileno(), "w", closefd=False)),
        encoding=own.encoding,
        errors=own.errors,
        line_buffering=own.isatty(),
    )
    try:
        yield
    finally:
        sys.stdout.flush()


class Help(argparse.ArgumentDefaultsHelpFormatter, argparse.RawDescriptionHelpFormatter):
    """Keeps the lines of a description as they are written, and shows each default that says something."""

    def _get_help_string(self, action: argparse.Action) -> str | None:
        return action.help if action.default in (None, False) else super()._get_help_string(action)


def add_program_options(parser: argparse.ArgumentParser, release: str) -> None:
    """Add `--version` and `--print-completion`. Decision: G470."""
    parser.add_argument("--version", action="version", version=f"%(prog)s {release}")
    parser.add_argument(
        "--print-completion",
        action=_PrintCompletion,
        choices=SHELLS,
        help="print what lets this shell complete the commands and options, and end",
    )


class _PrintCompletion(argparse.Action):
    def __call__(
        self,
        parser: argparse.ArgumentParser,
        _namespace: argparse.Namespace,
        values: str | Sequence[object] | None,
        _option: str | None = None,
    ) -> None:
        import shtab

        _complete_paths(parser, shtab.FILE)
        sys.stdout.write(shtab.complete(parser, str(values)) + "\n")
        parser.exit()


def _complete_paths(parser: argparse.ArgumentParser, files: object) -> None:
    """Complete every path argument, also those of subcommands, with file names."""
    for action in parser._actions:  # noqa: SLF001  # argparse has no public list of them; shtab reads it too
        if action.type is Path:
            action.complete = files  # type: ignore[attr-defined]  # where shtab looks for it
        if isinstance(action.choices, dict):
            for command in action.choices.values():
                _complete_paths(command, files)


def check_bindable(bind: str, *, is_shared: bool = False) -> None:
    """Raise `OSError`, with a text for the operator, when nothing can listen on `HOST:PORT`.

    A server would say so in several lines, after several attempts. `is_shared`: several of our processes
    may listen there.
    """
    host, _, port = bind.rpartition(":")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, is_shared)
            trial.bind((host.strip("[]"), int(port)))
    except OSError as refused:
        raise OSError(f"cannot listen on {bind}: {refused.strerror or refused}") from refused
