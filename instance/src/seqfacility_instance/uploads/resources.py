"""The routes of upload sessions."""

from dataclasses import dataclass

from falcon import Request, Response
from seqfacility_wire.requests import query_text, read_json_object

from seqfacility_instance.access import guard
from seqfacility_instance.access.opened import open_order
from seqfacility_instance.uploads import bodies
from seqfacility_instance.uploads.body_source import body_source
from seqfacility_instance.uploads.plan_bodies import BODY_LIMIT_BYTES
from seqfacility_instance.uploads.service.chunks import UploadChunks
from seqfacility_instance.uploads.service.completion import UploadCompletion
from seqfacility_instance.uploads.service.planning import UploadPlans
from seqfacility_instance.uploads.service.sessions import UploadSessions


@dataclass(frozen=True, slots=True)
class OrderUploads:
    """`/api/orders/{id}/sequencing/uploads`."""

    sessions: UploadSessions

    def on_post(self, req: Request, resp: Response, order_id: str) -> None:
        """Open a session. Spec: instance, Sequencing uploads, Initiate."""
        order = open_order(guard.live_facility_admin(req), order_id)
        upload = self.sessions.initiate(order, read_json_object(req))
        resp.media = bodies.initiated(upload)

    def on_get(self, req: Request, resp: Response, order_id: str) -> None:
        """List the sessions. Decision: G100."""
        order = open_order(guard.facility_admin(req), order_id)
        resp.media = self.sessions.list(order, query_text(req, "status"))


@dataclass(frozen=True, slots=True)
class OrderUploadPlan:
    """`/api/orders/{id}/sequencing/uploads/plan`."""

    plans: UploadPlans

    def on_post(self, req: Request, resp: Response, order_id: str) -> None:
        """Say what becomes of some files; nothing is changed. Decision: G635."""
        order = open_order(guard.live_facility_admin(req), order_id)
        resp.media = self.plans.plan(order, read_json_object(req, BODY_LIMIT_BYTES))


@dataclass(frozen=True, slots=True)
class UploadSession:
    """`/api/orders/{id}/sequencing/uploads/{uploadId}`."""

    sessions: UploadSessions
    chunks: UploadChunks

    def on_get(self, req: Request, resp: Response, order_id: str, upload_id: str) -> None:
        """Show a session. Decision: G100, G101."""
        resp.media = self.sessions.get(open_order(guard.facility_admin(req), order_id), upload_id)

    def on_patch(self, req: Request, resp: Response, order_id: str, upload_id: str) -> None:
        """Append one chunk. Spec: instance, Sequencing uploads, Chunk."""
        caller = guard.live_facility_admin(req)
        offset = req.get_header("x-service-offset")
        upload = self.chunks.append(caller, order_id, upload_id, offset, body_source(req.env))
        resp.media = bodies.progress(upload)

    def on_delete(self, req: Request, resp: Response, order_id: str, upload_id: str) -> None:
        """Abandon a session. Spec: instance, Sequencing uploads, Abandon."""
        self.sessions.abandon(open_order(guard.live_facility_admin(req), order_id), upload_id)
        resp.media = bodies.cancelled(upload_id)


@dataclass(frozen=True, slots=True)
class CompletedUpload:
    """`/api/orders/{id}/sequencing/uploads/{uploadId}/complete`."""

    completion: UploadCompletion

    def on_post(self, req: Request, resp: Response, order_id: str, upload_id: str) -> None:
        """Complete a session. Spec: instance, Sequencing uploads, Complete."""
        order = open_order(guard.live_facility_admin(req), order_id)
        upload = self.completion.complete(order, upload_id, read_json_object(req))
        resp.media = bodies.completed(upload)
