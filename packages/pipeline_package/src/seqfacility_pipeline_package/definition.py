"""`definition.json`: the steps of a pipeline, and which step a process of the engine belongs to."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from seqfacility_pipeline_package.documents import Fields, JsonObject
from seqfacility_pipeline_package.enums import MatcherKind

MAX_PROCESS_NAME = 200
"""Longer names come from no engine; cutting them bounds the work of a package's regular expressions."""

_STRENGTH = {MatcherKind.EXACT: 3, MatcherKind.REGEX: 2, MatcherKind.CONTAINS: 1}


@dataclass(frozen=True, slots=True)
class ProcessMatcher:
    """One way to recognise the processes of a step. Decision: G134."""

    kind: MatcherKind
    value: str

    def recognises(self, name: str) -> bool:
        """Compare with a process name, capitals included; a regular expression may match anywhere in it.

        Decision: G134.
        """
        if self.kind is MatcherKind.EXACT:
            return name == self.value
        if self.kind is MatcherKind.CONTAINS:
            return self.value in name
        return re.search(self.value, name) is not None


@dataclass(frozen=True, slots=True)
class Step:
    """One box in the picture of a pipeline. Decision: G134."""

    id: str
    name: str
    description: str
    depends_on: tuple[str, ...]
    process_matchers: tuple[ProcessMatcher, ...]


@dataclass(frozen=True, slots=True)
class Definition:
    """The steps of a pipeline in the order in which they are shown. Decision: G134."""

    pipeline: str
    steps: tuple[Step, ...]


def definition_from(document: JsonObject) -> Definition:
    fields = Fields(document)
    return Definition(
        pipeline=fields.text("pipeline"),
        steps=tuple(
            Step(
                id=step.text("id"),
                name=step.text("name"),
                description=step.text("description"),
                depends_on=step.texts("dependsOn"),
                process_matchers=tuple(
                    ProcessMatcher(MatcherKind(matcher.text("kind")), matcher.text("value"))
                    for matcher in step.parts("processMatchers")
                ),
            )
            for step in fields.parts("steps")
        ),
    )


def bare_process_name(process: str) -> str:
    """Return the part of an engine's process name that names the process.

    `NFCORE_MAG:MAG:FASTQC_RAW (S-1)` gives `FASTQC_RAW`: the tag in parentheses goes first, because
    it may hold colons, then everything up to the last colon.

    Decision: G134.
    """
    return process.partition(" (")[0].rpartition(":")[2].strip()[:MAX_PROCESS_NAME]


def step_of_process(steps: Sequence[Step], process: str) -> Step | None:
    """Find the step that a process belongs to; None when no matcher recognises it.

    Exact beats regex beats contains; of one kind the longer value wins; of equals the earlier step.

    Decision: G134.
    """
    name = bare_process_name(process)
    best: Step | None = None
    best_rank = (0, 0)
    for step in steps:
        for matcher in step.process_matchers:
            rank = (_STRENGTH[matcher.kind], len(matcher.value))
            if rank > best_rank and matcher.recognises(name):
                best, best_rank = step, rank
    return best


def cycle_in(steps: Sequence[Step]) -> tuple[str, ...]:
    """Return the steps of a dependency cycle; empty when the steps can be ordered.

    Decision: G129.
    """
    waiting = {step.id: set(step.depends_on) for step in steps}
    while ready := [step_id for step_id, needs in waiting.items() if not needs & waiting.keys()]:
        for step_id in ready:
            del waiting[step_id]
    return tuple(sorted(waiting))
