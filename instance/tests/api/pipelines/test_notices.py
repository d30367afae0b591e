"""Versions that their registry withdrew, and advisories: refused, kept, told once."""

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any, cast

import pytest
from seqfacility_instance.mail.letters import Letterhead
from seqfacility_instance.pipelines.notice_report import notice_checks
from seqfacility_instance.pipelines.service import bundled_payloads
from seqfacility_instance.tables.mail import OutgoingMail
from seqfacility_instance.tables.messages import Notification
from seqfacility_instance.tables.people import AuditEvent
from seqfacility_instance.tables.pipelines import PipelinePackage
from seqfacility_testkit.facility import ADMIN as ADMIN_EMAIL
from seqfacility_testkit.facility import PASSWORD, Facility
from seqfacility_testkit.pipeline_runs import RUNS, new_run, show, use_scripted_executor
from seqfacility_testkit.registry import StandInRegistry
from seqfacility_testkit.sequencing import submitted_order

ADMIN = "/api/admin/pipelines"
ID = "fastq-checksum"
REASON = "Counts the reads of R2 twice."
ADVISORY = {
    "id": "SFA-2026-0001",
    "published": "2026-11-25",
    "severity": "high",
    "summary": "Takes one checksum for another.",
    "url": "https://registry.example/advisories/1",
}


@pytest.fixture
def registry(facility: Facility) -> Iterator[StandInRegistry]:
    with StandInRegistry() as registry:
        client = facility.services.runs.pipeline_installation.registry.client
        object.__setattr__(client, "base_url", registry.base_url)
        yield registry


@pytest.fixture
def version() -> str:
    """The version of the pipeline that comes with the service."""
    (content,) = [body for name, body in bundled_payloads().items() if name.startswith(ID)]
    return cast("str", json.loads(content)["version"])


def publish(
    registry: StandInRegistry, *rows: dict[str, Any], day: str = "2026-11-01", **keys: object
) -> None:
    """Publish an index of a day and an entry whose versions are `rows`, the newest first."""
    entry = {
        "id": ID,
        "status": "available",
        "latestVersion": rows[0]["version"],
        "versions": [
            {"downloadUrl": "http://elsewhere.invalid/x", "sha256": "0" * 64, **row} for row in rows
        ],
        **keys,
    }
    index = {"version": "1.0.0", "lastUpdated": day, "categories": [], "pipelines": [entry]}
    registry.answers["/api/registry"] = json.dumps(index).encode()
    registry.answers[f"/api/registry/{ID}"] = json.dumps(entry).encode()


def yanked(version: str, reason: str = REASON) -> dict[str, Any]:
    return {"version": version, "status": "yanked", "yankReason": reason}


def store_entry(facility: Facility) -> dict[str, Any]:
    (shown,) = facility.admin.get(f"{ADMIN}/store").json["pipelines"]
    return cast("dict[str, Any]", shown)


def installed(facility: Facility, pipeline_id: str = ID) -> dict[str, Any]:
    (shown,) = [one for one in facility.admin.get(ADMIN).json["pipelines"] if one["id"] == pipeline_id]
    return cast("dict[str, Any]", shown)


def notices() -> list[str]:
    rows = Notification.select().where(Notification.type == "pipeline-notice").order_by(Notification.id)
    return [row.title for row in rows]


def test_a_withdrawn_version_is_not_installed(facility: Facility, registry: StandInRegistry) -> None:
    publish(registry, yanked("9.0.0"))

    for named in ({}, {"version": "9.0.0"}):
        refused = facility.admin.post(f"{ADMIN}/install", {"pipelineId": ID, **named})

        assert refused.status_code == 409
        assert refused.json == {"error": f"Pipeline {ID} 9.0.0 was withdrawn: {REASON}"}
    assert not [path for path in registry.asked if path.endswith("/download")]


def test_a_pipeline_of_which_everything_was_withdrawn_says_so(
    facility: Facility, registry: StandInRegistry
) -> None:
    publish(registry, yanked("9.0.0"), status="withdrawn")

    shown = store_entry(facility)
    refused = facility.admin.post(f"{ADMIN}/install", {"pipelineId": ID})

    assert (shown["installable"], shown["reason"]) == (False, "Every version of this pipeline was withdrawn")
    assert refused.json == {"error": f"Pipeline {ID} 9.0.0 was withdrawn: {REASON}"}


def test_an_installed_version_that_was_withdrawn_is_marked_also_when_the_registry_is_away(
    facility: Facility, registry: StandInRegistry, version: str
) -> None:
    publish(registry, yanked(version), advisories=[{**ADVISORY, "affects": [version], "fixedIn": "9.0.0"}])

    shown = store_entry(facility)
    registry.stop()

    assert facility.admin.get(f"{ADMIN}/store").json["registry"]["reachable"] is False
    said = {**ADVISORY, "fixedIn": "9.0.0"}
    assert (shown["installedYankReason"], shown["installedAdvisories"]) == (REASON, [said])
    pipeline = installed(facility)
    for marked in (pipeline, pipeline["versions"][0]):
        assert (marked["yankReason"], marked["advisories"]) == (REASON, [said])
    readiness = facility.admin.get(f"{ADMIN}/{ID}/readiness").json["pipeline"]["checks"]
    assert {"id": "package", "verdict": "warn", "text": f"This version was withdrawn: {REASON}"} in readiness


def test_a_version_is_withdrawn_since_it_was_seen_first_and_its_runs_say_so_to_admins(
    facility: Facility, registry: StandInRegistry
) -> None:
    use_scripted_executor(facility)
    run = new_run(facility, submitted_order(facility, samples=2))
    used = show(facility, run)
    pipeline, version = used["pipelineId"], used["pipelineVersion"]
    publish(registry, yanked(version), id=pipeline)
    store_entry(facility)
    first = installed(facility, pipeline)["yankSeenAt"]
    facility.clock.advance(timedelta(minutes=5))
    publish(registry, yanked(version, "Other words."), id=pipeline)
    store_entry(facility)

    shown, marked = installed(facility, pipeline), show(facility, run)

    assert "yankReason" not in used
    for one in (shown, shown["versions"][0], marked):
        assert (one["yankReason"], one["yankSeenAt"]) == ("Other words.", first)
    publish(registry, {"version": version}, id=pipeline, day="2026-11-02")
    store_entry(facility)
    for one in (installed(facility, pipeline), show(facility, run)):
        assert not {"yankReason", "yankSeenAt"} & set(one)


def test_admins_are_told_once_and_the_audit_notes_each_change(
    facility: Facility, registry: StandInRegistry, version: str
) -> None:
    publish(registry, yanked(version), advisories=[{**ADVISORY, "affects": [version]}])
    store_entry(facility)
    store_entry(facility)
    told = set(notices())
    admins = len(notices()) // 2
    other = {**ADVISORY, "affects": [version], "summary": "Other."}
    publish(registry, {"version": version}, advisories=[other], day="2026-11-02")
    store_entry(facility)

    assert told == {
        f"Pipeline {ID} {version} was withdrawn: {REASON}",
        f"Pipeline {ID} {version}: Advisory SFA-2026-0001 (high): Takes one checksum for another.",
    }
    assert notices()[2 * admins :] == [f"Pipeline {ID} {version} is no longer withdrawn"] * admins
    noted = AuditEvent.select().where(AuditEvent.action == "pipeline-noticed").order_by(AuditEvent.sequence)
    assert [row.detail for row in noted] == [
        {"version": version, "yankReason": REASON, "advisories": ["SFA-2026-0001"]},
        {"version": version, "yankReason": None, "advisories": ["SFA-2026-0001"]},
    ]
    assert installed(facility)["advisories"][0]["summary"] == "Other."
    assert "yankReason" not in installed(facility)


@pytest.mark.parametrize("rows", [[{"version": "9.0.0"}], []])
def test_a_registry_that_lists_less_takes_no_warning_back(
    facility: Facility, registry: StandInRegistry, version: str, rows: list[dict[str, Any]]
) -> None:
    publish(registry, yanked(version))
    store_entry(facility)

    if rows:
        publish(registry, *rows)
    else:
        registry.answers["/api/registry"] = b'{"version": "1.0.0", "categories": [], "pipelines": []}'
    facility.admin.get(f"{ADMIN}/store")

    assert installed(facility)["yankReason"] == REASON


@pytest.mark.parametrize("day", ["2026-11-01", "2026-10-31", "x"])
def test_an_index_without_signatures_that_is_no_later_takes_no_warning_back(
    facility: Facility, registry: StandInRegistry, version: str, day: str
) -> None:
    publish(registry, yanked(version), advisories=[{**ADVISORY, "affects": [version]}])
    store_entry(facility)
    publish(registry, {"version": version}, day=day)
    store_entry(facility)

    shown = installed(facility)

    assert (shown["yankReason"], shown["advisories"]) == (REASON, [ADVISORY])
    assert AuditEvent.select().where(AuditEvent.action == "pipeline-noticed").count() == 1


def test_a_date_that_is_to_come_keeps_no_later_index_from_taking_a_warning_back(
    facility: Facility, registry: StandInRegistry, version: str
) -> None:
    publish(registry, yanked(version), day="9999-12-31")
    store_entry(facility)
    tomorrow = facility.clock.now() + timedelta(days=1)
    publish(registry, {"version": version}, day=f"{tomorrow:%Y-%m-%d}")
    store_entry(facility)

    assert "yankReason" not in installed(facility)


def test_a_version_that_is_not_listed_is_advised_against(
    facility: Facility, registry: StandInRegistry, version: str
) -> None:
    publish(registry, {"version": "9.0.0"}, advisories=[{**ADVISORY, "affects": [version]}])

    store_entry(facility)

    assert installed(facility)["advisories"] == [ADVISORY]


def test_a_withdrawn_version_is_not_the_highest_one_that_others_are_held_against(
    facility: Facility, registry: StandInRegistry, version: str
) -> None:
    publish(registry, {"version": "0.0.1"})
    before = facility.admin.post(f"{ADMIN}/install", {"pipelineId": ID})
    publish(registry, {"version": "0.0.1"}, yanked(version))

    shown = store_entry(facility)
    refused = facility.admin.post(f"{ADMIN}/install", {"pipelineId": ID})

    assert (before.status_code, refused.json) == (409, {"error": "Pipeline package not found"})
    assert shown["updateAvailable"] is True


def test_the_health_answer_and_check_setup_say_what_was_withdrawn_and_what_to_do(
    facility: Facility, registry: StandInRegistry, version: str
) -> None:
    publish(registry, yanked(version), advisories=[{**ADVISORY, "affects": [version]}])
    store_entry(facility)

    shown = facility.admin.get("/api/admin/health").json["registry"]["notices"]
    assert facility.admin.put(f"{ADMIN}/{ID}", {"enabled": False}).status_code == 200
    then = facility.admin.get("/api/admin/health").json["registry"]["notices"]
    (checked,) = [check.text for check in notice_checks()]

    said = [
        f"This version was withdrawn: {REASON}",
        "Advisory SFA-2026-0001 (high): Takes one checksum for another.",
    ]
    assert [(one["pipelineId"], one["version"], one["warnings"]) for one in shown] == [(ID, version, said)]
    assert {shown[0]["action"], then[0]["action"]} == {
        "New runs use it: make another version current, or disable the pipeline.",
        "No new run uses it; the list of runs shows those that did.",
    }
    assert checked == f"Pipeline {ID} {version}: {' '.join(said)} {then[0]['action']}"


def test_every_admin_is_mailed_what_is_new_and_not_in_the_words_of_the_registry(
    facility: Facility, registry: StandInRegistry, version: str
) -> None:
    mail = {"host": "127.0.0.1", "port": 25, "security": "none", "from": "seq@facility.test"}
    assert facility.admin.post("/api/auth/confirm", {"password": PASSWORD}).status_code == 200
    assert facility.admin.patch("/api/admin/settings/mail", mail).status_code == 200
    publish(registry, yanked(version), advisories=[{**ADVISORY, "affects": [version]}])
    store_entry(facility)
    store_entry(facility)

    (queued,) = OutgoingMail.select().where(OutgoingMail.kind == "pipeline.notice")

    assert queued.user.email == ADMIN_EMAIL
    written = Letterhead("Lab", "seq@facility.test", "https://lab.test").write(
        queued, queued.user.email, queued.facts
    )
    assert f"{ID} {version}".encode() in written
    assert REASON.encode() not in written


def test_a_package_of_a_repository_is_not_the_one_of_the_registry(
    facility: Facility, registry: StandInRegistry, version: str
) -> None:
    PipelinePackage.update(origin="repository").where(PipelinePackage.pipeline_id == ID).execute()
    publish(registry, yanked(version))

    store_entry(facility)

    assert "yankReason" not in installed(facility)
    assert notices() == []


@pytest.mark.parametrize(
    "advisories",
    [
        "x",
        [1, None, {}],
        [{"affects": "1.0.0"}],
        [{**ADVISORY, "affects": [], "id": 5}],
        [{**ADVISORY, "affects": ["9.9.9"]}],
    ],
)
def test_an_advisory_that_makes_no_sense_or_is_about_another_version_is_passed_over(
    facility: Facility, registry: StandInRegistry, version: str, advisories: object
) -> None:
    publish(registry, {"version": version}, advisories=advisories)

    store_entry(facility)

    assert "advisories" not in installed(facility)


def test_what_an_advisory_says_is_cut_and_links_only_to_the_web(
    facility: Facility, registry: StandInRegistry, version: str
) -> None:
    advisory = {**ADVISORY, "affects": [version], "summary": "x" * 900, "url": "javascript:alert(1)"}
    publish(registry, yanked(version, "y" * 900), advisories=[advisory])

    store_entry(facility)

    shown = installed(facility)
    assert shown["yankReason"] == "y" * 500
    assert (shown["advisories"][0]["summary"], "url" in shown["advisories"][0]) == ("x" * 500, False)


def test_whoever_makes_or_starts_a_run_of_a_withdrawn_version_is_warned(
    facility: Facility, registry: StandInRegistry
) -> None:
    use_scripted_executor(facility)
    order = submitted_order(facility, samples=2)
    run_id = new_run(facility, order)
    used = show(facility, run_id)
    publish(registry, yanked(used["pipelineVersion"]), id=used["pipelineId"])
    store_entry(facility)

    path = f"/api/pipelines/{used['pipelineId']}/run-options"
    options = facility.admin.get(path, params={"orderId": order.id}).json["options"]
    started = facility.admin.post(f"{RUNS}/{run_id}/start", {})

    said = f"This version was withdrawn: {REASON}"
    assert options["warnings"] == [said]
    assert said in started.json["warnings"]


def test_the_audit_keeps_which_deleted_runs_used_a_withdrawn_version(
    facility: Facility, registry: StandInRegistry
) -> None:
    use_scripted_executor(facility)
    order = submitted_order(facility, samples=2)
    used = show(facility, new_run(facility, order))
    publish(registry, yanked(used["pipelineVersion"]), id=used["pipelineId"])
    store_entry(facility)
    run_id = new_run(facility, order)
    assert facility.admin.post(f"{RUNS}/{run_id}/start", {}).status_code == 200
    assert facility.admin.delete(f"{RUNS}/{run_id}").status_code == 200
    assert facility.admin.post(f"{RUNS}/{run_id}/delete").status_code == 200

    rows = facility.admin.get("/api/admin/audit", params={"objectId": run_id}).json["events"]
    noted = {row["action"]: row["detail"] for row in rows}

    version = {key: used[key] for key in ("pipelineId", "pipelineVersion")}
    warned = version | {"warnings": [f"This version was withdrawn: {REASON}"]}
    assert noted["run-created"] == warned
    assert noted["run-started"] == {"backend": "local", **warned}
    assert {key: noted["run-deleted"][key] for key in version} == version


def test_the_runs_that_used_a_version_are_listed(facility: Facility) -> None:
    use_scripted_executor(facility)
    run_id = new_run(facility, submitted_order(facility, samples=2))
    used = show(facility, run_id)
    wanted = {"pipelineId": used["pipelineId"], "pipelineVersion": used["pipelineVersion"]}

    found = facility.admin.get(RUNS, params=wanted).json
    none = facility.admin.get(RUNS, params=wanted | {"pipelineVersion": "0.0.1"}).json

    assert ([run["id"] for run in found["runs"]], found["total"]) == ([run_id], 1)
    assert (none["runs"], none["total"]) == ([], 0)
