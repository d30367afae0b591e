"""How far the set-up has come: pure decisions from what was seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqfacility_instance.core.vocabulary.site import (
    DatabaseEngine,
    DatabaseHosting,
    SetupPhase,
    SetupStep,
    SetupStepStatus,
)

if TYPE_CHECKING:
    from seqfacility_schemas import answers


@dataclass(frozen=True, slots=True)
class Seen:
    """What was found of the installation."""

    is_reachable: bool
    is_readable: bool = True
    """False when the database answers, but with something that nobody expected."""
    schema_exists: bool = False
    pending_migrations: int = 0
    settings_exist: bool = False
    has_failed_account: bool = False
    has_admin: bool = False
    fault: str | None = None
    """Why the database cannot be read, for those who run commands; the status tells nobody."""


_LABELS = {
    SetupStep.DATABASE: ("Database", "The database answers."),
    SetupStep.SCHEMA: ("Schema", "All tables are those of this release."),
    SetupStep.SEED: ("Settings", "The settings and the shipped content are stored."),
    SetupStep.LOGIN: ("First admin", "A facility admin can sign in."),
}
_COMMANDS = {
    SetupPhase.SCHEMA_MISSING: (SetupStep.SCHEMA, "seqfacility init"),
    SetupPhase.SCHEMA_OUTDATED: (SetupStep.SCHEMA, "seqfacility migrate"),
    SetupPhase.SEED_MISSING: (SetupStep.SEED, "seqfacility init"),
    SetupPhase.SEED_FAILED: (SetupStep.SEED, "seqfacility init"),
    SetupPhase.ADMIN_MISSING: (SetupStep.LOGIN, "seqfacility init --admin-email you@example.org"),
}
_BROKEN_STEP = {
    SetupPhase.DATABASE_UNREACHABLE: SetupStep.DATABASE,
    SetupPhase.UNKNOWN_ERROR: SetupStep.DATABASE,
    **{phase: step for phase, (step, _command) in _COMMANDS.items()},
}
_ERRORS = {
    SetupPhase.DATABASE_UNREACHABLE: "The database does not answer.",
    SetupPhase.SEED_FAILED: "The first account could not be made.",
    SetupPhase.UNKNOWN_ERROR: "The set-up could not be read; the log of the service tells more.",
}
_FAILED = frozenset(_ERRORS)


def phase_of(seen: Seen) -> SetupPhase:
    """Name the first thing that is missing. Decision: G38."""
    missing = (
        (not seen.is_reachable, SetupPhase.DATABASE_UNREACHABLE),
        (not seen.is_readable, SetupPhase.UNKNOWN_ERROR),
        (not seen.schema_exists, SetupPhase.SCHEMA_MISSING),
        (seen.pending_migrations > 0, SetupPhase.SCHEMA_OUTDATED),
        (not seen.settings_exist, SetupPhase.SEED_MISSING),
        (seen.has_failed_account and not seen.has_admin, SetupPhase.SEED_FAILED),
        (not seen.has_admin, SetupPhase.ADMIN_MISSING),
    )
    return next((phase for is_missing, phase in missing if is_missing), SetupPhase.READY)


def steps_of(phase: SetupPhase) -> list[answers.SetupStep]:
    """List the four steps: what is before the broken one is complete, what is after it pending.

    Decision: G38.
    """
    order = list(SetupStep)
    broken = _BROKEN_STEP.get(phase)
    place = len(order) if broken is None else order.index(broken)
    steps = []
    for index, step in enumerate(order):
        label, description = _LABELS[step]
        status = SetupStepStatus.COMPLETE if index < place else SetupStepStatus.PENDING
        if index == place:
            status = SetupStepStatus.ERROR if phase in _FAILED else SetupStepStatus.ACTIVE
        shown: answers.SetupStep = {
            "id": step.value,
            "label": label,
            "status": status.value,
            "description": description,
        }
        if index == place and phase in _COMMANDS:
            shown["command"] = _COMMANDS[phase][1]
        steps.append(shown)
    return steps


def next_action(phase: SetupPhase) -> dict[str, str] | None:
    """Advise what to do next; None when nothing can be advised. Decision: G38."""
    if phase is SetupPhase.READY:
        return {"label": "Sign in", "description": "The facility is ready.", "href": "/sign-in"}
    if phase not in _COMMANDS:
        return None
    command = _COMMANDS[phase][1]
    return {"label": "Run a command", "description": f"Run `{command}` on the server.", "command": command}


def error_of(phase: SetupPhase) -> str | None:
    """Return in a sentence what failed; None when nothing did. Decision: G38."""
    return _ERRORS.get(phase)


def database_answer(engine: DatabaseEngine, hosting: DatabaseHosting, seen: Seen) -> dict[str, object]:
    """Describe the database without naming it. Decision: G38."""
    return {
        "engine": engine.value,
        "hosting": hosting.value,
        "reachable": seen.is_reachable,
        "pendingMigrations": seen.pending_migrations,
    }
