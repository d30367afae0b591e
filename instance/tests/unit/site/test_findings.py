"""What is said of the health of an installation, from what was seen of it."""

import shutil
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from seqfacility_instance.core.vocabulary.pipelines import Engine
from seqfacility_instance.core.vocabulary.site import DatabaseEngine, ProcessName
from seqfacility_instance.site.engine_versions import EngineSighting, SchedulerSighting
from seqfacility_instance.site.findings import Finding, HealthFacts, Severity, findings
from seqfacility_instance.site.health import (
    Folders,
    FolderState,
    HealthReport,
    Heartbeat,
    RegistryState,
    VersionNotice,
)

NOW = datetime(2031, 5, 4, 12, tzinfo=UTC)
FAR = Path("/nowhere/at/all")


@pytest.fixture
def report(tmp_path: Path) -> HealthReport:
    here = FolderState(tmp_path)
    return HealthReport(
        engine=DatabaseEngine.SQLITE,
        database_bytes=4096,
        folders=Folders(here, here, here),
        engines={Engine.SNAKEMAKE: EngineSighting("snakemake", True, "9.11.0", NOW)},
        schedulers={"slurm": True},
        heartbeats=[Heartbeat(name, NOW, is_alive=True) for name in ProcessName],
        open_uploads=0,
        stale_uploads=0,
        waiting_jobs=0,
        failed_jobs=0,
        registry=RegistryState("https://registry.example/api", True, NOW, None, [], []),
        refused_folders=[],
    )


WELL = HealthFacts(
    now=NOW,
    min_free_bytes=0,
    streams_enabled=True,
    default_backend="slurm",
    scheduler=SchedulerSighting(None, NOW),
    polls_registry=True,
    backup_at=NOW - timedelta(hours=2),
    mail_is_wanted=True,
    mail_is_complete=True,
    failed_mails=0,
    retrying_mails=0,
    failing_webhooks=[],
    audit_is_broken=False,
    audit_verified_at=NOW,
    audit_head_is_noted=True,
)


def of(found: list[Finding], about: str) -> Finding:
    (one,) = [finding for finding in found if finding.about == about]
    return one


def test_where_everything_is_well_nothing_is_advised(report: HealthReport) -> None:
    found = findings(report, WELL)

    assert {finding.severity for finding in found} == {Severity.OK}
    assert [finding.advice for finding in found if finding.advice] == []


@pytest.mark.parametrize(
    ("about", "change", "severity", "page"),
    [
        ("space", {"min_free_bytes": 2**62}, Severity.BAD, "/facility/settings?section=storage"),
        ("backup", {"backup_at": None}, Severity.WARN, None),
        ("backup", {"backup_at": NOW - timedelta(hours=26, seconds=1)}, Severity.WARN, None),
        ("backup", {"backup_at": NOW - timedelta(hours=26)}, Severity.OK, None),
        ("mail", {"mail_is_complete": False}, Severity.BAD, "/facility/settings?section=mail"),
        ("mail", {"failed_mails": 3}, Severity.WARN, "/facility/mail"),
        ("mail", {"retrying_mails": 3}, Severity.WARN, "/facility/settings?section=mail"),
        ("scheduler", {"scheduler": SchedulerSighting(None, None)}, Severity.UNKNOWN, None),
        (
            "scheduler",
            {"scheduler": SchedulerSighting("its controller is silent.", NOW)},
            Severity.BAD,
            "/facility/settings?section=execution",
        ),
        ("webhooks", {"failing_webhooks": [NOW]}, Severity.WARN, "/facility/webhooks"),
        ("audit", {"audit_is_broken": True}, Severity.BAD, "/facility/audit"),
        ("audit", {"audit_verified_at": None}, Severity.UNKNOWN, "/facility/audit"),
        ("heads", {"audit_head_is_noted": False}, Severity.OK, "/facility/settings?section=audit"),
    ],
)
def test_each_thing_has_its_severity_and_the_page_where_it_is_put_right(
    report: HealthReport, about: str, change: dict[str, object], severity: Severity, page: str | None
) -> None:
    one = of(findings(report, replace(WELL, **change)), about)  # type: ignore[arg-type]

    assert (one.severity, one.page) == (severity, page)
    assert severity in {Severity.OK, Severity.UNKNOWN} or one.advice


def test_one_thing_is_told_from_several(report: HealthReport) -> None:
    one = replace(WELL, failed_mails=1, failing_webhooks=[NOW])
    several = replace(WELL, failed_mails=2, failing_webhooks=[NOW, NOW])

    def said(known: HealthFacts, jobs: int) -> list[str]:
        found = findings(replace(report, failed_jobs=jobs), known)
        return [of(found, about).state for about in ("mail", "webhooks", "jobs")]

    assert said(one, 1) == [
        "1 mail could not be sent.",
        "1 does not arrive.",
        "1 job of the worker was given up.",
    ]
    assert said(several, 2) == [
        "2 mails could not be sent.",
        "2 do not arrive.",
        "2 jobs of the worker were given up.",
    ]


def test_what_is_worst_comes_first_and_what_nobody_saw_is_not_well(report: HealthReport) -> None:
    silent = [Heartbeat(name, None, is_alive=False) for name in ProcessName]
    unread = RegistryState("https://registry.example/api", True, None, None, [], [])
    seen = replace(
        report,
        heartbeats=silent,
        registry=unread,
        engines={Engine.SNAKEMAKE: EngineSighting("snakemake", True, None, None)},
    )

    found = findings(seen, replace(WELL, backup_at=None))

    order = [list(Severity).index(finding.severity) for finding in found]
    assert order == sorted(order)
    assert of(found, "worker").severity is Severity.BAD
    assert of(found, "registry").severity is Severity.UNKNOWN
    assert of(found, "snakemake").severity is Severity.UNKNOWN


def test_a_registry_that_nobody_asks_is_unknown(report: HealthReport) -> None:
    unread = RegistryState("https://registry.example/api", False, None, None, [], [])

    one = of(findings(replace(report, registry=unread), replace(WELL, polls_registry=False)), "registry")

    assert (one.severity, one.page) == (Severity.UNKNOWN, "/facility/settings?section=registry")


def test_each_notice_says_what_to_do(report: HealthReport) -> None:
    notice = VersionNotice("mag", "5.5.0.1", ["This version was withdrawn: x."], "Take another one.")

    one = of(findings(replace(report, registry=replace(report.registry, notices=[notice])), WELL), "notice")

    assert (one.label, one.advice) == ("Pipeline mag 5.5.0.1", "Take another one.")
    assert one.page == "/facility/pipelines/mag"


@pytest.mark.parametrize("folder", [FolderState(None), FolderState(FAR)])
def test_a_folder_that_is_missing_makes_its_space_unknown_and_names_no_path(
    report: HealthReport, folder: FolderState
) -> None:
    found = findings(replace(report, folders=replace(report.folders, storage=folder)), WELL)

    assert of(found, "storage").severity is Severity.BAD
    assert of(found, "space").severity is Severity.UNKNOWN
    assert not any(str(FAR) in finding.state for finding in found)


def test_runs_that_go_to_a_scheduler_without_a_client_are_told(report: HealthReport) -> None:
    found = findings(replace(report, schedulers={"slurm": False}), WELL)

    assert of(found, "scheduler").severity is Severity.BAD
    local = replace(WELL, default_backend="local", scheduler=None)
    here = findings(replace(report, schedulers={"slurm": False}), local)
    assert of(here, "scheduler").severity is Severity.OK


def test_a_full_disk_is_bad_though_nothing_is_to_be_kept_free(
    report: HealthReport, monkeypatch: pytest.MonkeyPatch
) -> None:
    used = shutil.disk_usage("/")._replace(free=0)
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: used)

    assert of(findings(report, WELL), "space").severity is Severity.BAD


def test_an_engine_that_nobody_asked_is_installed_and_does_not_answer(report: HealthReport) -> None:
    unasked = {Engine.SNAKEMAKE: EngineSighting("snakemake", True, "9.11.0", None)}

    assert of(findings(report, WELL), "snakemake").state == "Version 9.11.0 answers."
    one = of(findings(replace(report, engines=unasked), WELL), "snakemake")
    assert one.state == "Version 9.11.0 is installed."
