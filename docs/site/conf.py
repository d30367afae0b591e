"""Which pages the guide has, in which order, and how Sphinx makes a site of them.

Pages stay plain Markdown that reads well in the repository too: what only Sphinx understands is added here.
`nox -s docs` builds it. Decision: G1060, G1061.
"""

from os.path import normpath
from pathlib import Path, PurePosixPath
from typing import Any

from docutils import nodes
from pygments.lexers.special import TextLexer
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[2]

project = "SeqFacility"
html_title = "SeqFacility"
extensions = ["myst_parser"]
root_doc = "docs/index"
include_patterns = ["*.md", "docs/**.md", "registry_site/content/*.md"]
# WHY: folders that hold no page are not searched; some of them hold whole environments.
exclude_patterns = [
    *(one.name for one in ROOT.iterdir() if one.is_dir() and one.name not in {"docs", "registry_site"}),
    *(
        one.relative_to(ROOT).as_posix()
        for one in (ROOT / "registry_site").iterdir()
        if one.name != "content"
    ),
    "registry_site/content/*/**",
    "docs/where.md",
]
myst_heading_anchors = 4

html_theme = "furo"
html_theme_options = {"top_of_page_buttons": []}
html_extra_path = ["root"]
templates_path = ["templates"]
html_search_scorer = str(ROOT / "docs/site/search_order.js")
html_copy_source = False
html_show_copyright = False
html_show_sourcelink = False
html_use_index = False

CHAPTERS = {
    "Start": ("In short </README>", "/docs/how_to/from_init_to_delivery", "/docs/glossary"),
    "For researchers": ("/docs/how_to/order_sequencing", "/docs/how_to/send_and_fetch_files"),
    "For lab managers": (
        "/docs/how_to/run_the_lab",
        "/docs/how_to/forms",
        "/docs/how_to/live_sequencing",
        "/docs/how_to/demultiplex",
        "/docs/how_to/people",
        "/docs/how_to/numbers_of_a_year",
        "/docs/how_to/data_protection",
    ),
    "For administrators": (
        "/docs/how_to/administer",
        "/docs/how_to/first_day",
        "/docs/how_to/set_up_a_facility",
        "/docs/environment",
        "/docs/how_to/serve_behind_nginx",
        "/docs/how_to/move_to_postgresql",
        "/docs/how_to/several_hosts",
        "/docs/how_to/sign_in_with_your_institute",
        "/docs/how_to/mail",
        "/docs/how_to/operate",
        "/docs/how_to/backup_and_restore",
        "/docs/how_to/upgrade",
        "/docs/how_to/audit",
        "/docs/how_to/troubleshooting",
        "/SECURITY",
        "/CHANGELOG",
    ),
    "For those who connect programs": (
        "/docs/how_to/use_the_api",
        "/docs/how_to/webhooks",
        "/docs/how_to/write_a_pipeline",
    ),
    "The registry": (
        "/docs/mirrors",
        "/docs/how_to/sign_a_registry",
        "/docs/how_to/change_the_content",
        "/docs/compatibility",
        "/registry_site/content/README",
        "/registry_site/content/LICENCES",
    ),
    "For developers": (
        "/CONTRIBUTING",
        "/docs/architecture",
        "/docs/states",
        "/docs/hazards/uploads",
        "/docs/hazards/launch",
        "/docs/hazards/streams",
        "/docs/reliability",
        "/docs/performance",
        "/docs/scale",
        "/docs/coverage",
        "/docs/decisions",
        "/docs/adr/README",
    ),
}
"""The pages beside the first one, by the people who read them. A page that is in no chapter is refused."""

RECORDS = "docs/adr/README"
"""Its pages are found by their names: there is one more with each record."""


def add_contents(_app: Sphinx, name: str, source: list[str]) -> None:
    """Add to the first page what its sidebar lists, and to the list of records the records."""
    if name == root_doc:
        source[0] += "".join(contents(caption, pages) for caption, pages in CHAPTERS.items())
    elif name == RECORDS:
        source[0] += "\n```{toctree}\n:hidden:\n:glob:\n\n/docs/adr/0*\n```\n"


def contents(caption: str, pages: tuple[str, ...]) -> str:
    listed = "\n".join(pages)
    return f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{listed}\n```\n"


def name_folders(_app: Sphinx, document: nodes.document) -> None:
    """Let a link to a folder of the repository name it: the site has its pages, and not its folders."""
    here = PurePosixPath(document.settings.env.docname).parent
    for link in list(document.findall(pending_xref)):
        if link["reftype"] != "myst" or link.get("refdomain"):
            continue
        folder = normpath(here / link["reftarget"])
        if (ROOT / folder).is_dir():
            shown = link.astext()
            named = [] if folder in shown else [nodes.Text(" ("), nodes.literal("", folder), nodes.Text(")")]
            link.replace_self([*link.children, *named])


def make_accessible(_app: Sphinx, _page: str, _template: str, shown: dict[str, Any], _tree: object) -> None:
    """Add what Sphinx and Furo leave out: the level of a caption, the focus for what scrolls sideways."""
    tree = shown["furo_navigation_tree"]
    shown["furo_navigation_tree"] = tree.replace('role="heading"', 'role="heading" aria-level="2"')
    if "body" in shown:
        body = shown["body"].replace("<pre>", '<pre tabindex="0">')
        shown["body"] = body.replace('<div class="table-wrapper', '<div tabindex="0" class="table-wrapper')


def setup(app: Sphinx) -> None:
    # Diagrams are drawn where the repository is shown; here they stand as they are written, see ADR 0028.
    app.add_lexer("mermaid", TextLexer)
    app.connect("source-read", add_contents)
    app.connect("doctree-read", name_folders)
    app.connect("html-page-context", make_accessible, priority=900)  # after Furo has made them
