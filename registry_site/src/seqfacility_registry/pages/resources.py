"""The pages over HTTP: every path that is neither of an API nor of a drawing."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from typing import Any, Final

from falcon import Request, Response
from seqfacility_wire.caching import ReadyDocument
from seqfacility_wire.errors import MethodNotAllowed

from seqfacility_registry.answers import Answer, ContentBroken
from seqfacility_registry.content_folder import ContentFolder, Publication
from seqfacility_registry.links import Links
from seqfacility_registry.pages.documents import Documents
from seqfacility_registry.pages.policy import PAGE_POLICY
from seqfacility_registry.pages.site import MEDIA_TYPES, NOT_FOUND_PAGE, Site
from seqfacility_registry.publishing import NOT_CACHED, PUBLIC_DOCUMENT, publish
from seqfacility_registry.site.resources import FileList
from seqfacility_registry.static_answers import mirrored_answers
from seqfacility_registry.web_root import Layout, file_of

PAGE_PATHS: Final = re.compile(r"/(?!(?:api|ga4gh|images)(?:/|\Z))")
METHODS: Final = "GET, HEAD, OPTIONS"
MAX_ADDRESSES: Final = 2
"""Pages are kept for so many addresses of the service; they are some megabytes, and are made again."""


def may_be_a_page(path: str) -> bool:
    return PAGE_PATHS.match(path) is not None


class PublishedPages:
    """The pages of one publication at one address, each made at its first use and then kept."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._ready: dict[str, ReadyDocument] = {}

    def find(self, path: str) -> str | None:
        return self._site.find(path)

    def ready(self, file: str) -> ReadyDocument:
        if file not in self._ready:
            media_type = MEDIA_TYPES[file.rpartition(".")[2]]
            self._ready[file] = ReadyDocument.of(self._site.content(file), media_type)
        return self._ready[file]


class Pages:
    """Answers pages, as a sink: the table of routes describes the API alone. Decision: G1002."""

    def __init__(self, content: ContentFolder, links: Links, files: FileList) -> None:
        self._content = content
        self._links = links
        self._files = files
        self._kept: _Kept | None = None

    def __call__(self, req: Request, resp: Response, **_words: object) -> None:
        """Answer a page, or one of the files beside them."""
        if req.method == "OPTIONS":
            resp.status = 204
            resp.set_header("Allow", METHODS)
            return
        if req.method != "GET":
            raise MethodNotAllowed(headers={"Allow": METHODS})
        pages = self._pages(self._links.base_url(req))
        file = pages.find(req.path)
        resp.set_header("Content-Security-Policy", PAGE_POLICY)
        if file is not None and file != NOT_FOUND_PAGE:
            publish(req, resp, pages.ready(file), PUBLIC_DOCUMENT)
            return
        missing = pages.ready(NOT_FOUND_PAGE)
        resp.status = 404 if file is None else 200
        resp.content_type = missing.media_type
        resp.data = missing.content
        resp.set_header("Cache-Control", NOT_CACHED)

    def _pages(self, base_url: str) -> PublishedPages:
        publication = self._content.current()
        # WHY: threads ask at once; what each has found goes on to hold together, whoever replaces it.
        kept = self._kept
        if kept is None or kept.publication is not publication:
            kept = self._kept = _Kept(publication, _documents(publication), self._files)
        return kept.at(base_url)


@dataclass(frozen=True, slots=True)
class _Kept:
    """What was made of one publication, for the addresses that were asked for last."""

    publication: Publication
    documents: Documents
    files: FileList
    made: dict[str, PublishedPages] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def at(self, base_url: str) -> PublishedPages:
        with self.lock:
            if base_url not in self.made:
                while len(self.made) >= MAX_ADDRESSES:
                    del self.made[next(iter(self.made))]
                listed = partial(_listed, self.files, base_url)
                site = Site(self.documents, base_url, partial(file_of, layout=Layout.INDEX), listed, {})
                self.made[base_url] = PublishedPages(site)
            return self.made[base_url]


def _documents(publication: Publication) -> Documents:
    """Return the answers without an address, as they are signed: they are read once for all addresses."""
    return Documents({path: partial(_content, answer) for path, answer in mirrored_answers(publication)})


def _content(answer: Answer | bytes) -> bytes | None:
    if isinstance(answer, bytes):
        return answer
    try:
        return answer.ready("").content
    except ContentBroken:
        return None


def _listed(files: FileList, base_url: str) -> list[Mapping[str, Any]]:
    rows: list[Mapping[str, Any]] = json.loads(files.ready(base_url).content)["files"]
    return rows
