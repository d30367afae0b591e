"""A Snakemake logger plug-in that makes a run look to weblog and trace just as a Nextflow run does.

Snakemake finds it by the name of this module: `snakemake --logger seqfacility`.
"""

import logging
import os
from dataclasses import dataclass

from seqfacility_workflow_runtime.run_folder import JsonValue
from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent
from snakemake_interface_logger_plugins.settings import LogHandlerSettingsBase

from snakemake_logger_plugin_seqfacility.delivery import Delivery
from snakemake_logger_plugin_seqfacility.events import task_event
from snakemake_logger_plugin_seqfacility.target import EventsTarget, find_target
from snakemake_logger_plugin_seqfacility.tasks import (
    TRACE_COLUMNS,
    TaskBook,
    Trace,
    exit_code_in,
    trace_line,
)

CLOSE_SECONDS = 10.0


@dataclass
class LogHandlerSettings(LogHandlerSettingsBase):
    """No settings on the command line: address and token are read from a file."""


class LogHandler(LogHandlerBase):
    """Turns Snakemake's job events into weblog messages and trace rows.

    Whatever goes wrong in here stays in here: reporting must not break a
    workflow. `started`, `error` and `completed` come from the program around
    Snakemake (`python -m snakemake_logger_plugin_seqfacility`), which alone sees
    how Snakemake ends.
    """

    def __post_init__(self) -> None:
        """Find the run that this Snakemake works for; without one the plug-in is silent."""
        self._tasks = TaskBook()
        # What the exception of a job said, until its error is told: by the same thread, and next.
        self._exit_codes: dict[int | None, int | None] = {}
        self._target = find_target(os.environ)
        self._delivery = None if self._target is None else Delivery(self._target.url, self._target.token)

    @property
    def writes_to_stream(self) -> bool:
        """Leave the terminal to Snakemake."""
        return False

    @property
    def writes_to_file(self) -> bool:
        """Say no: the trace is not a log that Snakemake should name at the end."""
        return False

    @property
    def has_filter(self) -> bool:
        """Keep Snakemake's own filter away, which hides events from a quiet run."""
        return True

    @property
    def has_formatter(self) -> bool:
        """Nothing is formatted."""
        return True

    @property
    def needs_rulegraph(self) -> bool:
        """The graph of rules is not needed."""
        return False

    def emit(self, record: logging.LogRecord) -> None:
        """Take one event of Snakemake. Decision: G184."""
        if self._target is None:
            return
        try:
            self._take(self._target, record)
        except Exception:  # noqa: BLE001 - a fault in reporting must never end a workflow
            self.handleError(record)

    def close(self) -> None:
        """Wait a bounded time until the events are posted."""
        if self._delivery is not None:
            self._delivery.close(CLOSE_SECONDS)
        super().close()

    def _take(self, target: EventsTarget, record: logging.LogRecord) -> None:
        fields = record.__dict__
        at_ms = round(record.created * 1000)
        match fields.get("event"):
            case LogEvent.JOB_STARTED:
                self._tasks.start(fields["jobs"], at_ms)
            case LogEvent.JOB_INFO if is_task(fields.get("output"), fields.get("shellcmd")):
                wildcards = fields.get("wildcards") or {}
                benchmark = fields.get("benchmark")
                logs = fields.get("log") or ()
                trace = self._tasks.describe(fields["jobid"], fields["rule_name"], wildcards, benchmark, logs)
                self._tell_of_start(target, trace, at_ms)
            case LogEvent.JOB_FINISHED:
                self._tell_of_end(target, self._tasks.finish(fields["job_id"], at_ms), at_ms)
            case LogEvent.ERROR:
                self._exit_codes[record.thread] = exit_code_in(record.getMessage())
            case LogEvent.JOB_ERROR:
                exit_code = self._exit_codes.pop(record.thread, None)
                self._tell_of_end(target, self._tasks.fail(fields["jobid"], at_ms, exit_code), at_ms)

    def _tell_of_start(self, target: EventsTarget, trace: Trace | None, at_ms: int) -> None:
        if trace is not None:
            submitted: dict[str, JsonValue] = trace | {"status": "SUBMITTED", "start": None}
            self._send(target, "process_submitted", submitted, at_ms)
            self._send(target, "process_started", trace, at_ms)

    def _tell_of_end(self, target: EventsTarget, trace: Trace | None, at_ms: int) -> None:
        if trace is not None:
            append_line(target, trace_line(trace))
            self._send(target, "process_completed", trace, at_ms)

    def _send(self, target: EventsTarget, name: str, trace: Trace, at_ms: int) -> None:
        if self._delivery is not None:
            self._delivery.send(task_event(target, name, trace, at_ms))


def append_line(target: EventsTarget, line: str) -> None:
    """Append a whole line to the trace file in one write; a new file begins with the header.

    Decision: G184.
    """
    with target.trace.open("ab", buffering=0) as stream:
        header = "" if stream.tell() else "\t".join(TRACE_COLUMNS) + "\n"
        stream.write((header + line).encode("utf-8", "replace"))


def is_task(output: object, shell_command: object) -> bool:
    """Return whether a job does something; `rule all`, without files and command, names targets."""
    return bool(output) or bool(shell_command)
