"""The pages over HTTP: every path outside the APIs, the images and the server configurations."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from typing import Any, Final

from falcon import Request, Response
from seqfacility_wire.api_docs.resources import REVALIDATED
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

PAGE_PATHS: Final = re.compile(r"/(?!(?:api|ga4gh|images|server)(?:/|\Z))")
METHODS: Final = "GET, HEAD, OPTIONS"
MAX_CACHED_ADDRESSES: Final = 2
"""Pages are cached for this many addresses of the service: each takes some megabytes."""


def may_be_a_page(path: str) -> bool:
    """Return whether the path of a request is answered by `Pages`."""
    return PAGE_PATHS.match(path) is not None


class PublishedPages:
    """The pages of one publication at one address, each rendered once, at its first use."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._ready: dict[str, ReadyDocument] = {}

    def find(self, path: str) -> str | None:
        """Return the file that answers a path; None without one."""
        return self._site.find(path)

    def ready(self, file: str) -> ReadyDocument:
        """Return a file, rendered at its first use."""
        if file not in self._ready:
            media_type = MEDIA_TYPES[file.rpartition(".")[2]]
            self._ready[file] = ReadyDocument.of(self._site.content(file), media_type)
        return self._ready[file]


class Pages:
    """Serves the pages. A sink, because the route table describes the API alone. Decision: G1002."""

    def __init__(self, content: ContentFolder, links: Links, files: FileList) -> None:
        self._content = content
        self._links = links
        self._files = files
        self._cache: _PageCache | None = None
        # WHY: a page repeats the address of the service. Unless it is configured, that is the `Host` of the
        # request, and a shared cache that ignores `Host` would give it to others, who copy commands.
        self._cache_control = REVALIDATED if links.public_url is None else PUBLIC_DOCUMENT

    def __call__(self, req: Request, resp: Response, **_groups: object) -> None:
        """Answer with a page or a static file; 404 with a page that says so."""
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
            publish(req, resp, pages.ready(file), self._cache_control)
            return
        missing = pages.ready(NOT_FOUND_PAGE)
        resp.status = 404 if file is None else 200
        resp.content_type = missing.media_type
        resp.data = missing.content
        resp.set_header("Cache-Control", NOT_CACHED)

    def _pages(self, base_url: str) -> PublishedPages:
        publication = self._content.current()
        # WHY: a local reference, since another thread may replace the cache at any time.
        cache = self._cache
        if cache is None or cache.publication is not publication:
            cache = self._cache = _PageCache(publication, _documents(publication), self._files)
        return cache.at(base_url)


@dataclass(frozen=True, slots=True)
class _PageCache:
    """The pages of one publication, for the addresses that were added last."""

    publication: Publication
    documents: Documents
    files: FileList
    by_address: dict[str, PublishedPages] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def at(self, base_url: str) -> PublishedPages:
        with self.lock:
            if base_url not in self.by_address:
                while len(self.by_address) >= MAX_CACHED_ADDRESSES:
                    del self.by_address[next(iter(self.by_address))]
                list_files = partial(_listed_files, self.files, base_url)
                site = Site(self.documents, base_url, partial(file_of, layout=Layout.INDEX), list_files, {})
                self.by_address[base_url] = PublishedPages(site)
            return self.by_address[base_url]


def _documents(publication: Publication) -> Documents:
    """Return the answers without an address, as they are signed, so that all addresses share them."""
    return Documents({path: partial(_content, answer) for path, answer in mirrored_answers(publication)})


def _content(answer: Answer | bytes) -> bytes | None:
    if isinstance(answer, bytes):
        return answer
    try:
        return answer.ready("").content
    except ContentBroken:
        return None


def _listed_files(files: FileList, base_url: str) -> list[Mapping[str, Any]]:
    rows: list[Mapping[str, Any]] = json.loads(files.ready(base_url).content)["files"]
    return rows
