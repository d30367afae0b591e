"""The first hour of a facility: what is missing, done one after the other, put away and brought back."""

import json
from datetime import timedelta
from typing import Any

from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.facility_settings import store
from seqfacility_instance.tables.people import AuditEvent
from seqfacility_instance.tables.registry_polls import RegistryPoll
from seqfacility_instance.tables.site import SequencingTechCatalog
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.queries import counted_queries
from seqfacility_wire.timestamps import format_time

PATH = "/api/admin/first-hour"
ORDER = ["STORAGE", "CATALOG", "PIPELINE", "RUNS", "BACKUP", "PEOPLE", "FORM"]


def first_hour(facility: Facility) -> dict[str, Any]:
    answer = facility.admin.get(PATH)
    assert answer.status_code == 200, answer.text
    return dict(answer.json)


def step(facility: Facility, step_id: str) -> dict[str, Any]:
    (found,) = [one for one in first_hour(facility)["steps"] if one["id"] == step_id]
    return dict(found)


def texts(facility: Facility, step_id: str) -> str:
    return " ".join(check["text"] for check in step(facility, step_id)["checks"])


def disable_pipelines(facility: Facility) -> None:
    for pipeline in facility.admin.get("/api/admin/pipelines").json["pipelines"]:
        assert (
            facility.admin.put(f"/api/admin/pipelines/{pipeline['id']}", {"enabled": False}).status_code
            == 200
        )


def test_a_new_facility_is_told_what_is_missing_and_in_which_order(facility: Facility) -> None:
    shown = first_hour(facility)

    assert [one["id"] for one in shown["steps"]] == ORDER
    states = {one["id"]: one["state"] for one in shown["steps"]}
    assert states["STORAGE"] == states["PIPELINE"] == states["PEOPLE"] == "ok"
    assert states["CATALOG"] == states["BACKUP"] == states["FORM"] == "warn"
    assert [one["id"] for one in shown["steps"] if not one["needed"]] == ["FORM"]
    assert shown["shown"]
    assert not shown["putAway"]


def test_the_data_folder_and_its_room_are_told(facility: Facility) -> None:
    assert f"Data folder: {facility.data} is there." in texts(facility, "STORAGE")
    assert "GB are left." in texts(facility, "STORAGE")

    facility.admin.patch("/api/admin/settings/storage", {"minFreeBytes": 2**62})

    assert step(facility, "STORAGE")["state"] == "warn"
    assert "Make room." in texts(facility, "STORAGE")


def test_a_data_folder_whose_disk_no_longer_tells_of_it_is_missing_and_no_crash(facility: Facility) -> None:
    """A name that is too long is refused by the system as a disk that is gone is: by an error of its own."""
    row = store.find_row()
    assert row is not None
    gone = {**store.stored_section(row, "storage"), "dataBasePath": f"/{'x' * 300}"}
    assert store.claim_section(row, "storage", gone, facility.clock.now())

    assert step(facility, "STORAGE")["state"] == "fail"
    assert step(facility, "PIPELINE")["state"] != "ok"
    assert facility.admin.get("/api/admin/health").status_code == 200
    assert facility.admin.get("/api/admin/pipelines/readiness").status_code == 200


def test_a_shipped_catalog_is_enough(facility: Facility) -> None:
    facility.admin.post("/api/admin/sequencing-tech", {"action": "reset"})

    assert step(facility, "CATALOG")["state"] == "ok"
    assert "ships with this release" in texts(facility, "CATALOG")


def test_a_registry_that_did_not_answer_is_told_until_a_fetch_from_it_succeeds(facility: Facility) -> None:
    facility.admin.post("/api/admin/sequencing-tech", {"action": "reset"})
    address, polled_at = facility.services.settings.registry_url, facility.clock.now()
    object.__setattr__(facility.services.health.settings, "has_registry", True)
    RegistryPoll.create(
        address=address, due_at=polled_at, polled_at=polled_at, error="The registry did not answer"
    )

    def fetched(url: str, after: timedelta) -> str:
        values = {"sync_url": url, "last_synced_at": polled_at + after}
        SequencingTechCatalog.update(values).execute()
        return str(step(facility, "CATALOG")["state"])

    assert "Registry: when it was last asked: The registry did not answer." in texts(facility, "CATALOG")
    assert fetched(f"{address}/registry/sequencing-tech", -timedelta(minutes=1)) == "warn"
    assert fetched("https://elsewhere.example/catalog", timedelta(minutes=1)) == "warn"
    assert fetched(f"{address}/registry/sequencing-tech", timedelta(minutes=1)) == "ok"


def test_an_enabled_pipeline_is_judged_by_its_readiness(facility: Facility) -> None:
    disable_pipelines(facility)
    assert "none is enabled" in texts(facility, "PIPELINE")

    facility.admin.put("/api/admin/pipelines/fastq-checksum", {"enabled": True})

    assert step(facility, "PIPELINE") == {
        "id": "PIPELINE",
        "state": "ok",
        "needed": True,
        "checks": [{"verdict": "ok", "text": "Pipeline fastq-checksum: can be run."}],
    }

    facility.admin.patch("/api/admin/settings/execution", {"snakemakeCommand": "no-such-program"})

    assert step(facility, "PIPELINE")["state"] == "warn"
    assert "Snakemake is missing" in texts(facility, "PIPELINE")


def test_what_no_worker_has_asked_is_unknown_or_missing_and_never_good(facility: Facility) -> None:
    assert step(facility, "RUNS")["state"] != "ok"
    assert "Process worker: is not running." in texts(facility, "RUNS")


def test_the_age_of_the_last_backup_counts(facility: Facility) -> None:
    def state_after(age: timedelta) -> str:
        made_at = format_time(facility.clock.now() - age)
        (facility.home / "last-backup.json").write_text(json.dumps({"at": made_at, "folder": "/backups/1"}))
        return str(step(facility, "BACKUP")["state"])

    assert state_after(timedelta(hours=25)) == "ok"
    assert state_after(timedelta(hours=27)) == "warn"


def test_mail_is_a_step_once_it_is_configured(facility: Facility) -> None:
    facility.admin.patch("/api/admin/settings/mail", {"host": "mail.lab.test"})

    assert step(facility, "MAIL")["state"] == "fail"
    assert "has no from" in texts(facility, "MAIL")


def test_an_order_form_of_ones_own_is_done(facility: Facility) -> None:
    config = facility.admin.get("/api/admin/form-config").json
    saved = facility.admin.put(
        "/api/admin/form-config", {"fields": config["fields"], "groups": config["groups"]}
    )
    assert saved.status_code == 200, saved.text

    assert step(facility, "FORM") == {
        "id": "FORM",
        "state": "ok",
        "needed": False,
        "checks": [{"verdict": "ok", "text": "Order form: it is your own."}],
    }


def test_it_is_put_away_for_every_admin_brought_back_and_recorded(facility: Facility) -> None:
    away = facility.admin.put(PATH, {"putAway": True}).json
    later = first_hour(facility)
    back = facility.admin.put(PATH, {"putAway": False}).json

    assert (away["putAway"], away["shown"]) == (True, False)
    assert later == away
    assert away["open"] > 0
    assert (back["putAway"], back["shown"]) == (False, True)
    rows = AuditEvent.select().where(AuditEvent.action == AuditAction.SETTINGS_SAVED)
    assert sorted(row.detail["putAway"] for row in rows) == [False, True]


def test_a_word_that_is_neither_is_refused(facility: Facility) -> None:
    answer = facility.admin.put(PATH, {"putAway": "perhaps"})

    assert answer.status_code == 400
    assert answer.json["details"] == ["putAway: must be true or false"]


def test_asking_now_asks_the_engines(facility: Facility) -> None:
    answer = facility.admin.post(PATH)

    assert answer.status_code == 200, answer.text
    (runs,) = [one for one in answer.json["steps"] if one["id"] == "RUNS"]
    assert runs["state"] != "unknown"
    assert any(check["text"].startswith("Workflow engines: ") for check in runs["checks"])


def test_check_setup_says_the_same_of_catalog_pipelines_and_people(facility: Facility) -> None:
    disable_pipelines(facility)
    lines = [check.text for check in facility.services.first_hour.setup_checks()]

    assert lines[-2:] == [
        "Pipelines: none is enabled, so reads cannot be analysed. Enable one.",
        "People: 2 researchers have an account.",
    ]
    assert lines[0] == texts(facility, "CATALOG").split(" Registry: ")[0]


def test_looking_costs_the_same_whatever_the_facility_has_done(facility: Facility) -> None:
    def cost() -> int:
        first_hour(facility)
        with counted_queries() as queries:
            first_hour(facility)
        return len(queries)

    before = cost()
    for number in range(5):
        order = {"name": f"Lake {number}", "platform": "ILLUMINA"}
        assert facility.researcher.post("/api/orders", order).status_code == 201

    assert cost() == before
