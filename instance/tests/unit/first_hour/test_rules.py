"""The verdicts of the first hour: what nobody knows is unknown, and what is missing is said."""

from datetime import UTC, datetime

import pytest
from seqfacility_instance.core.vocabulary.first_hour import FirstStep
from seqfacility_instance.core.vocabulary.pipelines import Engine
from seqfacility_instance.first_hour import rules
from seqfacility_instance.first_hour.rules import FirstHourStatus, Step
from seqfacility_instance.site.checks import Check, Verdict
from seqfacility_instance.site.engine_versions import EngineSighting, SchedulerSighting

NOW = datetime(2031, 5, 4, 9, tzinfo=UTC)


def step(*verdicts: Verdict, is_needed: bool = True) -> Step:
    return Step(FirstStep.STORAGE, [Check(one, f"Line: {one}") for one in verdicts], is_needed)


def sighting(version: str | None, checked_at: datetime | None, *, is_found: bool = True) -> EngineSighting:
    return EngineSighting("snakemake", is_found, version, checked_at)


@pytest.mark.parametrize(
    ("verdicts", "state"),
    [
        ((Verdict.OK,), Verdict.OK),
        ((Verdict.OK, Verdict.UNKNOWN), Verdict.UNKNOWN),
        ((Verdict.UNKNOWN, Verdict.WARN), Verdict.WARN),
        ((Verdict.WARN, Verdict.FAIL, Verdict.OK), Verdict.FAIL),
    ],
)
def test_a_step_is_as_good_as_its_worst_check(verdicts: tuple[Verdict, ...], state: Verdict) -> None:
    assert step(*verdicts).state is state


def test_the_first_hour_is_shown_until_all_that_is_needed_is_known_to_be_done() -> None:
    optional = step(Verdict.WARN, is_needed=False)

    assert FirstHourStatus([step(Verdict.OK), step(Verdict.UNKNOWN)], is_dismissed=False).is_shown
    assert not FirstHourStatus([step(Verdict.OK), optional], is_dismissed=False).is_shown
    assert not FirstHourStatus([step(Verdict.FAIL)], is_dismissed=True).is_shown
    assert FirstHourStatus([step(Verdict.FAIL)], is_dismissed=True).open_steps == 1


def test_engines_that_nobody_has_asked_are_unknown() -> None:
    unasked = {Engine.SNAKEMAKE: sighting(None, None), Engine.NEXTFLOW: sighting(None, None, is_found=False)}

    (check,) = rules.local_checks(unasked)

    assert check.verdict is Verdict.UNKNOWN
    assert "no worker has asked" in check.text


def test_one_engine_that_answers_is_enough_for_runs_on_this_machine() -> None:
    engines = {Engine.SNAKEMAKE: sighting("9.11.2", NOW), Engine.NEXTFLOW: sighting(None, None)}

    found = rules.local_checks(engines)

    assert [check.verdict for check in found] == [Verdict.OK, Verdict.OK]
    assert found[-1].text == "Workflow engines: snakemake 9.11.2."


def test_a_version_that_is_known_without_asking_counts() -> None:
    engines = {
        Engine.SNAKEMAKE: sighting("9.27.1", None),
        Engine.NEXTFLOW: sighting(None, NOW, is_found=False),
    }

    assert [check.verdict for check in rules.local_checks(engines)] == [Verdict.OK, Verdict.OK]


def test_without_any_engine_it_is_said_how_to_get_one() -> None:
    nothing = {engine: sighting(None, None, is_found=False) for engine in Engine}

    assert "brings Snakemake" in rules.local_checks(nothing)[-1].text
    assert rules.local_checks(nothing)[-1].verdict is Verdict.WARN


@pytest.mark.parametrize(
    ("seen", "verdict", "words"),
    [
        (SchedulerSighting(None, None), Verdict.UNKNOWN, "no worker has asked its controller"),
        (SchedulerSighting("sinfo is not installed.", NOW), Verdict.FAIL, "but sinfo is not installed."),
        (SchedulerSighting(None, NOW), Verdict.OK, "its controller answers"),
    ],
)
def test_a_scheduler_is_judged_by_what_it_said(seen: SchedulerSighting, verdict: Verdict, words: str) -> None:
    check = rules.scheduler_check("Slurm", seen)

    assert check.verdict is verdict
    assert check.text.startswith("Slurm: runs go there")
    assert words in check.text


def test_a_catalog_is_there_fetched_or_shipped() -> None:
    def verdicts(synced_at: datetime | None, error: str | None, *, is_stored: bool = True) -> list[str]:
        found = rules.catalog_checks(is_stored=is_stored, synced_at=synced_at, registry_error=error)
        return [f"{check.verdict} {check.text}" for check in found]

    assert verdicts(NOW, None) == ["ok Catalog: it was fetched 2031-05-04."]
    assert verdicts(None, None) == ["ok Catalog: the one that ships with this release is in use."]
    assert verdicts(None, None, is_stored=False)[0].startswith("warn Catalog: there is none")
    assert verdicts(NOW, "Registry is not reachable.")[1] == (
        "warn Registry: when it was last asked: Registry is not reachable."
        " Look at its address, then fetch again."
    )


@pytest.mark.parametrize(
    ("researchers", "waiting", "is_open", "text"),
    [
        (1, 0, True, "1 researcher has an account."),
        (2, 1, True, "2 researchers have an account."),
        (0, 1, True, "1 registration waits for your approval."),
        (0, 3, False, "3 registrations wait for your approval."),
        (0, 0, True, "nobody can order yet. Give researchers the address at which they register."),
    ],
)
def test_people_are_there_wait_or_are_to_be_told(
    researchers: int, waiting: int, is_open: bool, text: str
) -> None:
    check = rules.people_check(researchers, waiting, is_open=is_open)

    assert check == Check(Verdict.OK if researchers else Verdict.WARN, f"People: {text}")


def test_a_closed_registration_is_said_to_be_closed() -> None:
    assert "registration is closed" in rules.people_check(0, 0, is_open=False).text
