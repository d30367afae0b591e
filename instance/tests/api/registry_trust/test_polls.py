"""The worker's daily poll of the registry: what it learns, what it costs, and that it never disturbs."""

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from peewee import PostgresqlDatabase
from seqfacility_instance.facility_settings.identity_record import find_identity
from seqfacility_instance.pipelines import store
from seqfacility_instance.pipelines.registry_polls import RegistryPolls, next_poll
from seqfacility_instance.pipelines.service import bundled_payloads
from seqfacility_instance.registry_trust.reading import TrustedRegistry
from seqfacility_instance.settings import read_settings
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.messages import Notification
from seqfacility_instance.tables.people import AuditEvent
from seqfacility_instance.tables.pipelines import PipelinePackage
from seqfacility_instance.tables.registry_polls import RegistryPoll
from seqfacility_instance.tables.site import BackgroundJob
from seqfacility_testkit.facility import ADMIN, PASSWORD, Facility
from seqfacility_testkit.lying_mirror import SignedAnswers, pipeline_documents
from seqfacility_testkit.pipeline_runs import running, status_of, use_scripted_executor
from seqfacility_testkit.registry import StandInRegistry
from seqfacility_testkit.sequencing import submitted_order
from seqfacility_testkit.waiting import wait_until

INDEX = "/api/registry"
PIPELINE = "fastq-checksum"
DAY = timedelta(days=1)


def registry_of(facility: Facility) -> TrustedRegistry:
    return facility.services.runs.pipeline_installation.registry


@pytest.fixture
def registry(facility: Facility) -> Iterator[StandInRegistry]:
    """Return a registry that the instance reads, and that answers nothing yet."""
    with StandInRegistry() as registry:
        object.__setattr__(registry_of(facility).client, "base_url", registry.base_url)
        yield registry


def polls_of(facility: Facility, *, has_registry: bool = True) -> RegistryPolls:
    return RegistryPolls(registry_of(facility), facility.services.facility, facility.clock, has_registry)


def tick(facility: Facility) -> None:
    facility.services.worker.tick(facility.clock.now())


def next_day(facility: Facility) -> None:
    """Let the facility's time of the day come once, however the worker is woken."""
    tick(facility)
    facility.clock.advance(DAY)
    tick(facility)
    facility.admin = facility.sign_in(ADMIN)


def health(facility: Facility) -> Any:
    return facility.admin.get("/api/admin/health").json["registry"]


def facility_id() -> str:
    identity = find_identity()
    assert identity is not None
    return identity.facility_id


def installed_version() -> str:
    return PipelinePackage.get(PipelinePackage.pipeline_id == PIPELINE).version


def publish(registry: StandInRegistry, reason: str) -> None:
    """Publish an index that withdraws what is installed here."""
    version = {"version": installed_version(), "status": "yanked", "yankReason": reason}
    entry = {"id": PIPELINE, "status": "withdrawn", "versions": [version]}
    index = {"version": "1.0.0", "lastUpdated": "2031-05-04", "categories": [], "pipelines": [entry]}
    registry.answers[INDEX] = json.dumps(index).encode()


def with_other_digest(document: bytes) -> bytes:
    return re.sub(rb'"sha256": "\w+"', b'"sha256": "%s"' % (b"ab" * 32), document)


def reason() -> str | None:
    return PipelinePackage.get(PipelinePackage.pipeline_id == PIPELINE).yank_reason


def test_a_registry_is_polled_once_a_day_at_the_facilitys_time(
    facility: Facility, registry: StandInRegistry
) -> None:
    publish(registry, "Counts twice.")
    tick(facility)
    before = list(registry.asked)
    for _ in range(48):
        facility.clock.advance(timedelta(hours=1))
        tick(facility)

    assert before == []
    assert registry.asked == [INDEX, INDEX]


def test_of_several_workers_one_polls(facility: Facility, registry: StandInRegistry) -> None:
    publish(registry, "Counts twice.")
    workers = [polls_of(facility) for _ in range(3)]

    for _ in range(3):
        for worker in workers:
            worker.sweep(facility.clock.now())
        while facility.services.worker.do_next_job():
            pass
        facility.clock.advance(DAY)

    assert registry.asked == [INDEX, INDEX]


def test_a_poll_is_a_job_so_that_a_silent_registry_keeps_no_heartbeat_waiting(
    facility: Facility, registry: StandInRegistry
) -> None:
    publish(registry, "Counts twice.")
    polls = polls_of(facility)
    polls.sweep(facility.clock.now())
    facility.clock.advance(DAY)

    assert (polls.sweep(facility.clock.now()), registry.asked) == (True, [])
    (job,) = BackgroundJob.select()
    assert (job.kind, job.status) == ("registry-poll", "waiting")


def test_a_facility_that_names_no_registry_polls_nobody(
    facility: Facility, registry: StandInRegistry
) -> None:
    polls = polls_of(facility, has_registry=False)

    for _ in range(3):
        assert polls.sweep(facility.clock.now()) is False
        facility.clock.advance(DAY)

    assert registry.asked == []
    assert BackgroundJob.select().count() == RegistryPoll.select().count() == 0
    assert read_settings({"SEQFACILITY_HOME": "/x"}).has_registry is False


def test_a_poll_that_failed_is_tried_again_after_about_an_hour(
    facility: Facility, registry: StandInRegistry
) -> None:
    next_day(facility)
    failed_at, due_at = facility.clock.now(), RegistryPoll.get().due_at
    publish(registry, "Counts twice.")
    facility.clock.advance(timedelta(minutes=44))
    tick(facility)
    early = len(registry.asked)
    facility.clock.advance(timedelta(minutes=32))
    tick(facility)

    assert timedelta(minutes=45) <= due_at - failed_at <= timedelta(minutes=75)
    assert (early, len(registry.asked)) == (1, 2)
    assert reason() == "Counts twice."
    assert RegistryPoll.get().due_at == next_poll(facility_id(), facility.clock.now())


def test_a_poll_that_failed_is_never_later_for_it(facility: Facility, registry: StandInRegistry) -> None:
    tick(facility)
    regular = RegistryPoll.get().due_at

    store.poll_sooner(registry.base_url, regular + timedelta(minutes=1))

    assert RegistryPoll.get().due_at == regular


def test_a_signed_registry_that_lists_another_package_under_an_installed_version_is_told(
    facility: Facility, signed: SignedAnswers
) -> None:
    signed.publish(pipeline_documents(PIPELINE, installed_version()))
    next_day(facility)
    same = health(facility)["notices"]
    documents = pipeline_documents(PIPELINE, installed_version())
    signed.publish({name: with_other_digest(content) for name, content in documents.items()})
    next_day(facility)

    (told,) = health(facility)["notices"]
    said = "The registry signs another package under this version, with the SHA-256 abababababab…"
    assert (same, told["warnings"]) == ([], [said])
    pipelines = facility.admin.get("/api/admin/pipelines").json["pipelines"]
    assert {one["id"]: one.get("otherSha256") for one in pipelines}[PIPELINE] == "ab" * 32
    titles = {row.title for row in Notification.select().where(Notification.type == "pipeline-notice")}
    assert titles == {f"Pipeline {PIPELINE} {installed_version()}: {said}"}
    assert AuditEvent.get(AuditEvent.action == "pipeline-noticed").detail["otherSha256"] == "ab" * 32


def test_what_an_unsigned_registry_lists_is_compared_with_nothing(
    facility: Facility, registry: StandInRegistry
) -> None:
    documents = pipeline_documents(PIPELINE, installed_version())
    registry.answers[INDEX] = with_other_digest(documents["registry"])
    next_day(facility)

    assert health(facility)["notices"] == []


def test_what_is_installed_while_a_poll_learns_is_learned_by_the_next(
    facility: Facility, registry: StandInRegistry
) -> None:
    publish(registry, "Counts twice.")
    registry.etags[INDEX] = '"one"'
    tick(facility)
    row = PipelinePackage.get(PipelinePackage.pipeline_id == PIPELINE)
    facts = (row.pipeline_id, row.version, row.origin, row.sha256, row.folder, None, facility.clock.now())
    row.delete_instance()

    def poll() -> None:
        with database.connection_context():
            polls_of(facility).poll({})

    with ThreadPoolExecutor(1) as pool:
        with database.atomic():
            store.add_package(*facts)
            polled = pool.submit(poll)
            wait_until(lambda: polled.done() or (bool(registry.asked) and waits_for_a_lock()), "the poll")
        polled.result()
    polls_of(facility).poll({})

    assert reason() == "Counts twice."


def waits_for_a_lock() -> bool:
    """Return whether PostgreSQL lets somebody wait; with SQLite whoever writes second always does."""
    if not isinstance(database.obj, PostgresqlDatabase):
        return True
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    return bool(database.execute_sql(waiting).fetchone()[0])


def test_a_clock_that_was_set_back_delays_a_poll_by_a_day_at_most(
    facility: Facility, registry: StandInRegistry
) -> None:
    facility.clock.advance(400 * DAY)
    tick(facility)
    facility.clock.advance(-400 * DAY)

    tick(facility)
    facility.clock.advance(DAY)
    tick(facility)

    assert registry.asked == [INDEX]


def test_a_poll_learns_what_was_withdrawn(facility: Facility, registry: StandInRegistry) -> None:
    publish(registry, "Counts twice.")

    next_day(facility)

    assert reason() == "Counts twice."
    shown = health(facility)
    assert (shown["address"], shown["error"], shown["warnings"]) == (registry.base_url, None, [])
    assert shown["polledAt"] is not None


def test_an_index_that_did_not_change_is_not_sent_again(
    facility: Facility, registry: StandInRegistry
) -> None:
    publish(registry, "Counts twice.")
    registry.etags[INDEX] = '"one"'
    for _ in range(3):
        next_day(facility)
    publish(registry, "Counts three times.")
    registry.etags[INDEX] = '"two"'
    next_day(facility)

    assert registry.statuses == [200, 304, 304, 200]
    assert registry.headers[1]["If-None-Match"] == '"one"'
    assert reason() == "Counts three times."


def test_what_was_installed_meanwhile_is_looked_up_in_an_unchanged_index(
    facility: Facility, registry: StandInRegistry
) -> None:
    publish(registry, "Counts twice.")
    registry.etags[INDEX] = '"one"'
    next_day(facility)
    (payload,) = [body for name, body in bundled_payloads().items() if name.startswith(PIPELINE)]
    PipelinePackage.delete().where(PipelinePackage.pipeline_id == PIPELINE).execute()
    facility.services.runs.pipeline_installation.install_file(payload)

    next_day(facility)

    assert registry.statuses == [200, 200]
    assert reason() == "Counts twice."


@pytest.mark.parametrize("etag", ["no-quotes", '"a\tb"', '"' + "x" * 129 + '"'])
def test_what_is_no_tag_is_not_sent_back(facility: Facility, registry: StandInRegistry, etag: str) -> None:
    publish(registry, "Counts twice.")
    registry.etags[INDEX] = etag

    for _ in range(2):
        next_day(facility)

    assert registry.statuses == [200, 200]
    assert health(facility)["error"] is None


def test_of_a_signed_index_that_did_not_change_a_poll_reads_the_timestamp_alone(
    facility: Facility, signed: SignedAnswers
) -> None:
    next_day(facility)
    first, signed.registry.asked = signed.registry.asked, []
    signed.put_timestamp(version=3)
    next_day(facility)
    second, signed.registry.asked = signed.registry.asked, []
    signed.publish(pipeline_documents("new-qc", "3.0.0"), version=4)
    next_day(facility)

    assert len(first) == 5  # root.2.json, which is not there, timestamp, snapshot, targets, index
    assert second == ["/api/trust/root.2.json", "/api/trust/timestamp.json"]
    assert len(signed.registry.asked) == 5
    assert health(facility)["error"] is None


def test_signatures_that_end_soon_are_told_on_the_health_page(
    facility: Facility, signed: SignedAnswers
) -> None:
    tick(facility)
    end = f"{signed.now + timedelta(days=7):%Y-%m-%d}"
    shown = []
    for hours in (4 * 24, 2 * 24, 2 * 24):
        facility.clock.advance(timedelta(hours=hours))
        RegistryPoll.update(due_at=facility.clock.now()).execute()
        tick(facility)
        facility.admin = facility.sign_in(ADMIN)
        shown.append(health(facility))

    assert [one["warnings"] for one in shown] == [
        [],
        [f"The registry's timestamp ends on {end}"],
        [f"The registry's timestamp ended on {end}"],
    ]
    assert [one["error"] for one in shown[:2]] == [None, None]
    assert shown[2]["error"].startswith(f"Registry data expired on {end}")


@pytest.mark.parametrize("answer", [None, b"<html>", b"{}", b'{"version": "2.0.0", "pipelines": []}'])
def test_a_registry_that_fails_is_told_on_the_health_page_and_the_worker_goes_on(
    facility: Facility, registry: StandInRegistry, caplog: pytest.LogCaptureFixture, answer: bytes | None
) -> None:
    if answer is not None:
        registry.answers[INDEX] = answer
    next_day(facility)
    failed = health(facility)
    publish(registry, "Counts twice.")
    next_day(facility)

    assert failed["error"].startswith(("API returned 404", "Registry returned", "Registry answers with"))
    assert [one.name for one in caplog.records if one.levelname == "WARNING"] == ["seqfacility.registry.poll"]
    assert health(facility)["error"] is None
    assert reason() == "Counts twice."


def test_a_facility_that_has_switched_the_poll_off_calls_nobody(
    facility: Facility, registry: StandInRegistry
) -> None:
    assert facility.admin.post("/api/auth/confirm", {"password": PASSWORD}).status_code == 200
    saved = facility.admin.patch("/api/admin/settings/registry", {"pollDaily": False})

    for _ in range(3):
        next_day(facility)

    assert saved.json == {"trust": None, "pollDaily": False}
    assert registry.asked == []
    shown = health(facility)
    assert (shown["pollsDaily"], shown["polledAt"], shown["error"]) == (False, None, None)


def test_a_facility_that_is_cut_off_for_ninety_days_runs_its_pipelines_and_then_catches_up(
    facility: Facility, signed: SignedAnswers
) -> None:
    use_scripted_executor(facility)
    next_day(facility)
    answers, signed.registry.answers = signed.registry.answers, {}
    for _ in range(90):
        facility.clock.advance(DAY)
        tick(facility)
    facility.admin, facility.researcher = facility.sign_in(ADMIN), facility.sign_in("ada@lab.test")

    cut_off = health(facility)
    run_id, _folder = running(facility, submitted_order(facility))
    status = status_of(facility, run_id)
    signed.registry.answers = answers
    signed.now = facility.clock.now().replace(microsecond=0)
    signed.publish(pipeline_documents("new-qc", "3.0.0"))
    next_day(facility)

    assert cut_off["error"] is not None
    assert status in {"queued", "running"}
    assert (health(facility)["error"], RegistryPoll.select().count()) == (None, 1)
