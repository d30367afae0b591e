"""All pages of a registry: which there are, what each is made from, and the files beside them.

Paths are those of files below the root of the host: `pipelines/index.html`. Decision: G1000, G1001.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Final
from urllib.parse import quote, urlsplit

from jinja2 import TemplateError

from seqfacility_registry.answers import json_bytes
from seqfacility_registry.pages import documents as paths
from seqfacility_registry.pages.checklists import WORDS, changes_of, page_name, sections_of
from seqfacility_registry.pages.documents import Documents
from seqfacility_registry.pages.file_list import file_sections
from seqfacility_registry.pages.pipelines import pipeline_values, targets_in_words
from seqfacility_registry.pages.plots import HEIGHT, WIDTH, plot_of
from seqfacility_registry.pages.policy import POLICY_IN_PAGE
from seqfacility_registry.pages.rendering import environment, look_file, style_sheet
from seqfacility_registry.pages.search import search_index
from seqfacility_registry.pages.technology import catalog_values
from seqfacility_registry.trust.links import with_address

INDEX: Final = "index.html"
NOT_FOUND_PAGE: Final = "404.html"
FILES_PAGE: Final = f"files/{INDEX}"
MENU: Final = (
    ("pipelines", "Pipelines"),
    ("checklists", "Checklists"),
    ("technology", "Technology"),
    ("profiles", "Profiles"),
    ("research", "Research"),
    ("releases", "Releases"),
    ("mirrors", "Mirrors"),
    ("files", "Files"),
)
MEDIA_TYPES: Final[Mapping[str, str]] = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "xml": "application/xml",
    "svg": "image/svg+xml",
}

Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its template, what stands in its head, and what its template is given.

    `document` is the answer that says the same to programs.
    """

    template: str
    title: str
    about: str
    values: Callable[[], Values] = field(default=dict)
    document: str | None = None


class Site:
    """The pages at one address, which ends in `/api`.

    `file_of` gives the file, or the path, at which a reader of these pages gets an answer; `listed` are the
    rows of the list of files, and `beside` the lengths of further files that the page of files links to.
    """

    def __init__(
        self,
        documents: Documents,
        address: str,
        file_of: Callable[[str], str],
        listed: Callable[[], Sequence[Mapping[str, Any]]],
        beside: Mapping[str, int],
    ) -> None:
        self._documents = documents
        self._address = address
        self._home = address.removesuffix("/api") + "/"
        self._root = urlsplit(self._home).path
        self._file_of = file_of
        self._listed = listed
        self._beside = beside

    @cached_property
    def _files(self) -> Mapping[str, Callable[[], bytes]]:
        found: dict[str, Callable[[], bytes]] = {
            f"{path}/{INDEX}".lstrip("/"): partial(self._page, path, page)
            for path, page in self._pages.items()
        }
        found[NOT_FOUND_PAGE] = partial(self._page, None, _MISSING)
        found["look/registry.css"] = style_sheet
        found["look/registry.js"] = partial(look_file, "registry.js")
        found["look/icon.svg"] = partial(look_file, "icon.svg")
        found["search.json"] = lambda: json_bytes(search_index(self._documents))
        found["sitemap.xml"] = self._sitemap
        return found

    def paths(self) -> list[str]:
        return sorted(self._files)

    def find(self, path: str) -> str | None:
        """Return the file that is answered at a path below the root, None without one."""
        place = path.strip("/")
        return next((name for name in (place, f"{place}/{INDEX}".lstrip("/")) if name in self._files), None)

    def content(self, file: str) -> bytes:
        """Make a file; raises `ValueError` when what it is made from has another shape than it should."""
        try:
            return self._files[file]()
        except (TemplateError, LookupError, TypeError, AttributeError) as strange:
            raise ValueError(f"{file}: cannot be made: {type(strange).__name__}") from strange

    @cached_property
    def _pages(self) -> Mapping[str, Page]:
        """Return all pages by their path, without slashes around it."""
        documents = self._documents
        pages = {
            "": Page("home.html", "SeqFacility registry", _ABOUT[""], self._home_values, paths.REGISTRY),
            "pipelines": Page(
                "pipelines.html", "Pipelines", _ABOUT["pipelines"], self._pipelines, paths.REGISTRY
            ),
            "checklists": Page(
                "checklists.html", "Checklists", _ABOUT["checklists"], self._checklists, paths.CHECKLISTS
            ),
            "technology": Page(
                "technology.html",
                "Sequencing technology",
                _ABOUT["technology"],
                lambda: catalog_values(documents.find(paths.CATALOG)),
                paths.CATALOG,
            ),
            "profiles": Page(
                "profiles.html", "Install profiles", _ABOUT["profiles"], self._profiles, paths.PROFILES
            ),
            "research": Page(
                "research.html", "Research data", _ABOUT["research"], self._research, paths.RESEARCH
            ),
            "releases": Page(
                "releases.html",
                "Releases",
                _ABOUT["releases"],
                lambda: {"release": (documents.find(paths.RELEASE) or {}).get("latest")},
                paths.RELEASE,
            ),
            "mirrors": Page("mirrors.html", "Mirrors", _ABOUT["mirrors"], self._signatures),
            "files": Page("files.html", "All files", _ABOUT["files"], self._file_values),
        }
        for entry in documents.pipelines():
            pages[f"pipelines/{entry['id']}"] = _pipeline_page(entry)
        for checklist in documents.checklists():
            pages[f"checklists/{page_name(checklist['accession'])}"] = self._checklist_page(checklist)
        return pages

    def _page(self, path: str | None, page: Page) -> bytes:
        """Write a page; `path` is None for the one that is shown at any path."""
        section = (path or "").partition("/")[0]
        document = page.document if page.document in self._documents else None
        template = environment().get_template(page.template)
        text = template.render(
            page=page,
            path=path,
            section=section,
            menu=MENU,
            root=self._root,
            home=self._home,
            address=self._address,
            canonical=None if path is None else self._canonical(path),
            alternate=None if document is None else self._link(document),
            link=self._link,
            policy=POLICY_IN_PAGE,
            **page.values(),
        )
        return text.encode() + b"\n"

    def _canonical(self, path: str) -> str:
        return self._home + (f"{quote(path)}/" if path else "")

    def _link(self, answer: str) -> str:
        return self._root + quote(self._file_of(answer))

    def _sitemap(self) -> bytes:
        template = environment().get_template("sitemap.xml")
        return template.render(addresses=[self._canonical(path) for path in self._pages]).encode() + b"\n"

    def _home_values(self) -> Values:
        documents = self._documents
        entries = list(documents.pipelines())
        return {
            "pipelines": len(entries),
            "verified": sum(entry["verified"] for entry in entries),
            "checklists": len(documents.checklists()),
            "technologies": len((documents.find(paths.CATALOG) or {}).get("technologies", [])),
            "profiles": len(list(documents.profiles())),
            "example": _example(entries),
            **self._signatures(),
        }

    def _signatures(self) -> Values:
        return {"is_signed": paths.TIMESTAMP in self._documents}

    def _pipelines(self) -> Values:
        index = self._documents.find(paths.REGISTRY) or {}
        names = {row["id"]: row["name"] for row in index.get("categories", [])}
        entries = list(self._documents.pipelines())
        return {"entries": entries, "categories": names, "works_on": targets_in_words}

    def _checklists(self) -> Values:
        return {
            "version": (self._documents.find(paths.CHECKLISTS) or {}).get("version"),
            "checklists": self._documents.checklists(),
            "page_name": page_name,
            "editions": (self._documents.find(paths.CHANGES) or {}).get("editions", []),
        }

    def _checklist_page(self, checklist: Mapping[str, Any]) -> Page:
        def values() -> Values:
            changes = changes_of(self._documents.find(paths.CHANGES), checklist["accession"])
            sections = sections_of(checklist)
            return {"checklist": checklist, "sections": sections, "changes": changes, "words": WORDS}

        about = checklist["description"]
        return Page("checklist.html", checklist["name"], about, values, paths.CHECKLISTS)

    def _profiles(self) -> Values:
        profiles = [with_address(profile, self._address) for profile in self._documents.profiles()]
        return {"profiles": profiles}

    def _research(self) -> Values:
        document = self._documents.find(paths.RESEARCH)
        if document is None:
            return {"research": None}
        metrics = [
            {**metric, "plot": plot_of(metric["series"])}
            for metric in document["metrics"]
            if metric["series"]
        ]
        groups = [
            (
                name,
                sorted(
                    (one for one in metrics if one["category"] == key), key=lambda one: not one["flagship"]
                ),
            )
            for key, name in document["categories"].items()
        ]
        return {"research": document, "groups": groups, "width": WIDTH, "height": HEIGHT}

    def _file_values(self) -> Values:
        listed = {row["path"]: row["length"] for row in self._listed()}
        pages = [name for name in self.paths() if not name.endswith(INDEX)]
        return {"sections": list(file_sections(listed | dict(self._beside))), "pages": pages}


def _pipeline_page(entry: Mapping[str, Any]) -> Page:
    document = f"{paths.REGISTRY}/{entry['id']}"
    values = partial(pipeline_values, entry)
    return Page("pipeline.html", entry["name"], entry["shortDescription"], values, document)


def _example(entries: Sequence[Mapping[str, Any]]) -> str | None:
    """Return the pipeline that the first page installs, verified and featured ones first."""
    offered = [entry for entry in entries if entry["status"] == "available"]
    ordered = sorted(offered, key=lambda entry: (not entry["verified"], not entry["featured"]))
    return next((entry["id"] for entry in ordered if "order" in entry["targets"]["supported"]), None)


def page_files(site: Site) -> Iterator[tuple[str, bytes]]:
    """Yield every file of the pages, by its path."""
    for path in site.paths():
        yield path, site.content(path)


_MISSING: Final = Page("missing.html", "Not found", "There is no page at this address.")
_ABOUT: Final[Mapping[str, str]] = {
    "": "What sequencing facilities read from here: pipelines, checklists, technology and install profiles.",
    "pipelines": "Pipelines that a facility installs: what each needs, makes, and has been tried with.",
    "checklists": "Metadata checklists of ENA and GSC MIxS: every field with its pattern and an example.",
    "technology": "Sequencing platforms side by side, with their devices, flow cells and kits.",
    "profiles": "Ready settings for a new instance, installed with one command.",
    "research": "How sequence archives and sequencing costs have developed, as plots and tables.",
    "releases": "The newest release of the software that facilities run.",
    "mirrors": "How to run a mirror of this registry and how to tell a true one from a false one.",
    "files": "Every file of this registry, for whoever copies it.",
}
