"""What the worker counts for a monitoring system."""

import json
from datetime import datetime, timedelta

import pytest
from prometheus_client import REGISTRY
from seqfacility_instance.background import queue
from seqfacility_instance.core.seen_keys import SeenKeys
from seqfacility_instance.core.vocabulary.pipelines import RunStatus
from seqfacility_instance.runs.service.finish import end_of_run
from seqfacility_instance.site.state_gauges import StateGauges
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.site import SequencingTechCatalog
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.one_of_each import make_one_of_each


def value(name: str, **labels: str) -> float | None:
    return REGISTRY.get_sample_value(f"seqfacility_{name}", labels)


def refresh(facility: Facility, now: datetime) -> None:
    StateGauges(facility.services.health, SeenKeys(timedelta())).refresh(now)


def test_waiting_work_is_measured_from_when_it_was_due(facility: Facility) -> None:
    now = facility.clock.now()
    ids = make_one_of_each(facility.researcher_id, facility.admin_id, now)
    refresh(facility, now)
    assert (value("job_wait_seconds"), value("run_queued_seconds")) == (0, 0)

    queue.enqueue("other", {}, now - timedelta(seconds=40))
    queue.enqueue("other", {}, now, after=now + timedelta(hours=1))
    PipelineRun.update(status=RunStatus.QUEUED, queued_at=now - timedelta(seconds=90)).where(
        PipelineRun.id == ids["run_id"]
    ).execute()
    refresh(facility, now)

    assert (value("job_wait_seconds"), value("run_queued_seconds")) == (40, 90)


def test_the_last_backup_and_the_last_sync_are_timestamps(facility: Facility) -> None:
    now = facility.clock.now()
    at = now - timedelta(days=2)
    SequencingTechCatalog.delete().execute()
    SequencingTechCatalog.create(document={}, last_synced_at=at)
    noted = {"at": "2031-05-04T03:15:00.000Z", "folder": "/b", "files": 1, "bytes": 2}
    (facility.home / "last-backup.json").write_text(json.dumps(noted))

    refresh(facility, now)

    assert value("catalog_synced_timestamp_seconds") == at.timestamp()
    assert value("last_backup_timestamp_seconds") == 1935630900


def test_the_end_of_a_run_is_counted_by_its_status_where_metrics_are_recorded(
    facility: Facility, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = make_one_of_each(facility.researcher_id, facility.admin_id, facility.clock.now())
    before = value("runs_finished_total", status="failed") or 0
    with facility.services.database.atomic():
        end_of_run(ids["run_id"], RunStatus.FAILED, None, facility.clock.now())
    assert (value("runs_finished_total", status="failed") or 0) == before

    monkeypatch.setattr("seqfacility_instance.runs.service.finish.is_recording", lambda: True)
    with facility.services.database.atomic():
        end_of_run(ids["run_id"], RunStatus.FAILED, "again", facility.clock.now())

    assert value("runs_finished_total", status="failed") == before + 1
