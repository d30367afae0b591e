"""The routes of delivery links: those of the order, and what a link opens."""

from dataclasses import dataclass
from urllib.parse import quote

from falcon import HTTP_201, HTTP_308, Request, Response
from seqfacility_wire.requests import read_json_object
from seqfacility_wire.timestamps import format_time

from seqfacility_instance.access import guard
from seqfacility_instance.access.opened import open_order
from seqfacility_instance.delivery_links import bodies, rules
from seqfacility_instance.delivery_links.rules import ListedFile
from seqfacility_instance.delivery_links.service import DeliveryLinks, LinkedDelivery
from seqfacility_instance.files.ranges import attachment
from seqfacility_instance.files.sending import NOT_KEPT, send_archive, send_by_nginx, send_file
from seqfacility_instance.files.service.archives import checksum_list, manifest_table
from seqfacility_instance.reads.delivery import ArchivedFile

NOT_INDEXED = "noindex, nofollow"
_HTML = "text/html; charset=utf-8"
_TEXT = "text/plain; charset=utf-8"


@dataclass(frozen=True, slots=True)
class OrderLinks:
    """`/api/orders/{id}/delivery/links`."""

    links: DeliveryLinks
    public_url: str | None

    def on_get(self, req: Request, resp: Response, order_id: str) -> None:
        """List the links of an order. Decision: G527."""
        order = open_order(guard.signed_in(req), order_id)
        resp.media = {"links": [bodies.link_shape(link) for link in self.links.list_all(order)]}

    def on_post(self, req: Request, resp: Response, order_id: str) -> None:
        """Make a link; its address is told here and never again. Decision: G527."""
        order = open_order(guard.signed_in(req), order_id)
        link, token = self.links.make(order, bodies.NewLink.read(read_json_object(req)).days)
        resp.status = HTTP_201
        resp.media = {"link": bodies.link_shape(link), "url": _base(req, self.public_url, token)}


@dataclass(frozen=True, slots=True)
class OneOrderLink:
    """`/api/orders/{id}/delivery/links/{linkId}`."""

    links: DeliveryLinks

    def on_delete(self, req: Request, resp: Response, order_id: str, link_id: str) -> None:
        """Revoke a link. Decision: G527."""
        self.links.revoke(open_order(guard.signed_in(req), order_id), link_id)
        resp.media = {"success": True}


@dataclass(frozen=True, slots=True)
class LinkPage:
    """`/d/{token}/`: what a link opens, as a page."""

    links: DeliveryLinks

    def on_get(self, req: Request, resp: Response, token: str) -> None:
        """Show the lists and the files. Decision: G528."""
        delivery = _opened(self.links, req, resp, token)
        expires_at = format_time(delivery.link.expires_at)
        listed = _listed(self.links.listing(delivery))
        _send_text(resp, rules.start_page(delivery.order_number, expires_at, listed), _HTML)


class LinkWithoutSlash:
    """`/d/{token}`: an address whose slash was lost on its way."""

    def on_get(self, _req: Request, resp: Response, token: str) -> None:
        """Lead to the page, beneath which relative addresses are read. Decision: G585."""
        resp.status = HTTP_308
        resp.set_header("Location", f"/d/{quote(token, safe='')}/")
        resp.set_header("X-Robots-Tag", NOT_INDEXED)
        resp.set_header("Cache-Control", NOT_KEPT)


@dataclass(frozen=True, slots=True)
class LinkFolder:
    """`/d/{token}/files/`: all files in one folder."""

    links: DeliveryLinks

    def on_get(self, req: Request, resp: Response, token: str) -> None:
        """Show the files, for tools that copy a folder. Decision: G528."""
        delivery = _opened(self.links, req, resp, token)
        listed = _listed(self.links.listing(delivery))
        _send_text(resp, rules.folder_page(delivery.order_number, listed), _HTML)


@dataclass(frozen=True, slots=True)
class LinkList:
    """`/d/{token}/{list}`: one of the lists for tools."""

    links: DeliveryLinks
    public_url: str | None
    name: str

    def on_get(self, req: Request, resp: Response, token: str) -> None:
        """Send a list of the files. Decision: G528."""
        delivery = _opened(self.links, req, resp, token)
        files = self.links.listing(delivery)
        base = _base(req, self.public_url, token)
        match self.name:
            case rules.WGET:
                _send_text(resp, rules.url_list(base, _listed(files)), _TEXT)
            case rules.ARIA2:
                _send_text(resp, rules.aria2_list(base, _listed(files)), _TEXT)
            case rules.MANIFEST:
                table = manifest_table(files)
                _send_text(resp, table.decode(), "text/tab-separated-values; charset=utf-8")
            case _:
                lines, unlisted = checksum_list(files)
                _send_text(resp, lines.decode(), _TEXT)
                resp.set_header("X-Service-Unlisted", str(unlisted))
        resp.set_header("Content-Disposition", attachment(self.name))


@dataclass(frozen=True, slots=True)
class LinkArchive:
    """`/d/{token}/archive.zip`."""

    links: DeliveryLinks

    def on_get(self, req: Request, resp: Response, token: str) -> None:
        """Send all files as one archive, or a part of it. Decision: G121, G528."""
        delivery = _opened(self.links, req, resp, token)
        is_head = req.context.is_head
        is_part = is_head or req.get_header("Range") is not None
        archive, facts = self.links.archive(delivery, is_part=is_part, is_head=is_head)
        send_archive(req, resp, archive, facts)
        resp.content_type = "application/zip"
        resp.set_header("Content-Disposition", attachment(f"{delivery.order_number}.zip"))


@dataclass(frozen=True, slots=True)
class LinkFile:
    """`/d/{token}/files/{name}`."""

    links: DeliveryLinks

    def on_get(self, req: Request, resp: Response, token: str, file_name: str) -> None:
        """Send one file, or a part of it. Decision: G121, G327, G528."""
        delivery = _opened(self.links, req, resp, token)
        opened = self.links.file(delivery, file_name, is_head=req.context.is_head)
        if opened.accel is None:
            send_file(req, resp, opened.file)
        else:
            send_by_nginx(req, resp, opened.file, opened.accel)
        resp.content_type = "application/octet-stream"
        resp.set_header("Content-Disposition", attachment(opened.name))


def _opened(links: DeliveryLinks, req: Request, resp: Response, token: str) -> LinkedDelivery:
    resp.set_header("X-Robots-Tag", NOT_INDEXED)
    return links.open(token, guard.address(req))


def _base(req: Request, public_url: str | None, token: str) -> str:
    """Return the address of a link, which ends in a slash: relative ones are read beneath it."""
    return f"{(public_url or req.prefix).rstrip('/')}/d/{token}/"


def _listed(files: list[ArchivedFile]) -> list[ListedFile]:
    return [ListedFile(one.name, one.file.content.state.size, one.file.content.md5) for one in files]


def _send_text(resp: Response, text: str, content_type: str) -> None:
    resp.data = text.encode()
    resp.content_type = content_type
    resp.set_header("Cache-Control", NOT_KEPT)
