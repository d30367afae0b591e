"""How far a set-up has come is decided from what was seen."""

import pytest
from seqfacility_instance.core.vocabulary.site import SetupPhase
from seqfacility_instance.site.setup_status import Seen, error_of, next_action, phase_of, steps_of

CURRENT = Seen(is_reachable=True, schema_exists=True, settings_exist=True)


@pytest.mark.parametrize(
    ("seen", "phase"),
    [
        (Seen(is_reachable=False), SetupPhase.DATABASE_UNREACHABLE),
        (Seen(is_reachable=False, is_readable=False), SetupPhase.DATABASE_UNREACHABLE),
        (Seen(is_reachable=True, is_readable=False), SetupPhase.UNKNOWN_ERROR),
        (Seen(is_reachable=True), SetupPhase.SCHEMA_MISSING),
        (Seen(is_reachable=True, schema_exists=True, pending_migrations=1), SetupPhase.SCHEMA_OUTDATED),
        (Seen(is_reachable=True, schema_exists=True), SetupPhase.SEED_MISSING),
        (CURRENT, SetupPhase.ADMIN_MISSING),
        (Seen(True, True, True, 0, True, True, False), SetupPhase.SEED_FAILED),
        (Seen(True, True, True, 0, True, True, True), SetupPhase.READY),
        (Seen(True, True, True, 0, True, False, True), SetupPhase.READY),
    ],
)
def test_the_phase_is_the_first_thing_that_is_missing(seen: Seen, phase: SetupPhase) -> None:
    assert phase_of(seen) is phase


@pytest.mark.parametrize("phase", list(SetupPhase))
def test_what_is_before_the_broken_step_is_complete_and_what_follows_pending(phase: SetupPhase) -> None:
    words = [step["status"] for step in steps_of(phase)]

    before = (
        words.index("pending") - 1 if "pending" in words else len(words) - (phase is not SetupPhase.READY)
    )
    assert words[:before] == ["complete"] * before
    assert set(words[before : before + 1]) <= {"active", "error"}
    assert words[before + 1 :] == ["pending"] * len(words[before + 1 :])


@pytest.mark.parametrize("phase", list(SetupPhase))
def test_an_error_is_told_only_in_the_phases_that_are_named_after_one(phase: SetupPhase) -> None:
    named = phase.value.endswith(("-failed", "-unreachable", "-error"))

    assert (error_of(phase) is not None) is named
    assert any(step["status"] == "error" for step in steps_of(phase)) is named


@pytest.mark.parametrize("phase", list(SetupPhase))
def test_advice_is_the_sign_in_page_a_command_or_nothing(phase: SetupPhase) -> None:
    advice = next_action(phase)
    commands = [step["command"] for step in steps_of(phase) if "command" in step]

    if phase is SetupPhase.READY:
        assert advice is not None
        assert advice["href"] == "/sign-in"
    elif commands:
        assert advice is not None
        assert [advice["command"]] == commands
    else:
        assert advice is None
