"""The sample endpoints."""

from dataclasses import dataclass

from falcon import Request, Response
from seqfacility_wire.paging import read_page
from seqfacility_wire.requests import query_flag, query_text, read_json_object

from seqfacility_instance.access import guard
from seqfacility_instance.access.opened import open_order, open_sample
from seqfacility_instance.core import limits
from seqfacility_instance.orders import sample_bodies as bodies
from seqfacility_instance.orders.problem_bodies import problems_in_refusal, row_problems
from seqfacility_instance.orders.sample_lists import SampleFilter
from seqfacility_instance.orders.sample_parts import read_part
from seqfacility_instance.orders.samples import Samples


@dataclass(frozen=True, slots=True)
class OrderSamples:
    """The sample table of an order."""

    samples: Samples

    def on_get(self, req: Request, resp: Response, order_id: str) -> None:
        """List the samples of an order, oldest first, with their states. Decision: G79, G539, G549."""
        order, part = open_order(guard.signed_in(req), order_id), read_part(req)
        table = self.samples.of_order(order, part)
        resp.media = {
            "samples": [bodies.plate_sample(one, table.states[one.sample.id]) for one in table.samples],
            "sampleset": bodies.sampleset_shape(table.sampleset),
            **({} if part is None else part.page.keys(table.total)),
        }

    def on_post(self, req: Request, resp: Response, order_id: str) -> None:
        """Create and update samples in one go, or try what that would do. Decision: G79, G461, G547, G589."""
        order = open_order(guard.signed_in(req), order_id)
        body = read_json_object(req, limits.LARGE_JSON_BODY_MAX_BYTES)
        is_short = query_text(req, "return") == "counts"
        if query_flag(req, "dryRun"):
            write = bodies.saved_rows if is_short else bodies.saved_table
            with problems_in_refusal():
                saved, check = self.samples.try_table(order, bodies.BulkSave.read(body))
            resp.media = {**write(saved), "problems": row_problems(check)}
        else:
            write = bodies.stored_rows if is_short else bodies.saved_table
            resp.media = write(self.samples.save_table(order, bodies.BulkSave.read(body)))


@dataclass(frozen=True, slots=True)
class SampleList:
    """Samples that the caller may see."""

    samples: Samples

    def on_get(self, req: Request, resp: Response) -> None:
        """List them, newest first. Decision: G80."""
        page = read_page(req)
        wanted = SampleFilter(
            unassigned=query_flag(req, "unassigned"),
            order_id=query_text(req, "orderId"),
            text=query_text(req, "q"),
        )
        found = self.samples.page(guard.signed_in(req), wanted, page.limit, page.offset)
        samples = [bodies.listed_sample(sample, found.order_fields) for sample in found.samples]
        resp.media = {"samples": samples, **page.keys(found.total)}


@dataclass(frozen=True, slots=True)
class OneSample:
    """One sample."""

    samples: Samples

    def on_get(self, req: Request, resp: Response, sample_id: str) -> None:
        """Return one sample with its order, study and reads. Decision: G80."""
        sample = open_sample(guard.signed_in(req), sample_id)
        resp.media = {"sample": bodies.whole_sample(*self.samples.show(sample))}

    def on_put(self, req: Request, resp: Response, sample_id: str) -> None:
        """Change what is sent. Decision: G9, G80, G461."""
        sample = open_sample(guard.signed_in(req), sample_id)
        save = bodies.SampleSave.read(read_json_object(req))
        saved, warnings = self.samples.save(sample, save)
        resp.media = {"sample": bodies.whole_sample(*saved), **bodies.save_warnings(warnings)}

    def on_delete(self, req: Request, resp: Response, sample_id: str) -> None:
        """Delete a sample. Decision: G80."""
        self.samples.delete(open_sample(guard.signed_in(req), sample_id))
        resp.media = {"success": True}
