"""The routes of file operations."""

from dataclasses import dataclass

from falcon import Request, Response
from seqfacility_wire.requests import query_int, query_text, query_verbatim, read_json_object

from seqfacility_instance.access import guard
from seqfacility_instance.access.opened import open_order
from seqfacility_instance.core import limits
from seqfacility_instance.files import bodies
from seqfacility_instance.files.ranges import attachment
from seqfacility_instance.files.report_viewer import (
    CONNECTIONS,
    FRAMED_SANDBOX,
    SANDBOX,
    VIEWER_POLICY,
    viewer_page,
)
from seqfacility_instance.files.sending import NOT_KEPT, send_archive, send_by_nginx, send_file
from seqfacility_instance.files.service.archives import DeliveryArchives
from seqfacility_instance.files.service.assembly_list import Assemblies
from seqfacility_instance.files.service.checksums import Checksums
from seqfacility_instance.files.service.deletions import Deletions
from seqfacility_instance.files.service.downloads import Downloads
from seqfacility_instance.files.service.previews import Previews

PICTURE_OR_TEXT = "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'self'"
"""Nothing in it runs; a browser's own PDF viewer refuses a sandbox, and drawings carry their styles."""


@dataclass(frozen=True, slots=True)
class Download:
    """`/api/files/download`."""

    downloads: Downloads

    def on_get(self, req: Request, resp: Response) -> None:
        """Send one file. Spec: instance, File operations (download). Decision: G120, G121, G327."""
        caller = guard.signed_in(req)
        is_noted = not req.context.is_head
        opened = self.downloads.open(caller, query_verbatim(req, "path"), is_noted=is_noted)
        if opened.accel is None:
            send_file(req, resp, opened.file)
        else:
            send_by_nginx(req, resp, opened.file, opened.accel)
        resp.content_type = "application/octet-stream"
        resp.set_header("Content-Disposition", attachment(opened.name))
        if opened.data_class is not None:
            resp.set_header("X-Service-Read-Data-Class", opened.data_class)


@dataclass(frozen=True, slots=True)
class FilePreview:
    """`/api/files/preview`."""

    previews: Previews

    def on_get(self, req: Request, resp: Response) -> None:
        """Show one report. Spec: instance, File operations (preview). Decision: G123, G124, G412."""
        path = query_verbatim(req, "path") or ""
        preview = self.previews.open(guard.signed_in(req), path)
        is_html = preview.content_type.startswith("text/html")
        # Only browsers say what they want an answer for.
        wanted_for = req.get_header("Sec-Fetch-Dest")
        is_viewer = is_html and wanted_for == "document"
        if is_viewer:
            preview.close()
            resp.data = viewer_page(path)
            resp.set_header("Cache-Control", "private, no-store")
        elif preview.file is None:
            resp.data = preview.content
            resp.set_header("Cache-Control", "private, no-store")
        else:
            send_file(req, resp, preview.file)
        resp.content_type = preview.content_type
        resp.set_header("Content-Disposition", "inline")
        if is_viewer:
            resp.set_header("Content-Security-Policy", VIEWER_POLICY)
        elif is_html:
            resp.set_header("Content-Security-Policy", FRAMED_SANDBOX if wanted_for else SANDBOX)
            resp.set_headers(CONNECTIONS)
        else:
            resp.set_header("Content-Security-Policy", PICTURE_OR_TEXT)


@dataclass(frozen=True, slots=True)
class FileChecksums:
    """`/api/files/checksum`."""

    checksums: Checksums

    def on_post(self, req: Request, resp: Response) -> None:
        """Hash files. Spec: instance, File operations (checksum)."""
        results = self.checksums.compute(guard.facility_admin(req), read_json_object(req))
        resp.media = bodies.checksum_answer(results)


@dataclass(frozen=True, slots=True)
class FileDeletion:
    """`/api/files/delete`."""

    deletions: Deletions

    def on_post(self, req: Request, resp: Response) -> None:
        """Delete files. Spec: instance, File operations (delete). Decision: G126."""
        resp.media = self.deletions.delete(guard.facility_admin(req), read_json_object(req))


@dataclass(frozen=True, slots=True)
class AssemblyList:
    """`/api/assemblies`."""

    assemblies: Assemblies

    def on_get(self, req: Request, resp: Response) -> None:
        """List assemblies. Decision: G127."""
        limit = query_int(req, "limit", limits.PAGE_DEFAULT_LIMIT, 1, limits.PAGE_MAX_LIMIT)
        offset = query_int(req, "offset", 0, 0, 2**62)
        order_id, study_id = query_text(req, "orderId"), query_text(req, "studyId")
        found, total = self.assemblies.list(guard.signed_in(req), order_id, study_id, limit, offset)
        resp.media = {"assemblies": found, "total": total, "limit": limit, "offset": offset}


@dataclass(frozen=True, slots=True)
class DeliveryChecksums:
    """`/api/orders/{id}/sequencing/delivery/checksums.md5`."""

    archives: DeliveryArchives

    def on_get(self, req: Request, resp: Response, order_id: str) -> None:
        """List the checksums of a delivery; a header counts the files that are not listed.

        Decision: G85, G430.
        """
        resp.data, unlisted = self.archives.checksums(open_order(guard.signed_in(req), order_id))
        resp.content_type = "text/plain; charset=utf-8"
        resp.set_header("Content-Disposition", attachment("checksums.md5"))
        resp.set_header("Cache-Control", NOT_KEPT)
        resp.set_header("X-Service-Unlisted", str(unlisted))


@dataclass(frozen=True, slots=True)
class DeliveryManifest:
    """`/api/orders/{id}/sequencing/delivery/manifest.tsv`."""

    archives: DeliveryArchives

    def on_get(self, req: Request, resp: Response, order_id: str) -> None:
        """List the files of a delivery as a table. Decision: G435."""
        resp.data = self.archives.manifest(open_order(guard.signed_in(req), order_id))
        resp.content_type = "text/tab-separated-values; charset=utf-8"
        resp.set_header("Content-Disposition", attachment("manifest.tsv"))
        resp.set_header("Cache-Control", NOT_KEPT)


@dataclass(frozen=True, slots=True)
class DeliveryReport:
    """`/api/orders/{id}/sequencing/delivery/reports/{reportId}`."""

    archives: DeliveryArchives

    def on_get(self, req: Request, resp: Response, order_id: str, report_id: str) -> None:
        """Send one report of a selected run. Decision: G121, G490."""
        order = open_order(guard.signed_in(req), order_id)
        file, name = self.archives.report(order, report_id, is_noted=not req.context.is_head)
        send_file(req, resp, file)
        resp.content_type = "application/octet-stream"
        resp.set_header("Content-Disposition", attachment(name))


@dataclass(frozen=True, slots=True)
class DeliveryArchive:
    """`/api/orders/{id}/sequencing/delivery/archive.zip`."""

    archives: DeliveryArchives

    def on_get(self, req: Request, resp: Response, order_id: str) -> None:
        """Send a whole delivery, or the part of it that was asked for. Decision: G85, G121, G433."""
        order, is_noted = open_order(guard.signed_in(req), order_id), not req.context.is_head
        archive, facts, name = self.archives.archive(order, query_text(req, "state"), is_noted=is_noted)
        send_archive(req, resp, archive, facts)
        resp.content_type = "application/zip"
        resp.set_header("Content-Disposition", attachment(name))
