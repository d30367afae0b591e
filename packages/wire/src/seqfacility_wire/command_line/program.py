"""What our commands share: help, `--version`, shell completion, an output that nobody reads."""

import argparse
import io
import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
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


def add_commands(parser: argparse.ArgumentParser, commands: Mapping[str, ModuleType]) -> None:
    """Add every command by its name; `parser.parse_args().command` is the name of the one that was given.

    A module's docstring is its help, which its `EXAMPLES` end; `add_arguments(parser)` adds the options, and
    `run(arguments)` gives the exit code.
    """
    added = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", title="commands")
    for name, module in commands.items():
        described = module.__doc__ or ""
        command = added.add_parser(
            name,
            help=described.splitlines()[0],
            description=described,
            epilog=getattr(module, "EXAMPLES", None),
            formatter_class=Help,
        )
        module.add_arguments(command)


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
