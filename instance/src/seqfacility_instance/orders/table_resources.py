"""The endpoints of sample tables as files."""

from dataclasses import dataclass

from falcon import Request, Response
from seqfacility_wire.requests import query_flag, query_text

from seqfacility_instance.access import guard
from seqfacility_instance.access.opened import open_order
from seqfacility_instance.core import limits
from seqfacility_instance.orders.errors import SampleTableTooLarge
from seqfacility_instance.orders.sample_parts import read_words
from seqfacility_instance.orders.table_bodies import import_shape
from seqfacility_instance.orders.table_files import SampleTables, read_format
from seqfacility_instance.workbooks.multipart import read_file_part


@dataclass(frozen=True, slots=True)
class SampleTableExport:
    """The samples of an order as a file."""

    tables: SampleTables

    def on_get(self, req: Request, resp: Response, order_id: str) -> None:
        """Return the samples as a workbook or as CSV. Decision: G318, G617."""
        order = open_order(guard.signed_in(req), order_id)
        kind = read_format(query_text(req, "format"))
        resp.downloadable_as, resp.data = self.tables.export(order, kind, read_words(req))
        resp.content_type = kind.media_type


@dataclass(frozen=True, slots=True)
class SampleTableImport:
    """A file of samples for an order."""

    tables: SampleTables

    def on_post(self, req: Request, resp: Response, order_id: str) -> None:
        """Preview a table, or save it. Decision: G318."""
        order = open_order(guard.signed_in(req), order_id)
        kind = read_format(query_text(req, "format"))
        content = read_file_part(req, limits.SAMPLE_TABLE_MAX_BYTES, SampleTableTooLarge)
        work = self.tables.apply if query_flag(req, "apply") else self.tables.preview
        resp.media = import_shape(work(order, kind, content))
