"""What `check-setup` says of what was seen."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from seqfacility_instance.access.audit_verification import Verdict as AuditVerdict
from seqfacility_instance.core.vocabulary.pipelines import Engine
from seqfacility_instance.core.vocabulary.site import ProcessName
from seqfacility_instance.site.checks import (
    Verdict,
    audit_check,
    backup_check,
    certificate_check,
    clock_check,
    dated_clock_checks,
    engine_checks,
    folder_checks,
    job_check,
    key_check,
    password_check,
    process_checks,
    scheduler_checks,
    schema_check,
    setup_checks,
)
from seqfacility_instance.site.engine_versions import EngineSighting
from seqfacility_instance.site.health import Folders, FolderState, Heartbeat
from seqfacility_instance.site.setup_status import Seen

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
READY = Seen(is_reachable=True, schema_exists=True, settings_exist=True, has_admin=True)


def test_a_ready_installation_is_four_times_ok() -> None:
    assert [check.verdict for check in setup_checks(READY)] == [Verdict.OK] * 4
    assert setup_checks(READY, "SQLite 3 answers.")[0].text == "Database: SQLite 3 answers."


def test_a_broken_step_fails_with_its_command_and_the_rest_waits() -> None:
    checks = setup_checks(Seen(is_reachable=True, schema_exists=True, pending_migrations=2))

    assert [check.verdict for check in checks] == [Verdict.OK, Verdict.FAIL, Verdict.WARN, Verdict.WARN]
    assert "Run `seqfacility migrate`." in checks[1].text


def test_an_unreachable_database_fails_with_its_reason() -> None:
    first = setup_checks(Seen(is_reachable=False))[0]

    assert (first.verdict, first.text) == (Verdict.FAIL, "Database: The database does not answer.")


@pytest.mark.parametrize(
    ("fault", "is_open", "verdict"),
    [
        (None, False, Verdict.OK),
        (None, True, Verdict.WARN),
        ("secret.key is missing", False, Verdict.FAIL),
        ("secret.key is missing", True, Verdict.FAIL),
    ],
)
def test_a_key_is_that_of_the_database_and_private(
    fault: str | None, is_open: bool, verdict: Verdict
) -> None:
    assert key_check(fault, is_open_to_others=is_open).verdict is verdict


def test_folders_are_judged_by_what_relies_on_them(tmp_path: Path) -> None:
    there, missing = FolderState(tmp_path), FolderState(tmp_path / "none")

    fine = folder_checks(Folders(there, there, there), 0, streams_enabled=True)
    bad = folder_checks(Folders(missing, missing, FolderState(None)), 0, streams_enabled=True)
    without_streams = folder_checks(Folders(there, there, FolderState(None)), 0, streams_enabled=False)

    assert {check.verdict for check in fine} == {Verdict.OK}
    assert [check.verdict for check in bad] == [Verdict.FAIL, Verdict.WARN, Verdict.WARN]
    assert len(without_streams) == 3
    assert without_streams[-1].text.endswith(" GB are left.")


def test_a_full_disk_is_a_warning(tmp_path: Path) -> None:
    folder = FolderState(tmp_path)

    last = folder_checks(Folders(folder, folder, folder), 2**62, streams_enabled=False)[-1]

    assert last.verdict is Verdict.WARN
    assert last.text.startswith("Free space:")


@pytest.mark.parametrize(
    ("versions", "missing", "default", "verdicts"),
    [
        ({Engine.SNAKEMAKE: "9.11.0", Engine.NEXTFLOW: None}, "no client", "local", ["ok"]),
        ({Engine.SNAKEMAKE: None, Engine.NEXTFLOW: None}, "no client", "local", ["warn"]),
        ({Engine.SNAKEMAKE: "9.11.0"}, "no client", "slurm", ["ok", "fail"]),
        ({Engine.SNAKEMAKE: "9.11.0"}, None, "slurm", ["ok", "ok"]),
    ],
)
def test_engines_and_schedulers_matter_where_runs_go(
    versions: dict[Engine, str | None], missing: str | None, default: str, verdicts: list[str]
) -> None:
    engines = {
        engine: EngineSighting(engine.value, version is not None, version, None)
        for engine, version in versions.items()
    }
    checks = [*engine_checks(engines), *scheduler_checks({"slurm": missing}, default)]

    assert [check.verdict for check in checks] == verdicts


def test_an_engine_that_does_not_answer_is_not_called_missing() -> None:
    silent = {Engine.SNAKEMAKE: EngineSighting("snakemake", True, None, None)}

    checks = engine_checks(silent)

    assert "snakemake is installed and gives no version" in checks[0].text


def test_processes_generated_passwords_and_newer_releases_are_warnings() -> None:
    beats = [
        Heartbeat(ProcessName.WORKER, NOON, is_alive=True),
        Heartbeat(ProcessName.MONITOR_RUNS, None, is_alive=False),
    ]

    assert [check.verdict for check in process_checks(beats, {}, "1")] == [Verdict.OK, Verdict.WARN]
    assert (password_check(True).verdict, password_check(False).verdict) == (Verdict.WARN, Verdict.OK)
    assert schema_check([]) == []
    assert "9999_later" in schema_check(["9999_later"])[0].text


def test_a_process_of_another_release_than_the_installed_one_is_a_warning() -> None:
    beats = [Heartbeat(ProcessName.WORKER, NOON, is_alive=True, release="2.0")]

    same = process_checks(beats, {ProcessName.WORKER: {"2.0"}}, "2.0")[0]
    mixed = process_checks(beats, {ProcessName.WORKER: {"1.0", "2.0"}}, "2.0")[0]

    assert same.verdict is Verdict.OK
    assert (mixed.verdict, mixed.text) == (
        Verdict.WARN,
        "Process worker: release 1.0 is running, and 2.0 is installed. Restart it.",
    )


@pytest.mark.parametrize(
    ("seconds", "verdict"),
    [(0, "ok"), (30, "ok"), (-30, "ok"), (31, "warn"), (-300, "warn"), (301, "fail"), (-86_400, "fail")],
)
def test_a_clock_that_differs_is_a_warning_and_far_off_a_failure(seconds: int, verdict: str) -> None:
    check = clock_check("the database", NOON, NOON + timedelta(seconds=seconds))

    assert check.verdict == verdict
    if verdict != "ok":
        words = "ahead of" if seconds > 0 else "behind"
        assert f"it is {abs(seconds)} seconds {words} that of the database" in check.text


def test_the_date_of_an_answer_is_a_clock_when_it_can_be_read() -> None:
    said = [
        dated_clock_checks("it", date, NOON) for date in ("Sun, 04 May 2031 11:00:00 GMT", "soon", "", None)
    ]

    assert [[check.verdict for check in checks] for checks in said] == [[Verdict.FAIL], [], [], []]


@pytest.mark.parametrize(
    ("left", "verdict"),
    [
        (timedelta(days=90), "ok"),
        (timedelta(days=14), "ok"),
        (timedelta(days=13, hours=23), "warn"),
        (timedelta(hours=1), "warn"),
        (timedelta(hours=-1), "fail"),
    ],
)
def test_a_certificate_is_renewed_before_it_ends(left: timedelta, verdict: str) -> None:
    assert certificate_check(NOON + left, NOON).verdict == verdict


def test_a_backup_is_not_older_than_a_day() -> None:
    note = {"at": "2031-05-04T00:00:00.000Z", "folder": "/backup/1"}

    def verdict(age: timedelta) -> Verdict:
        return backup_check(note, NOON - age, NOON).verdict

    assert backup_check(None, None, NOON).text.startswith("Backup: no backup was ever made")
    assert backup_check(note, None, NOON).verdict is Verdict.WARN
    assert (verdict(timedelta(hours=26)), verdict(timedelta(hours=27))) == (Verdict.OK, Verdict.WARN)
    assert verdict(timedelta(hours=-1)) is Verdict.WARN


def test_failed_jobs_are_counted_with_the_reason_of_the_newest() -> None:
    assert job_check(0, None).verdict is Verdict.OK
    assert (job_check(2, "collect-stream: No space left").verdict, job_check(2, "a: b").text) == (
        Verdict.WARN,
        "Background jobs: 2 failed for good; the newest: a: b",
    )


def test_an_audit_problem_without_a_row_names_no_row() -> None:
    check = audit_check(AuditVerdict(8, None, None, "3 addresses and words are erased, and 2 noted"))

    assert check.text.startswith("Audit trail: broken: 3 addresses and words are erased, and 2 noted. ")
