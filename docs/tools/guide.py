"""Build the guide as a site, and read it as a browser does.

    nox -s docs

It is in build/site afterwards. What Sphinx warns of is refused: a page in no chapter, a link to a page or a
heading that is not there. Then every link, picture, script and style of the built pages is followed: each
has to lead to a file of the site, and none is fetched from elsewhere. Decision: G1061.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "build/site"
LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src", "use": "href"}
"""What a browser fetches by itself, and the attribute that says from where."""
STYLE_LOADS = re.compile(r"(?:url\(|@import)\s*[\"']?\s*(?:https?:)?//[^\"')\s]*")


@dataclass
class Page(HTMLParser):
    """What a page links, what it loads, and what can be linked in it."""

    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value for name, value in attrs if value is not None}
        if "id" in given:
            self.anchors.add(given["id"])
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if (source := given.get(LOADED.get(tag, ""))) is not None:
            self.loaded.append(source)


def build(target: Path) -> None:
    """Write the site anew; raises `CalledProcessError` for whatever Sphinx warns of."""
    shutil.rmtree(target, ignore_errors=True)
    strict = ("--fail-on-warning", "--keep-going", "--nitpicky", "--quiet")
    with tempfile.TemporaryDirectory() as parsed:
        where = ("--conf-dir", str(ROOT / "docs/site"), "--doctree-dir", parsed)
        command = [sys.executable, "-m", "sphinx", *strict, *where, str(ROOT), str(target)]
        subprocess.run(command, check=True)  # noqa: S603  # our own words


def problems(site: Path) -> list[str]:
    """Say what of a built site leads nowhere or comes from elsewhere."""
    pages = {file: read(file) for file in sorted(site.rglob("*.html"))}
    found = [
        f"{file.relative_to(site)}: {words}"
        for file, page in pages.items()
        for words in (*dead_links(site, file, pages), *foreign_parts(page))
    ]
    styles = (
        f"{file.relative_to(site)}: from elsewhere: {loaded}"
        for file in sorted(site.rglob("*.css"))
        for loaded in STYLE_LOADS.findall(file.read_text("utf-8"))
    )
    return [*found, *styles]


def read(file: Path) -> Page:
    page = Page()
    page.feed(file.read_text("utf-8"))
    return page


def dead_links(site: Path, file: Path, pages: dict[Path, Page]) -> list[str]:
    """Name what a page links or loads of the site that is not there."""
    dead = []
    for target in (*pages[file].links, *pages[file].loaded):
        parts = urlsplit(target)
        if parts.scheme or parts.netloc:
            continue
        found = (file.parent / unquote(parts.path)).resolve() if parts.path else file
        is_there = found.is_file() and found.is_relative_to(site.resolve())
        anchor = unquote(parts.fragment)
        if not is_there or (anchor and found in pages and anchor not in pages[found].anchors):
            dead.append(f"leads nowhere: {target}")
    return dead


def foreign_parts(page: Page) -> list[str]:
    return [f"from elsewhere: {loaded}" for loaded in page.loaded if urlsplit(loaded).netloc]


def main() -> int:
    build(TARGET)
    found = problems(TARGET)
    sys.stdout.writelines(f"{line}\n" for line in found)
    sys.stdout.write(f"The guide is in {TARGET.relative_to(ROOT)}; begin with index.html.\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
