"""The release feed over HTTP."""

from dataclasses import dataclass

from falcon import MEDIA_JSON, Request, Response
from seqfacility_wire.requests import query_text

from seqfacility_registry.answers import json_bytes
from seqfacility_registry.content_folder import ContentFolder
from seqfacility_registry.publishing import NOT_CACHED, PUBLIC_DOCUMENT, publish
from seqfacility_registry.releases.content import DEFAULT_CHANNEL
from seqfacility_registry.releases.errors import NoReleases
from seqfacility_registry.releases.rules import release_answer


@dataclass(frozen=True, slots=True)
class ReleaseFeed:
    """The newest release of a channel."""

    content: ContentFolder

    def on_get(self, req: Request, resp: Response) -> None:
        """Tell the newest release, and whether it is newer than `current`. Spec: registry, Release feed."""
        name = query_text(req, "channel") or DEFAULT_CHANNEL
        channel = self.content.current().releases.channels.get(name)
        if channel is None or channel.is_empty:
            raise NoReleases
        sound = channel.static.ready("")
        latest, current = channel.latest(), query_text(req, "current")
        assert latest is not None
        resp.content_type = MEDIA_JSON
        resp.data = sound.content if current is None else json_bytes(release_answer(latest, current))
        resp.set_header("Cache-Control", NOT_CACHED)


@dataclass(frozen=True, slots=True)
class AllReleases:
    """Every release of all channels."""

    content: ContentFolder

    def on_get(self, req: Request, resp: Response) -> None:
        """Return every release, newest first. Decision: G1009."""
        publish(req, resp, self.content.current().releases.all.ready(""), PUBLIC_DOCUMENT)
