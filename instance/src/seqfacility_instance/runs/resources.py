"""Endpoints of pipeline runs."""

from dataclasses import dataclass

from falcon import HTTP_201, Request, Response
from seqfacility_wire.errors import InvalidJson, JsonNotAnObject
from seqfacility_wire.paging import read_page
from seqfacility_wire.requests import (
    parse_json_object,
    query_flag,
    query_int,
    query_text,
    read_body,
    read_integer,
    read_json_object,
)

from seqfacility_instance.access import guard
from seqfacility_instance.core import limits
from seqfacility_instance.runs.bodies import answers, details, evidence, items, options
from seqfacility_instance.runs.rules.requests import read_statuses, read_target, read_task_cursor
from seqfacility_instance.runs.rules.tokens import offered_token
from seqfacility_instance.runs.service.cancel import RunCancellation
from seqfacility_instance.runs.service.create import RunCreation
from seqfacility_instance.runs.service.events import WeblogIngest
from seqfacility_instance.runs.service.options import RunOptions
from seqfacility_instance.runs.service.select import RunSelection
from seqfacility_instance.runs.service.show import RunReading
from seqfacility_instance.runs.service.start import RunStarting
from seqfacility_instance.runs.service.sync import RunSync
from seqfacility_instance.runs.store.listing import RunFilter

_ANY_ADDRESS = frozenset({"0.0.0.0", "::", ""})  # noqa: S104  # compared with, never bound


@dataclass(frozen=True, slots=True)
class RunList:
    """All runs that the caller may see; making one."""

    reading: RunReading
    creation: RunCreation

    def on_get(self, req: Request, resp: Response) -> None:
        """List runs. Spec: instance, Pipeline runs. Decision: G157, G725, G933."""
        caller, page = guard.signed_in(req), read_page(req)
        wanted = RunFilter(
            pipeline_id=query_text(req, "pipelineId"),
            pipeline_version=query_text(req, "pipelineVersion"),
            statuses=read_statuses(query_text(req, "status")),
            study_id=query_text(req, "studyId"),
            order_id=query_text(req, "orderId"),
            selected_only=asks_for_selected(req),
            text=query_text(req, "q"),
        )
        found = self.reading.list_runs(caller, wanted, page)
        shown = items.run_items(caller, found.runs, found.extras, found.labels)
        resp.media = {"runs": shown, **page.keys(found.total)}

    def on_post(self, req: Request, resp: Response) -> None:
        """Make a run. Spec: instance, Pipeline runs."""
        caller = guard.facility_admin(req)
        resp.media = {
            "success": True,
            "run": answers.created_run(self.creation.create(caller, read_json_object(req))),
        }


@dataclass(frozen=True, slots=True)
class RunValidation:
    """What making a run would answer."""

    creation: RunCreation

    def on_post(self, req: Request, resp: Response) -> None:
        """Check a request without storing anything. Decision: G150."""
        caller = guard.facility_admin(req)
        resp.media = answers.dry_run(self.creation.validate(caller, read_json_object(req)))


@dataclass(frozen=True, slots=True)
class RunChoices:
    """What a run of a pipeline could be made of."""

    options: RunOptions

    def on_get(self, req: Request, resp: Response, pipeline_id: str) -> None:
        """Tell it, for an order or a study. Decision: G770."""
        caller = guard.facility_admin(req)
        target = read_target(query_text(req, "studyId"), query_text(req, "orderId"))
        resp.media = {"options": options.run_options(self.options.show(caller, pipeline_id, target))}


@dataclass(frozen=True, slots=True)
class OneRun:
    """One run: its page, and its cancellation."""

    reading: RunReading
    cancellation: RunCancellation

    def on_get(self, req: Request, resp: Response, run_id: str) -> None:
        """Show everything about it. Spec: instance, Pipeline runs. Decision: G160."""
        caller = guard.signed_in(req)
        resp.media = {"run": details.run_detail(caller, self.reading.show(caller, run_id))}

    def on_delete(self, req: Request, resp: Response, run_id: str) -> None:
        """Cancel it; nothing is deleted. Spec: instance, Pipeline runs."""
        cancelled = self.cancellation.cancel(guard.live_facility_admin(req), run_id)
        resp.media = answers.cancel_answer(cancelled)


@dataclass(frozen=True, slots=True)
class RunStart:
    """Launching a run."""

    starts: RunStarting

    def on_post(self, req: Request, resp: Response, run_id: str) -> None:
        """Start it, once. Spec: instance, Pipeline runs."""
        caller = guard.live_facility_admin(req)
        launched = self.starts.start(caller, run_id, lambda: read_json_object(req), own_address(req))
        resp.media = answers.launch_answer(launched)


@dataclass(frozen=True, slots=True)
class RunResume:
    """Going on with a run that failed or was cancelled."""

    starts: RunStarting

    def on_post(self, req: Request, resp: Response, run_id: str) -> None:
        """Resume it in its own folder, so that no finished task is repeated. Decision: G710."""
        launched = self.starts.resume(guard.live_facility_admin(req), run_id, own_address(req))
        resp.media = answers.launch_answer(launched)


@dataclass(frozen=True, slots=True)
class RunStartAgain:
    """Making a run with the choices of another one."""

    creation: RunCreation

    def on_post(self, req: Request, resp: Response, run_id: str) -> None:
        """Make a pending run with the same choices. Decision: G714."""
        caller = guard.facility_admin(req)
        resp.status = HTTP_201
        resp.media = {"success": True, "run": answers.created_run(self.creation.again(caller, run_id))}


@dataclass(frozen=True, slots=True)
class RunDeletion:
    """Removing a run."""

    cancellation: RunCancellation

    def on_post(self, req: Request, resp: Response, run_id: str) -> None:
        """Delete the record and its output data. Spec: instance, Pipeline runs. Decision: G165."""
        self.cancellation.delete(guard.facility_admin(req), run_id)
        resp.media = {"success": True}


@dataclass(frozen=True, slots=True)
class RunLogs:
    """The logs of a run."""

    sync: RunSync

    def on_get(self, req: Request, resp: Response, run_id: str) -> None:
        """Show the last lines, or the bytes from a position on.

        Spec: instance, Pipeline runs. Decision: G188, G726.
        """
        wanted = read_integer(query_text(req, "from") or "")
        if wanted is not None:
            caller, until = guard.signed_in(req), read_integer(query_text(req, "until") or "")
            log_type = query_text(req, "stream") or query_text(req, "type")
            part = self.sync.log_window(caller, run_id, log_type, wanted, until)
            resp.media = answers.log_part(caller, part)
            return
        tail = query_int(req, "tail", limits.LOG_DEFAULT_TAIL_LINES, 1, limits.LOG_MAX_TAIL_LINES)
        caller = guard.signed_in(req)
        view = self.sync.logs(caller, run_id, query_text(req, "type"), tail)
        resp.media = answers.log_answer(caller, view)


@dataclass(frozen=True, slots=True)
class RunSynchronisation:
    """Looking at a run now."""

    sync: RunSync

    def on_post(self, req: Request, resp: Response, run_id: str) -> None:
        """Bring it up to date. Spec: instance, Pipeline runs. Decision: G186, G187."""
        caller = guard.signed_in(req)
        resp.media = answers.sync_answer(caller, self.sync.sync(caller, run_id))


@dataclass(frozen=True, slots=True)
class FinalSelection:
    """Whether this run is the final result of its pipeline and target."""

    selection: RunSelection

    def on_put(self, req: Request, resp: Response, run_id: str) -> None:
        """Select it. Spec: instance, Result selection. Decision: G166."""
        selected = self.selection.select(guard.live_facility_admin(req), run_id)
        resp.media = {"success": True, "selection": answers.selection_shape(selected)}

    def on_delete(self, req: Request, resp: Response, run_id: str) -> None:
        """Take the selection back. Spec: instance, Result selection."""
        cleared = self.selection.clear(guard.live_facility_admin(req), run_id)
        resp.media = {"success": True, "cleared": cleared}


@dataclass(frozen=True, slots=True)
class RunTasks:
    """The tasks of a run."""

    reading: RunReading

    def on_get(self, req: Request, resp: Response, run_id: str) -> None:
        """List them in order of submission, or those that have changed. Decision: G161, G727."""
        since = query_text(req, "since")
        if since is not None:
            limit = query_int(req, "limit", limits.PAGE_MAX_LIMIT, 1, limits.RUN_CHANGED_TASKS_MAX)
            cursor = read_task_cursor(since)
            changed = self.reading.list_changed_tasks(guard.signed_in(req), run_id, cursor, limit)
            resp.media = details.changed_tasks(changed, limit)
            return
        caller, page = guard.signed_in(req), read_page(req)
        tasks, total = self.reading.list_tasks(caller, run_id, query_text(req, "status"), page)
        resp.media = {"tasks": [details.task(row) for row in tasks], **page.keys(total)}


@dataclass(frozen=True, slots=True)
class TaskLogs:
    """What the tool of one task has written."""

    reading: RunReading

    def on_get(self, req: Request, resp: Response, run_id: str, task_id: str) -> None:
        """Show the ends of its logs. Decision: G728."""
        task, logs = self.reading.show_task_logs(guard.facility_admin(req), run_id, task_id)
        resp.media = details.task_logs(task, logs)


@dataclass(frozen=True, slots=True)
class RunWitnesses:
    """The evidence on a run: engine, executor, outputs."""

    reading: RunReading

    def on_get(self, req: Request, resp: Response, run_id: str) -> None:
        """Show the evidence of engine, executor, exit file and outputs, and why it failed. Decision: G341."""
        caller = guard.signed_in(req)
        resp.media = {"evidence": evidence.evidence(caller, self.reading.show_evidence(caller, run_id))}


@dataclass(frozen=True, slots=True)
class RunFiles:
    """The files of a run's folder."""

    reading: RunReading

    def on_get(self, req: Request, resp: Response, run_id: str) -> None:
        """List them by path. Decision: G162."""
        caller, page = guard.facility_admin(req), read_page(req)
        files, total = self.reading.list_files(caller, run_id, page)
        resp.media = {"files": [details.run_file(file) for file in files], **page.keys(total)}


@dataclass(frozen=True, slots=True)
class Weblog:
    """Events of one run. The query is never logged, because the token may stand in it (G170)."""

    intake: WeblogIngest

    def on_post(self, req: Request, resp: Response) -> None:
        """Take in one event. Spec: instance, Pipeline weblog."""
        token = offered_token(query_text(req, "token"), req.get_header("Authorization"))
        self.intake.ingest(query_text(req, "runId"), token, lambda: read_event_body(req))
        resp.media = {"success": True}


def asks_for_selected(req: Request) -> bool:
    """Return whether only selected runs are wanted, by the key or one of its aliases. Decision: G157."""
    return (
        query_flag(req, "publishedOnly")
        or query_flag(req, "userVisible")
        or query_flag(req, "visible", frozenset({"user"}))
    )


def own_address(req: Request) -> str:
    """Name the address that this process is bound to, for engines without a better one. Decision: G46.

    It is the server's own word and not the request's `Host`, which its sender chooses.
    """
    host, port = str(req.env.get("SERVER_NAME", "")), str(req.env.get("SERVER_PORT", ""))
    host = "127.0.0.1" if host in _ANY_ADDRESS else host
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def read_event_body(req: Request) -> dict[str, object]:
    """Read the body of an event; empty, unreadable or no object is one error. Decision: G171, G279."""
    try:
        return parse_json_object(read_body(req, limits.WEBLOG_BODY_MAX_BYTES))
    except JsonNotAnObject as other:
        raise InvalidJson from other
