"""The guide is whole: built as a site without a warning, no link dead, and it names what there is."""

import ast
import importlib.machinery
import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
GUIDES = (
    "order_sequencing",
    "from_init_to_delivery",
    "run_the_lab",
    "administer",
    "forms",
    "numbers_of_a_year",
    "people",
)
"""The pages for people at a browser, which name its buttons and tabs."""

MOST_BYTES = 96 * 1024
"""Of a picture: a page with ten of them opens at once on a telephone, too."""

SETTINGS = ROOT / "instance/src/seqfacility_instance/facility_settings/meanings.py"
TEXTS = "\n".join(
    file.read_text("utf-8") for file in (*sorted((ROOT / "instance/web/src/text").rglob("*.ts")), SETTINGS)
)


def tool(name: str) -> ModuleType:
    """Load a tool from its file: tools are no package."""
    loader = importlib.machinery.SourceFileLoader(name, str(ROOT / f"docs/tools/{name}.py"))
    spec = importlib.util.spec_from_loader(name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def page_labels() -> list[re.Pattern[str]]:
    """Return what stands on buttons, tabs and fields. A number or a name in it may be left out at its end."""
    written = re.findall(r'"((?:[^"\\]|\\.)*)"', TEXTS)
    made = re.findall(r"`((?:[^`\\]|\\.)*)`", TEXTS)
    holes = [re.split(r"\$\{(?:[^{}]|\{[^{}]*\})*\}", one) for one in made]
    filled = [".+".join(map(re.escape, parts)) for parts in holes if any(len(part) > 2 for part in parts)]
    begun = [re.escape(parts[0].rstrip(" (")) for parts in holes]
    return [re.compile(one) for one in (*map(re.escape, written), *filled, *begun)]


def test_the_guide_is_built_without_a_warning_and_leads_nowhere_else(tmp_path: Path) -> None:
    guide = tool("guide")

    guide.build(tmp_path / "site")

    assert guide.problems(tmp_path / "site") == []
    assert (tmp_path / "site/docs/how_to/from_init_to_delivery.html").is_file()


def test_what_is_missing_or_comes_from_elsewhere_is_found_in_a_site(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<a id="top" href="b.html#there">b</a> <a href="b.html#gone">b</a> <a href="c.html">c</a>'
        ' <a href="#top">top</a> <a href="https://elsewhere.example/">a link is followed by people</a>'
        ' <img src="gone.png"> <script src="https://elsewhere.example/s.js"></script>',
        "utf-8",
    )
    (tmp_path / "b.html").write_text('<h2 id="there">There</h2> <a href="../outside.html">up</a>', "utf-8")
    (tmp_path / "s.css").write_text('@font-face { src: url("//elsewhere.example/f.woff2") }', "utf-8")

    assert tool("guide").problems(tmp_path) == [
        "a.html: leads nowhere: b.html#gone",
        "a.html: leads nowhere: c.html",
        "a.html: leads nowhere: gone.png",
        "a.html: from elsewhere: https://elsewhere.example/s.js",
        "b.html: leads nowhere: ../outside.html",
        's.css: from elsewhere: url("//elsewhere.example/f.woff2',
    ]


@pytest.mark.parametrize("guide", GUIDES)
def test_a_guide_names_only_what_stands_on_the_pages(guide: str) -> None:
    labels = page_labels()
    text = re.sub(
        r"^(?:```.*?^```|    .*?)$",
        "",
        (ROOT / f"docs/how_to/{guide}.md").read_text("utf-8"),
        flags=re.DOTALL | re.MULTILINE,
    )
    named = set(re.findall(r"`([A-Z][a-z][^`]*)`", text)) | set(
        re.findall(r"\*\*([A-Z][^*]*[^.*])\*\*", text)
    )

    assert named
    assert sorted(one for one in named if not any(label.fullmatch(one) for label in labels)) == []


def pictures_that_are_taken() -> set[str]:
    """Name the screens that the tool takes a picture of for the guide; read, because it needs a browser."""
    calls = ast.walk(ast.parse((ROOT / "docs/tools/screens.py").read_text("utf-8")))
    return {
        f"{ast.literal_eval(call.args[0])}.png"
        for call in calls
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id == "Screen"
        and any(word.arg == "guide" for word in call.keywords)
    }


def test_every_picture_is_taken_by_the_tool_small_and_shown() -> None:
    shown = {
        name
        for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"))
        for name in re.findall(r"!\[[^\]]+\]\([^)]*screens/([\w-]+\.png)\)", page.read_text("utf-8"))
    }
    sizes = {picture.name: picture.stat().st_size for picture in (ROOT / "docs/screens").iterdir()}

    assert sizes.keys() == shown == pictures_that_are_taken()
    assert {name: size for name, size in sizes.items() if size > MOST_BYTES} == {}
