"""The commands of the pages: a test runs them as they stand there or has a reason, and all of them exist."""

import importlib
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = {".git", ".tox", ".nox", ".venv", "node_modules", "build"}
STRANGER = "docs/tests/test_strangers_path.py"
FIRST_DAY = "instance/tests/e2e/test_first_day_pages.py"
RUN = {
    "docs/how_to/audit.md": FIRST_DAY,
    "docs/how_to/first_day.md": FIRST_DAY,
    "docs/how_to/forms.md": FIRST_DAY,
    "docs/how_to/from_init_to_delivery.md": "instance/tests/browser/journeys/test_from_init_to_delivery.py",
    "docs/how_to/live_sequencing.md": FIRST_DAY,
    "docs/how_to/numbers_of_a_year.md": FIRST_DAY,
    "docs/how_to/people.md": FIRST_DAY,
    "docs/how_to/set_up_a_facility.md": STRANGER,
    "docs/how_to/sign_a_registry.md": "registry_site/tests/contract/test_signing_page.py",
    "docs/how_to/use_the_api.md": STRANGER,
}
"""Each page with a block of `sh`, and the test that runs its blocks. Decision: G1065."""

NOT_RUN = {
    "README.md": "they install from package indexes; `tox -e isolation` installs the same distributions",
    "docs/compatibility.md": "it makes wheels of a release, once for each",
}
PROGRAMS = {
    "seqfacility": "seqfacility_instance.cli",
    "seqfacility-client": "seqfacility_client.cli",
    "seqfacility-registry": "seqfacility_registry.cli",
    "seqfacility-registry-tools": "seqfacility_registry_tools.cli",
}
PAGES = [
    path
    for path in sorted(ROOT.rglob("*.md"))
    if not SKIPPED & set(path.relative_to(ROOT).parts) and path.name not in {"CHANGELOG.md", "decisions.md"}
]
BLOCK = re.compile(r"^ *```[^\n]*\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
CALL = re.compile(
    r"(?:^|[|;&(])[ \t]*(?:[A-Z_]+=\S* +)*"  # where a command begins: the same word names an account, too
    rf"({'|'.join(sorted(PROGRAMS, key=len, reverse=True))}) +([^\n|;&<>`#)]+)",
    re.MULTILINE,
)


def blocks_of(text: str) -> list[str]:
    """Return what a page shows as typed: fenced and indented blocks, and what stands in backticks."""
    indented = [line for line in text.splitlines() if re.match(r" {4,}\S", line)]
    inline = re.findall(r"`([^`\n]+)`", BLOCK.sub("", text))
    joined = "\n".join([*BLOCK.findall(text), *indented, *inline])
    return [f"{program} {words}" for program, words in CALL.findall(re.sub(r"\\\n\s*", " ", joined))]


@cache
def help_of(program: str, *words: str) -> str | None:
    """Return what a command says of itself, or nothing where the program has none of this name."""
    main: Callable[[list[str]], int] = importlib.import_module(PROGRAMS[program]).main
    said = pytest.MonkeyPatch()
    with said.context() as patch:
        lines: list[str] = []
        patch.setattr("argparse.ArgumentParser._print_message", lambda _self, text, _file: lines.append(text))
        try:
            main([*words, "--help"])
        except SystemExit as end:
            return "".join(lines) if not end.code else None
    raise AssertionError("a request for help ends a program")


def problem_of(call: str) -> str | None:
    """Say what of a call its program does not know: the command, or an option of it."""
    program, *words = call.split()
    command = [word for word in words[:2] if re.fullmatch(r"[a-z]+(-[a-z]+)*", word)]
    known = next(
        (said for end in range(len(command), -1, -1) if (said := help_of(program, *command[:end]))), ""
    )
    if command and not help_of(program, command[0]):
        return f"{call}: no command {command[0]}"
    given = {word.partition("=")[0] for word in words if re.match(r"--\w", word)}
    foreign = sorted(one for one in given if not re.search(rf"(?<![\w-]){one}(?![\w-])", known or ""))
    return f"{call}: no option {', '.join(foreign)}" if foreign else None


def test_every_code_block_is_run_by_a_test_or_has_a_reason() -> None:
    with_commands = {
        page.relative_to(ROOT).as_posix()
        for page in PAGES
        if re.search(r"^```sh$", page.read_text("utf-8"), re.MULTILINE)
    }

    assert with_commands == RUN.keys() | NOT_RUN.keys()
    for page, test in RUN.items():
        assert re.search(rf'["/]{Path(page).stem}["."]', (ROOT / test).read_text("utf-8")), page


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_command_that_a_page_names_exists_with_its_options(page: Path) -> None:
    problems = [problem_of(call) for call in blocks_of(page.read_text("utf-8"))]

    assert [one for one in problems if one is not None] == []


def test_a_command_or_an_option_that_is_gone_is_found() -> None:
    gone = blocks_of("    seqfacility sync-catalogue --now\n\n`seqfacility backup DIR --fast`")

    assert [problem_of(call) for call in gone] == [
        "seqfacility sync-catalogue --now: no command sync-catalogue",
        "seqfacility backup DIR --fast: no option --fast",
    ]
