"""The routes of sequencing runs and run plans."""

from dataclasses import dataclass

from falcon import Request, Response
from seqfacility_wire.requests import query_flag, query_text, read_json_object

from seqfacility_instance.access import guard
from seqfacility_instance.access.opened import open_order
from seqfacility_instance.core import limits
from seqfacility_instance.run_plans import bodies
from seqfacility_instance.run_plans.errors import WorkbookTooLarge
from seqfacility_instance.run_plans.service.checks import BarcodeChecks
from seqfacility_instance.run_plans.service.documents import Document, RunDocuments
from seqfacility_instance.run_plans.service.imports import RunPlanImports
from seqfacility_instance.run_plans.service.runs import SequencingRuns, open_run
from seqfacility_instance.workbooks.multipart import read_file_part


@dataclass(frozen=True, slots=True)
class RunPlanImport:
    """`/api/orders/{id}/sequencing/runs/import`."""

    imports: RunPlanImports

    def on_post(self, req: Request, resp: Response, order_id: str) -> None:
        """Preview or save a run plan. Spec: instance, Sequencing run-plan import. Decision: G208."""
        order = open_order(guard.live_facility_admin(req), order_id)
        workbook = read_file_part(req, limits.RUN_PLAN_MAX_BYTES, WorkbookTooLarge)
        if query_flag(req, "apply"):
            resp.media = bodies.applied_shape(*self.imports.apply(order, workbook))
        else:
            resp.media = bodies.preview_shape(self.imports.preview(order, workbook))


@dataclass(frozen=True, slots=True)
class RunPlanTemplate:
    """`/api/orders/{id}/sequencing/runs/template`."""

    documents: RunDocuments

    def on_get(self, req: Request, resp: Response, order_id: str) -> None:
        """Return a plan to fill in. Decision: G294."""
        _send(resp, self.documents.template(open_order(guard.facility_admin(req), order_id)))


@dataclass(frozen=True, slots=True)
class RunPlanCheck:
    """`/api/orders/{id}/sequencing/runs/check`."""

    checks: BarcodeChecks

    def on_post(self, req: Request, resp: Response, order_id: str) -> None:
        """Tell which barcodes are too alike, and which cycles stay dark. Decision: G676, G677."""
        order = open_order(guard.facility_admin(req), order_id)
        resp.media = bodies.check_shape(
            self.checks.check(order, bodies.PlanCheck.read(read_json_object(req)))
        )


@dataclass(frozen=True, slots=True)
class BarcodeSets:
    """`/api/sequencing/barcode-sets`."""

    checks: BarcodeChecks

    def on_get(self, req: Request, resp: Response) -> None:
        """List the sets of barcodes that the catalog knows. Decision: G678."""
        guard.facility_admin(req)
        resp.media = bodies.barcode_sets_shape(self.checks.sets())


@dataclass(frozen=True, slots=True)
class OrderRuns:
    """`/api/orders/{id}/sequencing/runs`."""

    runs: SequencingRuns

    def on_get(self, req: Request, resp: Response, order_id: str) -> None:
        """List the runs. Decision: G87, G269."""
        runs = self.runs.list_runs(open_order(guard.facility_admin(req), order_id))
        resp.media = {"runs": [bodies.run_shape(run, counts) for run, counts in runs]}

    def on_post(self, req: Request, resp: Response, order_id: str) -> None:
        """Make a run. Decision: G87, G269."""
        order = open_order(guard.live_facility_admin(req), order_id)
        save = bodies.NewRun.read(read_json_object(req))
        resp.media = {"run": bodies.run_shape(*self.runs.create(order, save))}
        resp.status = 201


@dataclass(frozen=True, slots=True)
class OneRun:
    """`/api/orders/{id}/sequencing/runs/{runId}`."""

    runs: SequencingRuns

    def on_patch(self, req: Request, resp: Response, order_id: str, run_id: str) -> None:
        """Change what is sent. Decision: G9, G269."""
        run = open_run(open_order(guard.live_facility_admin(req), order_id), run_id)
        save = bodies.RunSave.read(read_json_object(req))
        resp.media = {"run": bodies.run_shape(*self.runs.save(run, save))}

    def on_delete(self, req: Request, resp: Response, order_id: str, run_id: str) -> None:
        """Delete a run with its assignments. Decision: G88."""
        self.runs.delete(open_run(open_order(guard.live_facility_admin(req), order_id), run_id))
        resp.media = {"success": True}


@dataclass(frozen=True, slots=True)
class RunAssignments:
    """`/api/orders/{id}/sequencing/runs/{runId}/samples`."""

    runs: SequencingRuns

    def on_get(self, req: Request, resp: Response, order_id: str, run_id: str) -> None:
        """List the places in the run. Decision: G89."""
        run = open_run(open_order(guard.facility_admin(req), order_id), run_id)
        resp.media = bodies.assignments_shape(*self.runs.assignments(run))

    def on_post(self, req: Request, resp: Response, order_id: str, run_id: str) -> None:
        """Write places in the run. Decision: G89."""
        run = open_run(open_order(guard.live_facility_admin(req), order_id), run_id)
        save = bodies.AssignmentsSave.read(read_json_object(req))
        resp.media = bodies.assignments_shape(*self.runs.save_assignments(run, save))


@dataclass(frozen=True, slots=True)
class RunExport:
    """`/api/orders/{id}/sequencing/runs/{runId}/export`."""

    documents: RunDocuments

    def on_get(self, req: Request, resp: Response, order_id: str, run_id: str) -> None:
        """Return the run as a workbook. Decision: G88."""
        run = open_run(open_order(guard.facility_admin(req), order_id), run_id)
        _send(resp, self.documents.export(run))


@dataclass(frozen=True, slots=True)
class RunSampleSheet:
    """`/api/orders/{id}/sequencing/runs/{runId}/sample-sheet`."""

    documents: RunDocuments

    def on_get(self, req: Request, resp: Response, order_id: str, run_id: str) -> None:
        """Return the sample sheet of an instrument. Decision: G295."""
        run = open_run(open_order(guard.facility_admin(req), order_id), run_id)
        _send(resp, self.documents.sample_sheet(run, query_text(req, "format")))


@dataclass(frozen=True, slots=True)
class RunSampleSheetPreview:
    """`/api/orders/{id}/sequencing/runs/{runId}/sample-sheet/preview`."""

    documents: RunDocuments

    def on_get(self, req: Request, resp: Response, order_id: str, run_id: str) -> None:
        """Show a sample sheet, and what the instrument would refuse in it. Decision: G679."""
        run = open_run(open_order(guard.facility_admin(req), order_id), run_id)
        sheet = self.documents.written_sheet(run, query_text(req, "format"))
        resp.media = {"text": sheet.text, "problems": sheet.problems}


def _send(resp: Response, document: Document) -> None:
    resp.content_type = document.media_type
    resp.downloadable_as = document.name
    resp.data = document.content
