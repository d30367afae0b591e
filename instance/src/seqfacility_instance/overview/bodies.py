"""How the overview is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from seqfacility_wire.timestamps import format_time

from seqfacility_instance.core.vocabulary.overview import OverviewAction
from seqfacility_instance.runs.bodies.items import queue

if TYPE_CHECKING:
    from seqfacility_schemas import answers

    from seqfacility_instance.overview.rules import OrderRef, Waiting
    from seqfacility_instance.overview.service import Overview, Release, Running


def overview_answer(overview: Overview) -> answers.OverviewAnswer:
    """Write an overview; a key that says nothing is left out of a line. Decision: G542."""
    shown: answers.OverviewAnswer = {
        "counts": {kind.value: count for kind, count in overview.counts.items()},
        "waiting": [_waiting(line) for line in overview.waiting],
        "ready": [_release(one) for one in overview.ready],
        "readyCount": overview.ready_count,
        "running": [_running(one) for one in overview.running],
        "runningCount": overview.running_count,
        "disk": None
        if overview.disk is None
        else {"freeBytes": overview.disk.free_bytes, "totalBytes": overview.disk.total_bytes},
    }
    if overview.queued_count is not None:
        shown["queuedCount"] = overview.queued_count
    return shown


def _waiting(line: Waiting) -> answers.Waiting:
    shown: dict[str, Any] = {
        "kind": line.kind.value,
        "since": format_time(line.since),
        "order": _order(line.order),
        "study": None if line.study is None else {"id": line.study.id, "title": line.study.name},
        "run": None if line.run is None else {"id": line.run.id, "runNumber": line.run.name},
        "ticket": None if line.ticket is None else {"id": line.ticket.id, "subject": line.ticket.name},
        "process": line.process,
        "count": line.count,
        "action": {"what": line.action.value},
    }
    return cast("answers.Waiting", _filled(shown))


def _release(one: Release) -> answers.Release:
    return {
        "kind": "RELEASE",
        "since": format_time(one.since),
        "order": {"id": one.order.id, "orderNumber": one.order.order_number, "name": one.order.name},
        "count": one.reads,
        "action": {"what": OverviewAction.DOWNLOAD.value},
    }


def _running(one: Running) -> answers.Running:
    shown: dict[str, Any] = {
        "kind": one.kind.value,
        "since": format_time(one.since),
        "order": _order(one.order),
        "study": None if one.study is None else {"id": one.study.id, "title": one.study.name},
        "run": None if one.run is None else {"id": one.run.id, "runNumber": one.run.name},
        "streamRunId": one.stream_id,
        "progress": one.progress,
        "queue": None if one.place is None else queue(one.place),
        **one.figures,
    }
    return cast("answers.Running", _filled(shown))


def _order(order: OrderRef | None) -> dict[str, str | None] | None:
    if order is None:
        return None
    return {"id": order.id, "orderNumber": order.order_number, "name": order.name}


def _filled(shown: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in shown.items() if value is not None}
