"""The routes of file operations."""

from dataclasses import dataclass

from falcon import Request, Response
from seqfacility_wire.requests import query_text

from seqfacility_instance.access import guard
from seqfacility_instance.files.ranges import attachment
from seqfacility_instance.files.sending import send_file
from seqfacility_instance.files.service.downloads import Downloads


@dataclass(frozen=True, slots=True)
class Download:
    """`/api/files/download`."""

    downloads: Downloads

    def on_get(self, req: Request, resp: Response) -> None:
        """Send one file. Spec: instance, File operations (download). Gap: G120, G121."""
        caller = guard.signed_in(req)
        is_noted = not req.context.is_head
        opened = self.downloads.open(caller, query_text(req, "path"), is_noted=is_noted)
        send_file(req, resp, opened.file)
        resp.content_type = "application/octet-stream"
        resp.set_header("Content-Disposition", attachment(opened.name))
        if opened.data_class is not None:
            resp.set_header("X-Service-Read-Data-Class", opened.data_class)
