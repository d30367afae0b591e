"""One researcher who asks for much at once: limits hold, and others are answered."""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from requests import Response
from seqfacility_instance.accounts import throttle
from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import system_now
from seqfacility_instance.tables.base import database
from seqfacility_testkit.facility import OTHER_RESEARCHER, RESEARCHER
from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.soak import record, rounds

ROWS = rounds(500, 5000)
AT_ONCE = 10


def test_orders_begun_at_once_are_counted_like_those_begun_in_a_row(live_facility: LiveFacility) -> None:
    researcher = live_facility.sign_in(RESEARCHER)
    cookies = researcher.cookies
    researcher_id = researcher.get("/api/auth/session").json()["user"]["id"]
    left = 20
    with database.connection_context(), database.atomic():
        for _ in range(limits.ORDERS_PER_HOUR - left):
            throttle.count_attempt("user:orders", researcher_id, system_now())

    def begin(_number: int) -> int:
        client = LiveClient(live_facility)
        client.cookies.update(cookies)
        with client:
            return client.post("/api/orders", json={}).status_code

    with ThreadPoolExecutor(AT_ONCE) as people:
        statuses = Counter(people.map(begin, range(left + 5)))

    assert statuses == {201: left, 429: 5}


def test_large_saves_of_one_researcher_leave_the_database_to_others(live_facility: LiveFacility) -> None:
    greedy, other = live_facility.sign_in(RESEARCHER), live_facility.sign_in(OTHER_RESEARCHER)
    order_ids = [greedy.post("/api/orders", json={}).json()["order"]["id"] for _ in range(AT_ONCE)]
    rows = [{"sampleAlias": f"S{number}"} for number in range(ROWS)]
    barrier = threading.Barrier(AT_ONCE + 1)

    def save(order_id: str) -> Response:
        client = LiveClient(live_facility)
        client.cookies.update(greedy.cookies)
        barrier.wait()
        with client:
            return client.post(f"/api/orders/{order_id}/samples", json={"samples": rows})

    with ThreadPoolExecutor(AT_ONCE) as people:
        answers = [people.submit(save, order_id) for order_id in order_ids]
        barrier.wait()
        asked = other.post("/api/orders", json={})
        statuses = Counter(answer.result().status_code for answer in answers)
    again = greedy.post(f"/api/orders/{order_ids[0]}/samples", json={"samples": []})

    assert asked.status_code == 201
    assert set(statuses) <= {200, 429}
    assert statuses[200] >= 1
    assert again.status_code == 200
    record(
        "Large saves of one researcher do not keep others from writing.",
        tried=f"{AT_ONCE} bulk saves of {ROWS} samples at once, and an order of somebody else",
        found=f"{statuses[200]} were saved, {statuses[429]} told to come again, the order took "
        f"{asked.elapsed.total_seconds():.1f} s, no 503",
    )
