"""What of an order waits for whom, and how much of a queue is shown.

Decision: G542, G543.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from seqfacility_instance.core.vocabulary.orders import PlateState, Step
from seqfacility_instance.core.vocabulary.overview import OverviewAction, WaitingKind
from seqfacility_instance.orders.stage_rules import NextStep, Plate

MAX_SHOWN: Final = 20
"""Of each kind; a person who has more to do begins with these, and the counts say how many there are."""

MAX_RUNNING: Final = 50

UPLOAD_SILENT: Final = timedelta(minutes=15)
"""Longer than a browser or the command waits before it tries again."""

RECENT_RUNS: Final = timedelta(days=30)
"""How long a run that nobody looked after is told of; what waits must not grow with what was."""

RECENT_RELEASES: Final = timedelta(days=30)

_FACILITYS: Final = {
    Step.ACCEPT: (WaitingKind.NEW_ORDER, OverviewAction.ACCEPT),
    Step.SEND_SAMPLES: (WaitingKind.WAITING_FOR_SAMPLES, OverviewAction.RECEIVE_SAMPLES),
    Step.RECEIVE_SAMPLES: (WaitingKind.WAITING_FOR_SAMPLES, OverviewAction.RECEIVE_SAMPLES),
    Step.SEQUENCE: (WaitingKind.TO_SEQUENCE, OverviewAction.SEQUENCE),
    Step.ADD_READS: (WaitingKind.WITHOUT_READS, OverviewAction.ADD_READS),
    Step.ANALYSE: (WaitingKind.TO_ANALYSE, OverviewAction.ANALYSE),
    Step.CHECK_RUN: (WaitingKind.RUN_FAILED, OverviewAction.CHECK_RUN),
    Step.SELECT_RESULT: (WaitingKind.RESULT_TO_SELECT, OverviewAction.SELECT_RESULT),
    Step.RELEASE: (WaitingKind.TO_RELEASE, OverviewAction.RELEASE),
}


@dataclass(frozen=True, slots=True)
class OrderTask:
    """Something about an order that waits for somebody; `count` are its samples, where that says more."""

    kind: WaitingKind
    action: OverviewAction
    count: int | None = None


def facility_tasks(step: NextStep | None, plate: Plate) -> list[OrderTask]:
    """Return what of an open order waits for the facility.

    A problem of a file is told whatever is next; that reads are missing is not while they arrive.

    Decision: G543.
    """
    tasks = []
    if plate[PlateState.PROBLEM]:
        tasks.append(
            OrderTask(WaitingKind.FILE_PROBLEM, OverviewAction.CHECK_FILES, plate[PlateState.PROBLEM])
        )
    if step is None or step.what not in _FACILITYS:
        return tasks
    kind, action = _FACILITYS[step.what]
    if step.what is not Step.ADD_READS:
        return [*tasks, OrderTask(kind, action)]
    if plate[PlateState.MOVING]:
        return tasks
    return [*tasks, OrderTask(kind, action, plate[PlateState.WAITING] + plate[PlateState.HALF])]


@dataclass(frozen=True, slots=True)
class OrderRef:
    id: str
    order_number: str
    name: str | None


@dataclass(frozen=True, slots=True)
class Named:
    """A study or ticket by its id and title, a run by its id and number."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """One line of the queue."""

    kind: WaitingKind
    since: datetime
    action: OverviewAction
    order: OrderRef | None = None
    study: Named | None = None
    run: Named | None = None
    ticket: Named | None = None
    process: str | None = None
    count: int | None = None


def counted(lines: Iterable[Waiting]) -> tuple[dict[WaitingKind, int], list[Waiting]]:
    """Return how many lines each kind has, and the oldest of each kind, oldest first. Decision: G542."""
    counts: Counter[WaitingKind] = Counter()
    shown = []
    for line in sorted(lines, key=lambda line: line.since):
        counts[line.kind] += 1
        if counts[line.kind] <= MAX_SHOWN:
            shown.append(line)
    return dict(counts), shown


def is_disk_low(free_bytes: int, total_bytes: int, min_free_bytes: int) -> bool:
    """Return whether less than a twentieth is free, or than twice what uploads leave free. Decision: G543."""
    return free_bytes * 20 < total_bytes or free_bytes < 2 * min_free_bytes
