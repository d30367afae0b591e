"""The live feed: what a change tells to whom, and that nothing in between is left out."""

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import seqfacility_schemas
from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.messages import NotificationType
from seqfacility_instance.live import store
from seqfacility_instance.live.handover import Way
from seqfacility_instance.live.rules import LISTS, OBJECTS, Position, earliest
from seqfacility_instance.live.service.readers import Reader
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.live import LiveChange
from seqfacility_instance.tables.messages import Notification
from seqfacility_instance.tables.orders import Order
from seqfacility_testkit.facility import Client, Facility, open_facility
from seqfacility_testkit.one_of_each import make_one_of_each
from seqfacility_testkit.sequencing import draft_order, initiate, submitted_order

LIVE = "/api/live"
EVERYTHING = ",".join(LISTS)


class Heard(NamedTuple):
    """What an answer says: kinds of events, topics, and the id to go on from."""

    kinds: list[str]
    topics: set[str]
    last_id: str


def listen(client: Client, topics: str = EVERYTHING, since: str | None = None) -> Heard:
    """Read the feed; a server that hands no connection over ends it with what is known."""
    headers = {} if since is None else {"Last-Event-ID": since}
    answer = client.get(LIVE, params={"topics": topics}, headers=headers)
    assert answer.status_code == 200, answer.text
    kinds, told, last_id = [], set(), ""
    for block in answer.text.removesuffix("\n\n").split("\n\n")[1:]:
        event = dict(line.split(": ", 1) for line in block.splitlines())
        data = json.loads(event["data"])
        assert seqfacility_schemas.problems(f"instance/live-{event['event']}", data) == []
        kinds.append(event["event"])
        last_id = event.get("id", last_id)
        if event["event"] == "changed":
            told.add(data["topic"])
    return Heard(kinds, told, last_id)


@pytest.fixture
def objects(facility: Facility) -> dict[str, str]:
    return make_one_of_each(facility.researcher_id, facility.admin_id, facility.clock.now())


def test_the_feed_is_an_event_stream_that_proxies_pass_on_and_nobody_keeps(facility: Facility) -> None:
    answer = facility.researcher.get(LIVE, params={"topics": "orders"})

    assert answer.headers["content-type"] == "text/event-stream"
    assert answer.headers["x-accel-buffering"] == "no"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.text.startswith("retry: ")


def test_the_first_event_has_an_id_to_go_on_from_and_tells_no_change(facility: Facility) -> None:
    draft_order(facility)

    heard = listen(facility.researcher)

    assert heard.kinds == ["alive"]
    assert listen(facility.researcher, since=heard.last_id).kinds == ["alive"]


def test_a_change_is_told_to_its_owner_and_to_admins_and_to_nobody_else(facility: Facility) -> None:
    since = listen(facility.admin).last_id

    order = draft_order(facility)

    topics = f"{EVERYTHING},order:{order.id}"
    expected = {"orders", "overview", f"order:{order.id}"}
    assert listen(facility.researcher, topics, since).topics == expected
    assert listen(facility.admin, topics, since).topics == expected
    assert listen(facility.other_researcher, topics, since).kinds == ["alive"]


def test_who_can_send_no_header_goes_on_from_the_address(facility: Facility) -> None:
    since = listen(facility.researcher).last_id
    draft_order(facility)

    for params, headers in (
        ({"after": since}, {}),
        ({"after": listen(facility.researcher).last_id}, {"Last-Event-ID": since}),
    ):
        answer = facility.researcher.get(LIVE, params={"topics": "orders", **params}, headers=headers)
        assert '{"topic":"orders"}' in answer.text.replace(" ", "")
    now = listen(facility.researcher).last_id
    silent = facility.researcher.get(LIVE, params={"topics": "orders", "after": now})
    assert "orders" not in silent.text


def test_only_what_was_asked_for_is_told(facility: Facility) -> None:
    since = listen(facility.researcher).last_id
    draft_order(facility)

    assert listen(facility.researcher, "runs,order:unknown", since).topics == set()


def test_an_object_of_somebody_else_is_told_like_one_that_does_not_exist(facility: Facility) -> None:
    since = listen(facility.other_researcher).last_id
    order = draft_order(facility)

    hidden = facility.other_researcher.get(
        LIVE, params={"topics": f"order:{order.id}"}, headers={"Last-Event-ID": since}
    )
    unknown = facility.other_researcher.get(
        LIVE, params={"topics": "order:unknown"}, headers={"Last-Event-ID": since}
    )

    assert hidden.text.split("\n\n")[1:] == unknown.text.split("\n\n")[1:]


def test_a_new_owner_and_the_one_before_hear_of_the_change_of_owners(facility: Facility) -> None:
    order = draft_order(facility)
    since = listen(facility.admin).last_id

    Order.update(user=facility.other_researcher_id).where(Order.id == order.id).execute()

    assert listen(facility.researcher, "orders", since).topics == {"orders"}
    assert listen(facility.other_researcher, "orders", since).topics == {"orders"}
    since = listen(facility.admin).last_id
    Order.update(name="x").where(Order.id == order.id).execute()
    assert listen(facility.researcher, "orders", since).topics == set()


def test_work_that_a_researcher_is_not_shown_is_told_to_admins_alone(facility: Facility) -> None:
    order = submitted_order(facility)
    since = listen(facility.admin).last_id

    initiate(facility, order, 10)

    topics = f"{EVERYTHING},order:{order.id}"
    assert listen(facility.admin, topics, since).topics == {"uploads", "overview", f"order:{order.id}"}
    assert listen(facility.researcher, topics, since).topics == set()


def test_a_notification_is_told_to_its_user_alone(facility: Facility) -> None:
    since = listen(facility.admin).last_id

    Notification.create(user=facility.researcher_id, type=NotificationType.ORDER_STATUS, title="x")

    told = {
        name: "notifications" in listen(getattr(facility, name), "notifications", since).topics
        for name in ("admin", "researcher", "other_researcher")
    }
    assert told == {"admin": False, "researcher": True, "other_researcher": False}


CHANGES = {
    "UPDATE orders SET name = 'x' WHERE id = '{order_id}'": "orders order:{order_id}",
    "UPDATE samples SET tax_id = '9'": "orders order:{order_id} studies study:{study_id}",
    "UPDATE samples SET study_id = NULL": "orders order:{order_id} studies study:{study_id}",
    "UPDATE samplesets SET sample_type = 7": "orders order:{order_id}",
    "UPDATE reads SET checksum1 = 'x'": "orders order:{order_id} studies study:{study_id}",
    "UPDATE sequencing_runs SET notes = 'x'": "order:{order_id}",
    "UPDATE sequencing_uploads SET received_size = 7": "order:{order_id} uploads upload:{upload_id}",
    "UPDATE stream_runs SET total_reads = 7": "order:{order_id} streams stream:{stream_run_id}",
    "UPDATE pipeline_runs SET progress = 7": "runs run:{run_id}",
    "UPDATE pipeline_runs SET queue_position = 7": "runs run:{run_id}",
    "UPDATE pipeline_runs SET queue_reason = 'x', waiting_since = 7": "runs run:{run_id}",
    "UPDATE pipeline_runs SET visible_to_id = NULL": "runs run:{run_id} orders order:{order_id}",
    "UPDATE pipeline_runs SET status = 'failed'": "runs run:{run_id} orders order:{order_id}",
    "UPDATE studies SET title = 'x'": "studies study:{study_id}",
    "UPDATE tickets SET subject = 'x'": "messages message:{ticket_id}",
    "UPDATE ticket_messages SET body = 'x'": "messages message:{ticket_id}",
    "DELETE FROM tickets": "messages message:{ticket_id}",
    "DELETE FROM sequencing_uploads": "order:{order_id} uploads upload:{upload_id}",
    "UPDATE orders SET sample_count = 7": "",
    "UPDATE stream_runs SET last_seen_at = 7, leased_until = 7, lease_holder = 'x'": "",
    "UPDATE pipeline_runs SET leased_until = 7, lease_holder = 'x', queue_checked_at = 7": "",
    "UPDATE pipeline_runs SET progress = progress": "",
    "UPDATE sessions SET last_seen_at = last_seen_at + 1": "",
}


@pytest.mark.parametrize(("statement", "topics"), CHANGES.items())
def test_whoever_writes_a_table_tells_what_it_is_about(
    facility: Facility, objects: dict[str, str], statement: str, topics: str
) -> None:
    ids = objects
    wanted = [
        *(set(LISTS) - {"overview"}),
        *(f"{kind}:{ids[name]}" for kind in OBJECTS for name in ids if name.endswith("_id")),
    ]
    since = listen(facility.admin).last_id

    with database.atomic():
        database.execute_sql(statement.format(**ids))

    parts = [
        wanted[start : start + limits.LIVE_TOPICS] for start in range(0, len(wanted), limits.LIVE_TOPICS)
    ]
    told = [listen(facility.admin, ",".join(part), since).topics for part in parts]
    assert set().union(*told) == set(topics.format(**ids).split())


def test_a_change_that_is_rolled_back_is_told_to_nobody(facility: Facility) -> None:
    order = draft_order(facility)
    since = listen(facility.admin).last_id

    with database.atomic() as transaction:
        Order.update(name="never").where(Order.id == order.id).execute()
        transaction.rollback()

    assert listen(facility.admin, since=since).topics == set()


@pytest.mark.parametrize(
    "topics", [None, "", ",", "users", "orders,users", "order:", "order:a b", "orders:x", "order:" + "x" * 65]
)
def test_topics_that_do_not_exist_are_refused(facility: Facility, topics: str | None) -> None:
    answer = facility.researcher.get(LIVE, params={} if topics is None else {"topics": topics})

    assert answer.status_code == 400
    assert answer.json["error"] == "Validation failed"
    assert answer.json["details"][0].startswith("topics: ")


def test_as_many_topics_as_a_page_may_need_are_taken_and_no_more(facility: Facility) -> None:
    topics = [f"order:{number}" for number in range(limits.LIVE_TOPICS)]

    assert listen(facility.researcher, ",".join(topics)).kinds == ["alive"]
    answer = facility.researcher.get(LIVE, params={"topics": ",".join([*topics, "orders"])})
    assert (answer.status_code, answer.json["details"]) == (400, [f"topics: at most {limits.LIVE_TOPICS}"])


def moved(last_id: str, seconds: int = 0, following: int = 0) -> str:
    at, next_, *still_open = last_id.split(".")
    return ".".join([str(int(at) + seconds), str(int(next_) + following), *still_open])


def test_who_was_away_for_as_long_as_changes_are_kept_is_told_all_of_them(facility: Facility) -> None:
    last_id = listen(facility.researcher).last_id
    draft_order(facility)

    facility.clock.advance(limits.LIVE_REPLAYED - timedelta(seconds=5))

    assert listen(facility.researcher, "orders", last_id).topics == {"orders"}


def test_who_was_away_for_longer_is_told_that_anything_may_have_changed(facility: Facility) -> None:
    last_id = listen(facility.researcher).last_id
    draft_order(facility)

    facility.clock.advance(limits.LIVE_REPLAYED + timedelta(seconds=5))
    heard = listen(facility.researcher, "orders", last_id)

    assert heard.kinds == ["reset"]
    assert listen(facility.researcher, "orders", heard.last_id).kinds == ["alive"]


@pytest.mark.parametrize("change", [{"seconds": 3600}, {"following": 10**9}])
def test_an_id_of_another_time_or_database_is_told_that_anything_may_have_changed(
    facility: Facility, change: dict[str, int]
) -> None:
    last_id = listen(facility.researcher).last_id

    assert listen(facility.researcher, "orders", moved(last_id, **change)).kinds == ["reset"]


@pytest.mark.parametrize(
    "last_id", ["", "x", "1", "1.x", "-1.2", "1.2.", "9" * 16 + ".1", "1." + "2." * 2000, "٣.٣"]
)
def test_an_id_that_we_never_sent_is_told_that_anything_may_have_changed(
    facility: Facility, last_id: str
) -> None:
    headers = {"Last-Event-ID": last_id.encode().decode("latin-1")}
    answer = facility.researcher.get(LIVE, params={"topics": "orders"}, headers=headers)

    assert answer.status_code == 200
    assert "event: reset" in answer.text


def test_who_missed_more_than_is_told_one_by_one_is_told_that_anything_may_have_changed(
    facility: Facility, monkeypatch: pytest.MonkeyPatch
) -> None:
    since = listen(facility.researcher).last_id
    for _ in range(3):
        draft_order(facility)
    monkeypatch.setattr(limits, "LIVE_REPLAYED_CHANGES", 2)

    heard = listen(facility.researcher, since=since)

    assert heard.kinds == ["alive", "reset"]
    assert listen(facility.researcher, since=heard.last_id).kinds == ["alive"]


def test_positions_of_many_readers_make_no_query_that_an_engine_refuses() -> None:
    """An id is what its client says, and SQLite takes 32,766 values in a statement."""
    made_up = [Position(10**9, frozenset(range(first, first + 900))) for first in range(1, 90_000, 900)]

    found = earliest(made_up)

    assert found is not None
    assert len(found.open) <= limits.LIVE_OPEN_TRANSACTIONS
    assert found.next == 1


def test_changes_are_removed_once_nobody_is_told_of_them_and_numbers_go_on(facility: Facility) -> None:
    first, second = draft_order(facility), draft_order(facility)
    before = store.current_position()

    facility.clock.advance(limits.LIVE_KEPT + timedelta(minutes=1))
    assert store.prune(facility.clock.now())

    left = {change.object_id for change in LiveChange.select()}
    assert first.id not in left
    assert second.id in left  # SQLite counts on from the newest
    assert store.current_position().next >= before.next
    since = listen(facility.admin).last_id
    draft_order(facility)
    assert "orders" in listen(facility.admin, since=since).topics


def test_a_person_has_as_many_readers_as_browsers_and_is_then_told_to_wait(facility: Facility) -> None:
    feed = facility.services.live
    caller = facility.services.sessions.find_caller(facility.researcher.cookie or "", "127.0.0.1")
    assert caller is not None
    answers = []
    for _ in range(limits.LIVE_READERS_PER_PERSON):
        answer = feed.follow(caller, frozenset({"orders"}), None, 9, Way(hands_over=True, is_chunked=True))
        assert isinstance(answer.reader, Reader)
        answers.append(answer)

    with pytest.raises(Exception, match="Too many live connections"):
        feed.follow(caller, frozenset({"orders"}), None, 9, Way(hands_over=True, is_chunked=True))
    answers[0].close()
    answers[0] = feed.follow(caller, frozenset({"orders"}), None, 9, Way(hands_over=True, is_chunked=True))
    for answer in answers:
        answer.close()


@pytest.fixture
def demo(facility_template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Facility]:
    monkeypatch.setenv("SEQFACILITY_DEMO", "1")
    opened = open_facility(facility_template, tmp_path)
    yield opened
    opened.close()
    assert opened.contract.violations == []


def visitor(facility: Facility, role: str) -> tuple[Client, Any]:
    answer = facility.anonymous.post("/api/demo/session", {"as": role})
    client = Client(facility, answer.cookies["service_session"].value)
    return client, client.get("/api/orders").json["orders"][0]["id"]


def test_a_demo_workspace_hears_of_its_own_rows_and_is_heard_by_no_other(demo: Facility) -> None:
    visiting, order_id = visitor(demo, "admin")
    neighbour, _ = visitor(demo, "admin")
    since = listen(demo.admin).last_id

    Order.update(name="seen").where(Order.id == order_id).execute()

    assert listen(visiting, "orders", since).topics == {"orders"}
    assert listen(neighbour, "orders", since).topics == set()
    assert listen(demo.admin, "orders", since).topics == set()
    since = listen(demo.admin).last_id
    draft_order(demo)
    assert listen(demo.admin, "orders", since).topics == {"orders"}
    assert listen(visiting, "orders", since).topics == set()
