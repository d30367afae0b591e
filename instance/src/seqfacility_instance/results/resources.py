"""Endpoints of outputs and read candidates."""

from dataclasses import dataclass

from falcon import HTTP_202, Request, Response
from seqfacility_wire.requests import read_json_object

from seqfacility_instance.access import guard
from seqfacility_instance.results import bodies
from seqfacility_instance.results.bodies import FilingRequest, PromotionRequest
from seqfacility_instance.results.service.filing import Filing
from seqfacility_instance.results.service.promotion import Promotion
from seqfacility_instance.results.service.resolution import Outputs


@dataclass(frozen=True, slots=True)
class RunOutputs:
    """The outputs of a run that has ended."""

    outputs: Outputs

    def on_post(self, req: Request, resp: Response, run_id: str) -> None:
        """Find and record them again. Spec: instance, Pipeline runs."""
        resolution = self.outputs.resolve_again(guard.live_facility_admin(req), run_id)
        resp.media = bodies.resolution_answer(resolution)


@dataclass(frozen=True, slots=True)
class ReadCandidates:
    """The read candidates of a run; `only_cleaning` is the narrower variant."""

    promotion: Promotion
    only_cleaning: bool = False

    def on_get(self, req: Request, resp: Response, run_id: str) -> None:
        """List them. Spec: instance, Pipeline runs, pending-writebacks and cleaned-reads."""
        pending = self.promotion.pending(guard.facility_admin(req), run_id, self.only_cleaning)
        resp.media = bodies.pending_answer(pending)

    def on_post(self, req: Request, resp: Response, run_id: str) -> None:
        """Promote them. Spec: instance, Pipeline runs, pending-writebacks and cleaned-reads."""
        caller = guard.live_facility_admin(req)
        self.promotion.pending(caller, run_id, self.only_cleaning)
        wanted = PromotionRequest.read(read_json_object(req))
        read_ids = self.promotion.promote(caller, run_id, wanted.sample_ids, self.only_cleaning)
        resp.media = bodies.promotion_answer(read_ids)


@dataclass(frozen=True, slots=True)
class SequencedReads:
    """The reads that a run made of a sequencing run."""

    filing: Filing

    def on_get(self, req: Request, resp: Response, run_id: str) -> None:
        """List them. Decision: G988."""
        resp.media = bodies.sequenced_answer(self.filing.show(guard.facility_admin(req), run_id))

    def on_post(self, req: Request, resp: Response, run_id: str) -> None:
        """Have them filed as reads of their samples. Decision: G988, G997."""
        caller = guard.live_facility_admin(req)
        self.filing.check(caller, run_id)
        wanted = FilingRequest.read(read_json_object(req))
        queued = self.filing.queue(caller, run_id, wanted.sample_ids, wanted.data_class)
        resp.status = HTTP_202
        resp.media = {"success": True, "queued": queued}
