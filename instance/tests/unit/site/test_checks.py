"""What `check-setup` says of what was seen."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from seqfacility_instance.core.vocabulary import Engine, ProcessName
from seqfacility_instance.site.checks import (
    Verdict,
    engine_checks,
    folder_checks,
    key_check,
    password_check,
    process_checks,
    schema_check,
    setup_checks,
)
from seqfacility_instance.site.engine_versions import EngineSighting
from seqfacility_instance.site.health import Folders, FolderState, Heartbeat
from seqfacility_instance.site.setup_status import Seen

READY = Seen(is_reachable=True, schema_exists=True, settings_exist=True, has_admin=True)


def test_a_ready_installation_is_four_times_ok() -> None:
    assert [check.verdict for check in setup_checks(READY)] == [Verdict.OK] * 4


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
    assert len(without_streams) == 2


def test_a_full_disk_is_a_warning(tmp_path: Path) -> None:
    folder = FolderState(tmp_path)

    last = folder_checks(Folders(folder, folder, folder), 2**62, streams_enabled=False)[-1]

    assert last.verdict is Verdict.WARN
    assert last.text.startswith("Free space:")


@pytest.mark.parametrize(
    ("versions", "has_slurm", "wants_slurm", "verdicts"),
    [
        ({Engine.SNAKEMAKE: "9.11.0", Engine.NEXTFLOW: None}, False, False, ["ok"]),
        ({Engine.SNAKEMAKE: None, Engine.NEXTFLOW: None}, False, False, ["warn"]),
        ({Engine.SNAKEMAKE: "9.11.0"}, False, True, ["ok", "fail"]),
        ({Engine.SNAKEMAKE: "9.11.0"}, True, True, ["ok", "ok"]),
    ],
)
def test_engines_and_slurm_matter_where_runs_go(
    versions: dict[Engine, str | None], has_slurm: bool, wants_slurm: bool, verdicts: list[str]
) -> None:
    engines = {
        engine: EngineSighting(engine.value, version is not None, version, None)
        for engine, version in versions.items()
    }
    checks = engine_checks(engines, has_slurm=has_slurm, wants_slurm=wants_slurm)

    assert [check.verdict for check in checks] == verdicts


def test_an_engine_that_does_not_answer_is_not_called_missing() -> None:
    silent = {Engine.SNAKEMAKE: EngineSighting("snakemake", True, None, None)}

    checks = engine_checks(silent, has_slurm=False, wants_slurm=False)

    assert "snakemake is installed and gives no version" in checks[0].text


def test_processes_generated_passwords_and_newer_releases_are_warnings() -> None:
    noon = datetime(2031, 5, 4, 12, tzinfo=UTC)
    beats = [
        Heartbeat(ProcessName.WORKER, noon, is_alive=True),
        Heartbeat(ProcessName.MONITOR_RUNS, None, is_alive=False),
    ]

    assert [check.verdict for check in process_checks(beats)] == [Verdict.OK, Verdict.WARN]
    assert (password_check(True).verdict, password_check(False).verdict) == (Verdict.WARN, Verdict.OK)
    assert schema_check([]) == []
    assert "9999_later" in schema_check(["9999_later"])[0].text
