"""Health, drawings, and what the service says of itself, over HTTP."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from threading import Lock

from falcon import MEDIA_JSON, Request, Response
from seqfacility_wire.api_docs.resources import REVALIDATED
from seqfacility_wire.caching import ReadyDocument
from seqfacility_wire.errors import NotFound
from seqfacility_wire.throttle import AttemptsInMemory, Limit

from seqfacility_registry.answers import MAX_ADDRESSES, Answer, ContentBroken, json_bytes
from seqfacility_registry.content_folder import ContentFolder, Publication
from seqfacility_registry.errors import ServiceBusy
from seqfacility_registry.links import Links
from seqfacility_registry.publishing import NOT_CACHED, PUBLIC_DOCUMENT, SANDBOX, publish
from seqfacility_registry.site.openapi import Described, describe
from seqfacility_registry.static_answers import HEALTHY, mirrored_answers
from seqfacility_registry.web_root import Layout, file_list, file_of

NEW_ADDRESSES = Limit(MAX_ADDRESSES, timedelta(minutes=1))
"""The list of files is made for so many addresses; one takes a tenth of a second."""

_ANYBODY = ("",)


class Health:
    """Whether the service answers."""

    def on_get(self, _req: Request, resp: Response) -> None:
        """Say that the service answers. Decision: G232."""
        resp.content_type = MEDIA_JSON
        resp.data = HEALTHY
        resp.set_header("Cache-Control", NOT_CACHED)


@dataclass(frozen=True, slots=True)
class Image:
    """One drawing of the catalog or of a checklist."""

    content: ContentFolder

    def on_get(self, req: Request, resp: Response, shelf: str, name: str) -> None:
        """Return a drawing. Spec: registry, Catalog sync source: relative `icon` and `image` paths."""
        image = self.content.current().images.find(f"{shelf}/{name}")
        if image is None:
            raise NotFound
        resp.set_header("Content-Security-Policy", SANDBOX)
        publish(req, resp, image, PUBLIC_DOCUMENT)


class FileList:
    """What a mirror of files has, so that whoever copies knows what is missing and what is damaged.

    It has the digest of every answer at the address of the request, so for another `Host` all are made anew.
    """

    def __init__(
        self, content: ContentFolder, links: Links, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._content = content
        self._links = links
        self._clock = clock
        self._made: tuple[Publication, Answer, AttemptsInMemory] | None = None
        self._lock = Lock()

    def on_get(self, req: Request, resp: Response) -> None:
        """List the files that an export for the address of this request has. Decision: G961."""
        publish(req, resp, self.ready(self._links.base_url(req)), PUBLIC_DOCUMENT)

    def ready(self, base_url: str) -> ReadyDocument:
        """Return the list; raises `ServiceBusy` when it was made for too many addresses. Decision: G937."""
        publication, now = self._content.current(), self._clock()
        # WHY: pages are rendered in threads, and the page of all files reads this list.
        with self._lock:
            if self._made is None or self._made[0] is not publication:
                attempts = AttemptsInMemory(NEW_ADDRESSES, 1)
                self._made = (publication, _file_list(publication), attempts)
            _publication, answer, attempts = self._made
            if not answer.is_prepared(base_url):
                if attempts.wait_seconds(_ANYBODY, now):
                    raise ServiceBusy
                attempts.count(_ANYBODY, now)
        return answer.ready(base_url)


def _file_list(publication: Publication) -> Answer:
    """Make the list; a broken answer is left out, as it is nowhere to be had."""

    def make(base_url: str) -> Mapping[str, object]:
        found = {}
        for path, answer in mirrored_answers(publication):
            try:
                content = answer.ready(base_url).content if isinstance(answer, Answer) else answer
            except ContentBroken:
                continue
            found[file_of(path, Layout.INDEX)] = content
        return file_list(found)

    return Answer("files", "registry/files", make, linked=True)


class OpenApi:
    """The description of the service."""

    def __init__(self, list_routes: Callable[[], Iterable[Described]]) -> None:
        self._list_routes = list_routes
        self._document: ReadyDocument | None = None

    def on_get(self, req: Request, resp: Response) -> None:
        """Describe every route. Decision: G363."""
        if self._document is None:
            self._document = ReadyDocument.of(json_bytes(describe(self._list_routes())))
        publish(req, resp, self._document, REVALIDATED)
