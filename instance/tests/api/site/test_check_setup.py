"""What `check-setup` finds around a facility that is set up, on either database, and how it prints it."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
from seqfacility_instance.background import queue
from seqfacility_instance.backup.last_backup import LAST_BACKUP_NAME
from seqfacility_instance.cli import main
from seqfacility_instance.core.vocabulary.site import ProcessName
from seqfacility_instance.daemons.heartbeat import Heartbeat
from seqfacility_instance.tables.site import BackgroundJob, ProcessHeartbeat
from seqfacility_testkit.facility import Facility

LABELS = (
    "Database",
    "File system",
    "Locks and links",
    "Inodes",
    "Clock",
    "Backup",
    "Background jobs",
    "Registry",
)


def said(facility: Facility, label: str) -> list[str]:
    checks = facility.services.setup_checks.run()
    return [f"{check.verdict} {check.text}" for check in checks if check.text.startswith(label)]


def test_each_thing_that_a_facility_lies_on_has_its_line(facility: Facility) -> None:
    found = [check.text for check in facility.services.setup_checks.run()]
    is_server = isinstance(facility.services.settings.database_address, str)
    expected = [label for label in LABELS if label != "Clock" or is_server]

    assert [label for label in LABELS if any(text.startswith(label) for text in found)] == expected


def test_the_database_is_named_with_its_version_and_latency(facility: Facility) -> None:
    (line,) = said(facility, "Database")
    is_server = isinstance(facility.services.settings.database_address, str)

    assert line.startswith(f"ok Database: {'PostgreSQL' if is_server else 'SQLite'} ")
    assert line.endswith(" ms.")


def test_a_clock_that_is_wrong_is_seen_against_a_database_server(facility: Facility) -> None:
    if not isinstance(facility.services.settings.database_address, str):
        assert said(facility, "Clock") == []
        return
    assert said(facility, "Clock") == ["ok Clock: it agrees with that of the database."]
    facility.clock.advance(timedelta(hours=1))
    assert said(facility, "Clock")[0].startswith(
        "fail Clock: it is 3600 seconds ahead of that of the database"
    )


@pytest.mark.parametrize("note", ["", "null", "[]", '{"at": "soon"}', '{"createdAt": 7}'])
def test_a_note_of_a_backup_that_cannot_be_read_is_no_backup(facility: Facility, note: str) -> None:
    assert said(facility, "Backup") == [
        "warn Backup: no backup was ever made. Run `seqfacility backup` every day."
    ]
    (facility.services.settings.home / LAST_BACKUP_NAME).write_text(note)

    assert said(facility, "Backup") == [
        "warn Backup: last-backup.json cannot be read. Run `seqfacility backup`."
    ]


def test_a_backup_grows_old(facility: Facility) -> None:
    note = {"at": facility.clock.now().isoformat(), "folder": "/backup/1"}
    (facility.services.settings.home / LAST_BACKUP_NAME).write_text(json.dumps(note))

    assert said(facility, "Backup")[0].startswith("ok Backup: the last one is /backup/1 of ")
    facility.clock.advance(timedelta(hours=27))
    assert said(facility, "Backup")[0].startswith("warn Backup: the last one is /backup/1 of ")


def test_a_job_that_was_given_up_is_named(facility: Facility) -> None:
    now = facility.clock.now()
    queue.enqueue("collect-stream", {}, now)
    job = BackgroundJob.get()
    BackgroundJob.update(lease_holder="w").execute()
    queue.fail_permanently(job, "w", "No space\nleft", now)

    assert said(facility, "Background jobs") == [
        "warn Background jobs: 1 failed for good; the newest: collect-stream: No space left"
    ]


def test_a_process_of_an_earlier_release_is_told_beside_a_newer_one(facility: Facility) -> None:
    now = facility.clock.now()
    Heartbeat(ProcessName.WORKER).beat("worker", now)
    assert said(facility, "Process worker") == ["ok Process worker: is running."]
    other = {"name": ProcessName.WORKER, "instance": "other:1", "started_at": now, "last_heartbeat_at": now}
    with facility.services.database.connection_context():
        ProcessHeartbeat.insert(**other, release="0.0.9").execute()

    (line,) = said(facility, "Process worker")

    assert line.startswith("warn Process worker: release 0.0.9 is running, and ")


def test_checks_are_printed_as_json_and_only_those_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SEQFACILITY_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("SEQFACILITY_DATABASE_URL", raising=False)

    codes = [
        main(["check-setup", "--json"]),
        main(["check-setup", "--json", "--only", "database"]),
        main(["check-setup", "--only", "schema", "--only", "Settings"]),
    ]

    printed = capsys.readouterr().out
    decoder = json.JSONDecoder()
    every, end = decoder.raw_decode(printed)
    one, length = decoder.raw_decode(printed[end:].lstrip())
    assert codes == [1, 0, 1]
    assert [sorted(check) for check in every] == [["text", "verdict"]] * 4
    assert one == [every[0]]
    assert every[0] == {"verdict": "ok", "text": "Database: The database answers."}
    lines = printed[end:].lstrip()[length:].strip().splitlines()
    assert [line.split(":")[0] for line in lines] == ["fail Schema", "warn Settings"]
