"""Request and answer of the first hour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqfacility_instance.core.request_model import RequestModel

if TYPE_CHECKING:
    from seqfacility_schemas import answers

    from seqfacility_instance.first_hour.rules import FirstHourStatus


class FirstHourSave(RequestModel):
    """Whether the first hour is put away. Decision: G1051."""

    put_away: bool


def first_hour_answer(status: FirstHourStatus) -> answers.FirstHour:
    """Write the steps and their states. Decision: G1050."""
    return {
        "steps": [
            {
                "id": step.id.value,
                "state": step.state.value,
                "needed": step.is_needed,
                "checks": [{"verdict": check.verdict.value, "text": check.text} for check in step.checks],
            }
            for step in status.steps
        ],
        "open": status.open_steps,
        "putAway": status.is_dismissed,
        "shown": status.is_shown,
    }
