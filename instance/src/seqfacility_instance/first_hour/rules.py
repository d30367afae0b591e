"""The checks of each step of the first hour: values in, sentences out. Decision: G1050."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from seqfacility_instance.core.vocabulary.first_hour import FirstStep
from seqfacility_instance.core.vocabulary.pipelines import Engine
from seqfacility_instance.site.checks import Check, Verdict, engine_checks
from seqfacility_instance.site.engine_versions import EngineSighting, SchedulerSighting

_WORST_FIRST: Final = (Verdict.FAIL, Verdict.WARN, Verdict.UNKNOWN, Verdict.OK)


@dataclass(frozen=True, slots=True)
class Step:
    """One step with its checks. A facility works without the steps that are not needed."""

    id: FirstStep
    checks: Sequence[Check]
    is_needed: bool = True

    @property
    def state(self) -> Verdict:
        """The worst verdict of its checks."""
        return min((check.verdict for check in self.checks), key=_WORST_FIRST.index)

    @property
    def is_open(self) -> bool:
        """Whether something is left to do; an unknown state counts as not done."""
        return self.is_needed and self.state is not Verdict.OK


@dataclass(frozen=True, slots=True)
class FirstHourStatus:
    """All steps, and whether an admin has dismissed them."""

    steps: Sequence[Step]
    is_dismissed: bool

    @property
    def open_steps(self) -> int:
        return sum(step.is_open for step in self.steps)

    @property
    def is_shown(self) -> bool:
        """Whether the start page of admins shows the steps. Decision: G1051."""
        return not self.is_dismissed and self.open_steps > 0


def catalog_checks(*, is_stored: bool, synced_at: datetime | None, registry_error: str | None) -> list[Check]:
    """Check whether orders can name platforms and kits, and whether the registry could be read."""
    if not is_stored:
        text = "there is none, so orders can name no platform. Fetch it, or take the one that ships."
        checks = [Check(Verdict.WARN, f"Catalog: {text}")]
    elif synced_at is None:
        checks = [Check(Verdict.OK, "Catalog: the one that ships with this release is in use.")]
    else:
        checks = [Check(Verdict.OK, f"Catalog: it was fetched {synced_at:%Y-%m-%d}.")]
    if registry_error is not None:
        text = f"when it was last asked: {registry_error.rstrip('.')}. Look at its address, then fetch again."
        checks.append(Check(Verdict.WARN, f"Registry: {text}"))
    return checks


def pipeline_checks(enabled: Sequence[Check]) -> list[Check]:
    """Return the check of each enabled pipeline, or a warning when there is none."""
    text = "Pipelines: none is enabled, so reads cannot be analysed. Enable one."
    return list(enabled) or [Check(Verdict.WARN, text)]


def local_checks(engines: Mapping[Engine, EngineSighting]) -> list[Check]:
    """Check the engines of this machine, for runs that execute here; unknown until the worker asked them."""
    seen = engines.values()
    is_asked = all(one.checked_at is not None for one in seen if one.is_found)
    if not is_asked and not any(one.version for one in seen):
        text = "they are installed, and no worker has asked whether they answer. Start `seqfacility worker`."
        return [Check(Verdict.UNKNOWN, f"Workflow engines: {text}")]
    # WHY: the version of the bundled Snakemake is known without asking it.
    known = {engine: one for engine, one in engines.items() if one.version or one.checked_at is not None}
    return [Check(Verdict.OK, "Runs: go to this machine."), *engine_checks(known)]


def scheduler_check(label: str, seen: SchedulerSighting) -> Check:
    """Check the scheduler that executes runs; unknown until the worker asked it."""
    if seen.checked_at is None:
        text = "runs go there, and no worker has asked its controller. Start `seqfacility worker`."
        return Check(Verdict.UNKNOWN, f"{label}: {text}")
    if seen.fault is not None:
        return Check(Verdict.FAIL, f"{label}: runs go there, but {seen.fault}")
    return Check(Verdict.OK, f"{label}: runs go there, and its controller answers.")


def people_check(researchers: int, waiting: int, *, is_open: bool) -> Check:
    """Check whether anyone can order. Researchers register themselves; invites are for staff."""
    if researchers:
        who = "1 researcher has" if researchers == 1 else f"{researchers} researchers have"
        return Check(Verdict.OK, f"People: {who} an account.")
    if waiting:
        what = "1 registration waits" if waiting == 1 else f"{waiting} registrations wait"
        return Check(Verdict.WARN, f"People: {what} for your approval.")
    if is_open:
        text = "nobody can order yet. Give researchers the address at which they register."
    else:
        text = "nobody can order yet, and registration is closed. Open it in the access settings, or run"
        text += " `seqfacility users create`."
    return Check(Verdict.WARN, f"People: {text}")


def form_check(*, is_own: bool) -> Check:
    """Check whether the order form is the facility's own."""
    if is_own:
        return Check(Verdict.OK, "Order form: it is your own.")
    text = "it is the one that ships. Look at it as a researcher does, then ask what you need to know."
    return Check(Verdict.WARN, f"Order form: {text}")
