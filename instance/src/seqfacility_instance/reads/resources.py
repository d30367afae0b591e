"""The routes of an order's sequencing data: page, reads, artifacts, delivery."""

from dataclasses import dataclass

from falcon import Request, Response
from seqfacility_wire.paging import read_numbered_page
from seqfacility_wire.requests import query_flag, query_text, read_json_object

from seqfacility_instance.access import guard
from seqfacility_instance.access.opened import open_order
from seqfacility_instance.orders.sample_parts import read_words
from seqfacility_instance.reads.bodies import artifact_shape, read_shape
from seqfacility_instance.reads.history_bodies import folder_shape, history_shape
from seqfacility_instance.reads.page_bodies import delivery_shape, page_shape
from seqfacility_instance.reads.service.changes import ReadChanges, open_artifact
from seqfacility_instance.reads.service.deliveries import Deliveries
from seqfacility_instance.reads.service.files_on_disk import FilesOnDisk
from seqfacility_instance.reads.service.history import ReadHistory
from seqfacility_instance.reads.service.linking import ReadLinking
from seqfacility_instance.reads.service.page import PagePart, SequencingPage


@dataclass(frozen=True, slots=True)
class OrderSequencing:
    """`/api/orders/{id}/sequencing`."""

    page: SequencingPage

    def on_get(self, req: Request, resp: Response, order_id: str) -> None:
        """Show the page. Decision: G86, G549, G752."""
        order, part = open_order(guard.facility_admin(req), order_id), _read_part(req)
        resp.media = page_shape(self.page.show(order, part), None if part is None else part.page)


def _read_part(req: Request) -> PagePart | None:
    """Read which part is asked for; None for all samples, as without a parameter. Decision: G549, G752."""
    page = read_numbered_page(req, "q", "state", "md5", "dataClass")
    if page is None:
        return None
    return PagePart(page, read_words(req), query_text(req, "md5"), query_text(req, "dataClass"))


@dataclass(frozen=True, slots=True)
class OrderFilesOnDisk:
    """`/api/orders/{id}/sequencing/files-on-disk`."""

    files: FilesOnDisk

    def on_get(self, req: Request, resp: Response, order_id: str) -> None:
        """List what may be linked. Decision: G750."""
        order = open_order(guard.live_facility_admin(req), order_id)
        found = self.files.list(order, query_text(req, "folder"), below=query_flag(req, "below"))
        resp.media = folder_shape(found)


@dataclass(frozen=True, slots=True)
class OrderReads:
    """`/api/orders/{id}/sequencing/reads`."""

    linking: ReadLinking
    changes: ReadChanges
    history: ReadHistory

    def on_get(self, req: Request, resp: Response, order_id: str) -> None:
        """Show the reads of a sample and where each came from. Decision: G751."""
        order = open_order(guard.facility_admin(req), order_id)
        resp.media = history_shape(self.history.show(order, query_text(req, "sampleId") or ""))

    def on_put(self, req: Request, resp: Response, order_id: str) -> None:
        """Link files on disk. Decision: G114."""
        order = open_order(guard.live_facility_admin(req), order_id)
        reads = self.linking.link(order, read_json_object(req))
        resp.media = {"success": True, "reads": [read_shape(read, order.row.platform) for read in reads]}

    def on_patch(self, req: Request, resp: Response, order_id: str) -> None:
        """Change one read. Decision: G115."""
        order = open_order(guard.live_facility_admin(req), order_id)
        read = self.changes.change_read(order, read_json_object(req))
        resp.media = {"read": read_shape(read, order.row.platform)}


@dataclass(frozen=True, slots=True)
class OrderArtifacts:
    """`/api/orders/{id}/sequencing/artifacts`."""

    changes: ReadChanges

    def on_get(self, req: Request, resp: Response, order_id: str) -> None:
        """List the artifacts. Decision: G117."""
        order = open_order(guard.facility_admin(req), order_id)
        is_published = order.row.sequencing_files_published_at is not None
        found = self.changes.list_artifacts(order)
        resp.media = {"artifacts": [artifact_shape(one, is_published=is_published) for one in found]}


@dataclass(frozen=True, slots=True)
class OneArtifact:
    """`/api/orders/{id}/sequencing/artifacts/{artifactId}`."""

    changes: ReadChanges

    def on_patch(self, req: Request, resp: Response, order_id: str, artifact_id: str) -> None:
        """Change one artifact. Decision: G117."""
        order = open_order(guard.live_facility_admin(req), order_id)
        artifact = open_artifact(order, artifact_id)
        changed = self.changes.change_artifact(order, artifact, read_json_object(req))
        is_published = order.row.sequencing_files_published_at is not None
        resp.media = {"artifact": artifact_shape(changed, is_published=is_published)}


@dataclass(frozen=True, slots=True)
class OrderDelivery:
    """`/api/orders/{id}/sequencing/delivery`."""

    deliveries: Deliveries

    def on_get(self, req: Request, resp: Response, order_id: str) -> None:
        """Show the delivery. Decision: G85."""
        delivery = self.deliveries.show(open_order(guard.signed_in(req), order_id))
        resp.media = {"delivery": delivery_shape(delivery)}


@dataclass(frozen=True, slots=True)
class Publication:
    """`/api/orders/{id}/sequencing/delivery/publication`."""

    deliveries: Deliveries

    def on_put(self, req: Request, resp: Response, order_id: str) -> None:
        """Publish. Decision: G84."""
        delivery = self.deliveries.publish(open_order(guard.live_facility_admin(req), order_id))
        resp.media = {"delivery": delivery_shape(delivery)}

    def on_delete(self, req: Request, resp: Response, order_id: str) -> None:
        """Withdraw. Decision: G84."""
        delivery = self.deliveries.withdraw(open_order(guard.live_facility_admin(req), order_id))
        resp.media = {"delivery": delivery_shape(delivery)}
