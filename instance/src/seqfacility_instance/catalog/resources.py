"""The catalog endpoints."""

from dataclasses import dataclass
from typing import Final

from falcon import Request, Response
from seqfacility_wire.caching import send_ready
from seqfacility_wire.errors import NotFound
from seqfacility_wire.requests import read_json_object

from seqfacility_instance.access import guard
from seqfacility_instance.catalog import bodies
from seqfacility_instance.catalog.errors import ActionUnknown
from seqfacility_instance.catalog.rules import optional_sync_url
from seqfacility_instance.catalog.service import Catalogs
from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.catalog import CatalogAction
from seqfacility_instance.site.bodies import seen_state

IMAGE_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


@dataclass(frozen=True, slots=True)
class CatalogRead:
    """What may be selected, open to everybody."""

    catalogs: Catalogs

    def on_get(self, _req: Request, resp: Response) -> None:
        """Return what may be selected. Spec: registry, Instance: local catalog read."""
        resp.media = self.catalogs.read()


@dataclass(frozen=True, slots=True)
class Assets:
    """`/api/assets/{name}`: an image, by the digest of its content."""

    catalogs: Catalogs

    def on_get(self, req: Request, resp: Response, asset_name: str) -> None:
        """Send an image, which never changes; as a page it could run and load nothing.

        Decision: G529, G586.
        """
        image = self.catalogs.image(asset_name)
        if image is None:
            raise NotFound
        send_ready(req, resp, image)
        resp.set_header("Cache-Control", "public, max-age=31536000, immutable")
        resp.set_header("Content-Security-Policy", IMAGE_POLICY)


@dataclass(frozen=True, slots=True)
class CatalogAdministration:
    """The whole catalog, and its sync."""

    catalogs: Catalogs

    def on_get(self, req: Request, resp: Response) -> None:
        """Return the stored catalog unfiltered, with its state as `ETag`. Decision: G223, G1046."""
        stored = self.catalogs.show(guard.facility_admin(req))
        resp.etag = str(stored.state)
        resp.media = bodies.administration(
            stored,
            self.catalogs.standings(stored),
            self.catalogs.effective_sync_url(stored),
            is_stale=self.catalogs.is_stale(stored),
        )

    def on_put(self, req: Request, resp: Response) -> None:
        """Replace the catalog; with `If-Match`, only the state that the caller saw. Decision: G223, G1046."""
        caller = guard.live_facility_admin(req)
        seen = seen_state(req.if_match)
        stored = self.catalogs.save(caller, read_json_object(req, limits.LARGE_JSON_BODY_MAX_BYTES), seen)
        resp.media = {"success": True, "config": bodies.config(stored)}

    def on_post(self, req: Request, resp: Response) -> None:
        """Check, apply, or go back to the shipped catalog. Decision: G224."""
        caller = guard.live_facility_admin(req)
        body = read_json_object(req)
        match body.get("action"):
            case CatalogAction.CHECK_UPDATES.value:
                update = self.catalogs.check(optional_sync_url(body.get("syncUrl")))
                resp.media = bodies.update_shape(update)
            case CatalogAction.APPLY_UPDATES.value:
                update = self.catalogs.apply(caller, optional_sync_url(body.get("syncUrl")))
                applied = {"applied": update.applied, "config": bodies.config(update.stored)}
                resp.media = {**bodies.update_shape(update), **applied}
            case CatalogAction.RESET.value:
                resp.media = {"success": True, "config": bodies.config(self.catalogs.reset(caller))}
            case _:
                raise ActionUnknown
