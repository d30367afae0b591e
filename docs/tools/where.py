"""Write docs/where.md: which function cites which decision or chapter of an API document.

The page is made when somebody wants it and is not kept in the repository: `nox -s where`.
"""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/where.md"
FOLDERS = (
    "schemas/seqfacility_schemas",
    "packages",
    "registry_site/src",
    "registry_site/tools",
    "instance/src",
    "instance/tools",
)

_CITATION = re.compile(r'\b(Decision|Spec): ([^"]*?)\.(?=["\s]|$)')
_NUMBER = re.compile(r"\bG(\d+)(?:(?: to |-)G(\d+))?")
_CHAPTER = re.compile(r"\b(instance|registry), (.*?)(?=; (?:instance|registry), |$)", re.DOTALL)

Places = dict[str, dict[str, set[str]]]
"""Names of functions and classes, by file, by what they cite. An empty name is the module itself."""


def sources() -> list[Path]:
    """Name the Python files that are shipped; tests cite nothing that counts."""
    found = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
    return sorted(path for path in found if "tests" not in path.relative_to(ROOT).parts)


def citations_in(path: Path) -> Iterator[tuple[str, str]]:
    """Find every citation in a file, with the name of the function or class around it, empty for none."""
    text = path.read_text(encoding="utf-8")
    spans = [("", 0, sys.maxsize)]

    def visit(node: ast.AST, names: tuple[str, ...]) -> None:
        for child in ast.iter_child_nodes(node):
            inner = names
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                inner = (*names, child.name)
                first = min([child.lineno, *(item.lineno for item in child.decorator_list)])
                spans.append((".".join(inner), first, child.end_lineno or first))
            visit(child, inner)

    visit(ast.parse(text), ())
    for found in _CITATION.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        name, _, _ = max((span for span in spans if span[1] <= line <= span[2]), key=lambda span: span[1])
        yield name, found.group(0)


def decisions_in(citation: str) -> list[int]:
    """Name the decisions of one citation; `G43 to G47` and `G43-G47` are all five."""
    numbers: list[int] = []
    if not citation.startswith("Decision"):
        return numbers
    for first, last in _NUMBER.findall(citation):
        numbers += range(int(first), int(last or first) + 1)
    return numbers


def chapters_in(citation: str) -> list[tuple[str, str]]:
    """Name document and chapter of one citation."""
    words = " ".join(citation.replace("#", " ").rstrip(".").split())
    return [(document, chapter) for document, chapter in _CHAPTER.findall(words)]


def collected() -> tuple[Places, dict[str, Places]]:
    """Collect all citations: by decision, and by document and chapter."""
    decisions: Places = defaultdict(lambda: defaultdict(set))
    chapters: dict[str, Places] = {
        document: defaultdict(lambda: defaultdict(set)) for document in ("instance", "registry")
    }
    for path in sources():
        relative = path.relative_to(ROOT).as_posix()
        for name, citation in citations_in(path):
            for number in decisions_in(citation):
                decisions[f"G{number}"][relative].add(name)
            for document, chapter in chapters_in(citation):
                chapters[document][chapter][relative].add(name)
    return decisions, chapters


def place(relative: str, names: set[str]) -> str:
    """Write one file as a link, and the functions and classes in it."""
    short = relative.rsplit("/src/", maxsplit=1)[-1].removeprefix("seqfacility_")
    words = ", ".join(f"`{name}`" for name in sorted(names) if name)
    return f"[{short}](../{relative})" + (f": {words}" if words else "")


def table(first: str, places: Places, order: list[str]) -> str:
    """Write one table, files in order of their names."""
    lines = [
        f"| {key} | {'<br>'.join(place(*found) for found in sorted(places[key].items()))} |" for key in order
    ]
    return "\n".join([f"| {first} | Cited by |", "|---|---|", *lines]) + "\n"


def decided() -> list[str]:
    """Name all decisions, in the order of the page that explains them."""
    text = (ROOT / "docs/decisions.md").read_text(encoding="utf-8")
    return re.findall(r"^- \*\*(G\d+)\*\*", text, re.MULTILINE)


def page() -> str:
    """Write the whole page."""
    decisions, chapters = collected()
    by_number = sorted(decisions, key=lambda key: int(key[1:]))
    return "\n".join(
        [
            "# Where\n",
            "Which code cites which decision and which chapter of the API documents. Written by",
            "`nox -s where`. What a number means is in [decisions](decisions.md).\n",
            "## Decisions\n",
            table("Decision", decisions, by_number),
            "Cited by no code:",
            ", ".join(number for number in decided() if number not in decisions) + ".\n",
            "## Facility Instance API\n",
            table("Chapter", chapters["instance"], sorted(chapters["instance"])),
            "## Catalog and Registry API\n",
            table("Chapter", chapters["registry"], sorted(chapters["registry"])),
        ]
    )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
