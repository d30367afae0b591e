"""Version, modules, site facts and health, as the documents print them."""

from datetime import timedelta

from seqfacility_instance.core.vocabulary.site import ProcessName
from seqfacility_instance.daemons.heartbeat import Heartbeat
from seqfacility_instance.tables.site import ProcessHeartbeat
from seqfacility_instance.version import RELEASE
from seqfacility_testkit.facility import Facility

DEFAULT_MODULES = {
    "ai-validation": True,
    "mixs-metadata": True,
    "account-validation": False,
    "funding-info": False,
    "billing-info": False,
    "ena-sample-fields": True,
    "dynamic-studies": False,
    "notifications": False,
}


def test_everybody_may_ask_for_the_version(facility: Facility) -> None:
    answer = facility.anonymous.get("/api/version")

    assert (answer.status_code, answer.json) == (200, {"version": RELEASE})
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-service-version"] == RELEASE


def test_modules_need_a_session(facility: Facility) -> None:
    answer = facility.anonymous.get("/api/modules")

    assert (answer.status_code, answer.json) == (401, {"error": "Unauthorized"})


def test_without_stored_configuration_the_modules_are_the_defaults(facility: Facility) -> None:
    answer = facility.researcher.get("/api/modules")

    assert (answer.status_code, answer.json) == (200, {"modules": DEFAULT_MODULES, "globalDisabled": False})


def test_switching_changes_only_the_modules_that_are_named(facility: Facility) -> None:
    first = facility.admin.put("/api/admin/modules", {"modules": {"funding-info": True}})
    second = facility.admin.put("/api/admin/modules", {"globalDisabled": True})

    assert first.json == {"modules": {**DEFAULT_MODULES, "funding-info": True}, "globalDisabled": False}
    assert second.json == {"modules": {**DEFAULT_MODULES, "funding-info": True}, "globalDisabled": True}
    assert facility.researcher.get("/api/modules").json == second.json
    assert facility.admin.get("/api/admin/modules").json == second.json


def test_an_unknown_module_or_a_word_for_a_switch_changes_nothing(facility: Facility) -> None:
    answer = facility.admin.put(
        "/api/admin/modules", {"modules": {"funding-info": True, "blockchain": True, "notifications": "yes"}}
    )

    assert answer.status_code == 400
    assert answer.json == {
        "error": "Validation failed",
        "details": [
            "modules.blockchain: is not a known module",
            "modules.notifications: must be true or false",
        ],
    }
    assert facility.admin.get("/api/admin/modules").json["modules"] == DEFAULT_MODULES


def test_the_site_tells_everybody_whether_registration_is_open(facility: Facility) -> None:
    facility.admin.patch("/api/admin/settings/access", {"siteName": "Core Lab", "allowRegistration": False})

    assert facility.anonymous.get("/api/site").json == {
        "siteName": "Core Lab",
        "contactEmail": None,
        "registrationOpen": False,
        "demo": False,
        "postSubmissionInstructions": "",
    }


def test_health_is_a_word(facility: Facility) -> None:
    answer = facility.anonymous.get("/api/health")

    assert (answer.status_code, answer.json) == (200, {"status": "ok"})


def test_an_admin_sees_how_the_installation_fares(facility: Facility) -> None:
    Heartbeat(ProcessName.WORKER).beat("worker", facility.clock.now() - timedelta(seconds=30))
    Heartbeat(ProcessName.MONITOR_RUNS).beat("monitor-runs", facility.clock.now() - timedelta(seconds=90))

    answer = facility.admin.get("/api/admin/health").json

    assert answer["version"] == RELEASE
    assert answer["database"]["engine"] == facility.services.health.engine.value
    assert answer["database"]["sizeBytes"] > 0
    assert answer["storage"]["configured"] is answer["storage"]["writable"] is True
    assert answer["storage"]["freeBytes"] > 0
    assert answer["runDirectory"] == {"configured": True, "exists": True, "writable": True}
    alive = {process["name"]: process["alive"] for process in answer["processes"]}
    assert alive == {"monitor-runs": False, "monitor-streams": False, "worker": True}
    assert (answer["uploads"], answer["background"]) == (
        {"open": 0, "stale": 0},
        {"waiting": 0, "failed": 0},
    )


def test_health_tells_what_the_worker_saw_of_the_engines_and_asks_none(facility: Facility) -> None:
    facility.services.facility.change("execution", {"nextflowCommand": "/no/nextflow"}, facility.clock.now())
    before = facility.admin.get("/api/admin/health").json["engines"]
    checked_at = "2031-05-04T09:08:07.123Z"
    answers = {"found": True, "version": "9.11.0", "checkedAt": checked_at}
    silent = {"found": True, "version": None, "checkedAt": checked_at}
    stored = {
        "snakemake": {"command": "snakemake", **answers},
        "nextflow": {"command": "/no/nextflow", **silent},
    }
    Heartbeat(ProcessName.WORKER, lambda: stored).beat("worker", facility.clock.now())

    after = facility.admin.get("/api/admin/health").json["engines"]
    facility.services.facility.change("execution", {"nextflowCommand": "/no/other"}, facility.clock.now())
    changed = facility.admin.get("/api/admin/health").json["engines"]

    assert before["nextflow"] == {"found": False, "version": None, "checkedAt": None}
    assert before["snakemake"]["checkedAt"] is None
    assert after == {"snakemake": answers, "nextflow": silent}
    assert changed["nextflow"] == before["nextflow"]


def test_a_sign_of_life_from_a_clock_that_was_ahead_hides_no_dead_process(facility: Facility) -> None:
    now = facility.clock.now()
    beat = Heartbeat(ProcessName.WORKER).beat
    beat("worker", now + timedelta(days=1))

    worker = facility.admin.get("/api/admin/health").json["processes"][-1]
    assert worker == {"name": "worker", "lastHeartbeatAt": None, "alive": False}

    beat("worker", now)
    worker = facility.admin.get("/api/admin/health").json["processes"][-1]
    assert (worker["name"], worker["alive"]) == ("worker", True)
    assert ProcessHeartbeat.select().count() == 1


def test_health_of_the_inside_is_for_admins(facility: Facility) -> None:
    refused = facility.researcher.get("/api/admin/health")

    assert (refused.status_code, refused.json) == (403, {"error": "Unauthorized"})
