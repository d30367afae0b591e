"""All pages of a registry: which there are, what each is rendered from, and the static files beside them.

Paths are those of files below the web root: `pipelines/index.html`. Decision: G1000, G1001.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Final
from urllib.parse import quote, urlsplit

from jinja2 import TemplateError

from seqfacility_registry.answers import json_bytes
from seqfacility_registry.pages import documents as paths
from seqfacility_registry.pages.checklists import PROPERTY_LABELS, changes_of, page_name, sections_of
from seqfacility_registry.pages.documents import Documents
from seqfacility_registry.pages.file_list import file_sections
from seqfacility_registry.pages.pipelines import pipeline_values, target_labels
from seqfacility_registry.pages.plots import HEIGHT, WIDTH, plot_of
from seqfacility_registry.pages.policy import POLICY_IN_PAGE
from seqfacility_registry.pages.rendering import environment, look_file, style_sheet
from seqfacility_registry.pages.search import search_index
from seqfacility_registry.pages.signatures import Signatures, signatures_of
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
    """One page: its template, the texts of its head, and the values of its template.

    `document` is the path of the API answer with the same content.
    """

    template: str
    title: str
    about: str
    values: Callable[[], Values] = field(default=dict)
    document: str | None = None


class Site:
    """The pages at one address, which ends in `/api`.

    `file_of` maps the path of an answer to the file that pages link to, `list_files` returns the rows of
    `/api/files.json`, and `other_files` are the lengths of further files that the page of files links to.
    """

    def __init__(
        self,
        documents: Documents,
        address: str,
        file_of: Callable[[str], str],
        list_files: Callable[[], Sequence[Mapping[str, Any]]],
        other_files: Mapping[str, int],
    ) -> None:
        self._documents = documents
        self._address = address
        self._home = address.removesuffix("/api") + "/"
        self._root = urlsplit(self._home).path
        self._file_of = file_of
        self._list_files = list_files
        self._other_files = other_files

    @cached_property
    def _files(self) -> Mapping[str, Callable[[], bytes]]:
        found: dict[str, Callable[[], bytes]] = {
            f"{path}/{INDEX}".lstrip("/"): partial(self._render, path, page)
            for path, page in self._pages.items()
        }
        found[NOT_FOUND_PAGE] = partial(self._render, None, _MISSING)
        found["look/registry.css"] = style_sheet
        found["look/registry.js"] = partial(look_file, "registry.js")
        found["look/icon.svg"] = partial(look_file, "icon.svg")
        found["search.json"] = lambda: json_bytes(search_index(self._documents))
        found["sitemap.xml"] = self._sitemap
        return found

    def paths(self) -> list[str]:
        """List the paths of all files."""
        return sorted(self._files)

    def find(self, path: str) -> str | None:
        """Return the file that answers a path below the root; None without one."""
        bare = path.strip("/")
        return next((file for file in (bare, f"{bare}/{INDEX}".lstrip("/")) if file in self._files), None)

    def content(self, file: str) -> bytes:
        """Render a file; raises `ValueError` when an answer does not have the expected shape."""
        try:
            return self._files[file]()
        except (TemplateError, LookupError, TypeError, AttributeError) as error:
            raise ValueError(f"{file}: cannot be rendered: {type(error).__name__}") from error

    @cached_property
    def _pages(self) -> Mapping[str, Page]:
        """Return all pages by their path, without leading and trailing slashes."""
        documents = self._documents
        sections: Sequence[tuple[str, str, Callable[[], Values], str | None]] = (
            ("pipelines", "Pipelines", self._pipelines, paths.REGISTRY),
            ("checklists", "Checklists", self._checklists, paths.CHECKLISTS),
            ("technology", "Sequencing technology", partial(catalog_values, documents), paths.CATALOG),
            ("profiles", "Install profiles", lambda: {"profiles": self._profiles()}, paths.PROFILES),
            ("research", "Research data", self._research, paths.RESEARCH),
            ("releases", "Releases", lambda: {"releases": documents.releases()}, paths.RELEASES),
            ("mirrors", "Mirrors", lambda: {"signatures": self._signatures}, None),
            ("files", "All files", self._file_values, None),
        )
        pages = {"": Page("home.html", "SeqFacility registry", _ABOUT[""], self._home_values, paths.REGISTRY)}
        for name, title, values, document in sections:
            pages[name] = Page(f"{name}.html", title, _ABOUT[name], values, document)
        for entry in documents.pipelines():
            pages[f"pipelines/{entry['id']}"] = self._pipeline_page(entry)
        for checklist in documents.checklists():
            pages[f"checklists/{page_name(checklist['accession'])}"] = self._checklist_page(checklist)
        return pages

    def _render(self, path: str | None, page: Page) -> bytes:
        """Render a page; `path` is None for the one that is shown at any path."""
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
        entries, profiles = list(documents.pipelines()), self._profiles()
        return {
            "pipelines": len(entries),
            "verified": sum(entry["verified"] for entry in entries),
            "checklists": len(documents.checklists()),
            "technologies": len((documents.find(paths.CATALOG) or {}).get("technologies", [])),
            "profiles": len(profiles),
            "beginning": next(
                (row["installCommand"] for row in profiles if not row["requiresAccessCode"]), None
            ),
            "has_release": bool(documents.releases()),
            "example": _example(entries),
            "signatures": self._signatures,
        }

    @cached_property
    def _signatures(self) -> Signatures | None:
        return signatures_of(self._documents)

    def _pipelines(self) -> Values:
        index = self._documents.find(paths.REGISTRY) or {}
        names = {row["id"]: row["name"] for row in index.get("categories", [])}
        entries = list(self._documents.pipelines())
        return {"entries": entries, "categories": names, "works_on": target_labels}

    def _checklists(self) -> Values:
        return {
            "version": (self._documents.find(paths.CHECKLISTS) or {}).get("version"),
            "checklists": self._documents.checklists(),
            "page_name": page_name,
            "editions": (self._documents.find(paths.CHANGES) or {}).get("editions", []),
        }

    def _pipeline_page(self, entry: Mapping[str, Any]) -> Page:
        document = f"{paths.REGISTRY}/{entry['id']}"
        return Page(
            "pipeline.html",
            entry["name"],
            entry["shortDescription"],
            lambda: {**pipeline_values(entry), "signatures": self._signatures},
            document,
        )

    def _checklist_page(self, checklist: Mapping[str, Any]) -> Page:
        def values() -> Values:
            return {
                "checklist": checklist,
                "sections": sections_of(checklist),
                "changes": changes_of(self._documents.find(paths.CHANGES), checklist["accession"]),
                "labels": PROPERTY_LABELS,
                "signatures": self._signatures,
            }

        about = checklist["description"]
        return Page("checklist.html", checklist["name"], about, values, paths.CHECKLISTS)

    def _profiles(self) -> list[Any]:
        return [with_address(profile, self._address) for profile in self._documents.profiles()]

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
        lengths = {row["path"]: row["length"] for row in self._list_files()}
        pages = [name for name in self.paths() if not name.endswith(INDEX)]
        return {"sections": list(file_sections(lengths | dict(self._other_files))), "pages": pages}


def _example(entries: Sequence[Mapping[str, Any]]) -> str | None:
    """Return the pipeline in the install command of the home page, preferring verified and featured ones."""
    offered = [entry for entry in entries if entry["status"] == "available"]
    ordered = sorted(offered, key=lambda entry: (not entry["verified"], not entry["featured"]))
    return next((entry["id"] for entry in ordered if "order" in entry["targets"]["supported"]), None)


def page_files(site: Site) -> Iterator[tuple[str, bytes]]:
    """Yield the path and the content of every file."""
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
    "releases": "Every release of the software that facilities run, newest first.",
    "mirrors": "How to run a mirror of this registry and how to tell a true one from a false one.",
    "files": "Every file of this registry, for whoever copies it.",
}
