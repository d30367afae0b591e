"""Many readers and people who work, at one web process."""

import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import pytest
import requests
from seqfacility_instance.connections import CONNECTIONS_PER_ADDRESS
from seqfacility_instance.core import limits
from seqfacility_instance.web_server import THREADS_PER_WORKER
from seqfacility_testkit.facility import PASSWORD, RESEARCHER
from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.live_readers import LiveReader, RefusedReader, people
from seqfacility_testkit.nginx import DEBIAN_PACKAGE, find_nginx, free_port, running_nginx
from seqfacility_testkit.waiting import wait_until

READERS = THREADS_PER_WORKER + 24
PROXY = Path(__file__).parents[3] / "deploy/nginx/seqfacility-proxy.conf"


@pytest.fixture
def one_process(live_facility: LiveFacility) -> LiveFacility:
    assert live_facility.server is not None
    live_facility.server.stop()
    live_facility.workers = 1
    live_facility.serve()
    return live_facility


@contextmanager
def reading(facility: LiveFacility, count: int, asked: str = "orders") -> Iterator[list[LiveReader]]:
    readers: list[LiveReader] = []
    try:
        with people(facility.home, count) as made:
            for _, token in made:
                reader = LiveReader(lambda: facility.base, token, asked)
                reader.connect()
                readers.append(reader)
        yield readers
    finally:
        for reader in readers:
            reader.close()


def test_more_readers_than_threads_take_none_from_those_who_work(one_process: LiveFacility) -> None:
    researcher = one_process.sign_in(RESEARCHER)
    assert one_process.server is not None

    with reading(one_process, READERS):
        (worker,) = one_process.server.children()
        threads = len(list(Path(f"/proc/{worker}/task").iterdir()))
        answer = researcher.post("/api/orders", json={"name": "a name"})

    assert answer.status_code == 201
    assert threads < READERS / 2


def reader_of(client: LiveClient, asked: str = "orders") -> LiveReader:
    return LiveReader(lambda: client.facility.base, client.cookies["service_session"], asked)


def test_an_open_reader_hears_of_what_others_do_and_of_nothing_else(one_process: LiveFacility) -> None:
    admin, researcher = one_process.sign_in(), one_process.sign_in(RESEARCHER)

    with (
        reader_of(researcher, "orders,runs") as own,
        reader_of(admin, "orders,runs") as facility,
        reading(one_process, 1) as [stranger],
    ):
        researcher.post("/api/orders", json={"name": "a name"})
        own.read_until({"orders"})
        facility.read_until({"orders"})
        stranger.read(1.5)

        assert own.topics == facility.topics == {"orders"}
        assert stranger.topics == set()


def test_a_reader_ends_with_its_session(one_process: LiveFacility) -> None:
    researcher = one_process.sign_in(RESEARCHER)
    token = researcher.cookies["service_session"]
    with reader_of(researcher) as reader:
        researcher.post("/api/auth/sign-out")

        wait_until(lambda: not reader.read(1), "the answer ends")
    with pytest.raises(RefusedReader, match="401"):
        LiveReader(lambda: one_process.base, token, "orders").connect()


def test_a_reader_ends_when_its_session_is_ended_elsewhere_or_gets_another_token(
    one_process: LiveFacility,
) -> None:
    here, elsewhere = one_process.sign_in(RESEARCHER), one_process.sign_in(RESEARCHER)
    with reader_of(here) as own, reader_of(elsewhere) as other:
        here.delete("/api/auth/sessions")
        wait_until(lambda: not other.read(1), "the answer ends")
        assert own.read(1)

        body = {"currentPassword": PASSWORD, "newPassword": "another long password"}
        assert here.post("/api/auth/password", json=body).status_code == 200
        wait_until(lambda: not own.read(1), "the answer ends")
    assert here.get("/api/modules").status_code == 200


def test_a_reader_ends_when_its_account_is_deactivated(one_process: LiveFacility) -> None:
    admin, researcher = one_process.sign_in(), one_process.sign_in(RESEARCHER)
    user_id = researcher.get("/api/auth/session").json()["user"]["id"]
    with reader_of(researcher) as reader:
        assert admin.patch(f"/api/admin/users/{user_id}", json={"isActive": False}).status_code == 200

        wait_until(lambda: not reader.read(1), "the answer ends")


def test_places_of_readers_who_have_gone_are_free_again(one_process: LiveFacility) -> None:
    researcher = one_process.sign_in(RESEARCHER)

    for _ in range(3 * limits.LIVE_READERS_PER_PERSON):
        reader = reader_of(researcher)
        wait_until(partial(_connects, reader), "there is room")
        reader.close()


def _connects(reader: LiveReader) -> bool:
    try:
        reader.connect()
    except RefusedReader as refused:
        return "429" not in str(refused)
    return True


def test_who_asks_for_the_head_of_a_feed_takes_no_place(one_process: LiveFacility) -> None:
    researcher = one_process.sign_in(RESEARCHER)
    for _ in range(limits.LIVE_READERS_PER_PERSON + 1):
        assert researcher.head("/api/live?topics=orders").status_code == 200

    with reader_of(researcher) as reader:
        assert reader.last_id


def test_a_server_that_is_told_to_stop_ends_all_answers_and_does_not_wait_for_them(
    one_process: LiveFacility,
) -> None:
    assert one_process.server is not None
    with reading(one_process, READERS) as readers:
        one_process.server.process.send_signal(signal.SIGTERM)
        exit_code = one_process.server.stop()

        assert exit_code == 0
        for reader in readers:
            while reader.read(10):
                pass


def test_a_reader_that_was_away_while_the_server_was_started_again_misses_nothing(
    one_process: LiveFacility,
) -> None:
    researcher = one_process.sign_in(RESEARCHER)
    with reader_of(researcher) as reader:
        reader.close()
        researcher.post("/api/orders", json={"name": "a name"})
        assert one_process.server is not None

        one_process.server.stop()
        one_process.serve()

        reader.read_until({"orders"})
        assert reader.resets == 0


def test_hints_pass_through_nginx_at_once_and_more_of_them_than_other_connections_of_one_address(
    one_process: LiveFacility, tmp_path: Path
) -> None:
    binary = find_nginx()
    if binary is None:
        pytest.skip(f"needs the Debian package {DEBIAN_PACKAGE}")
    server = PROXY.read_text("utf-8").replace("http://seqfacility", one_process.base)
    researcher = one_process.sign_in(RESEARCHER)
    with running_nginx(binary, server, tmp_path, free_port()) as proxied, ExitStack() as opened:
        for _, token in opened.enter_context(people(one_process.home, CONNECTIONS_PER_ADDRESS + 8)):
            opened.enter_context(LiveReader(lambda: proxied, token, "orders"))
        mine = opened.enter_context(
            LiveReader(lambda: proxied, researcher.cookies["service_session"], "orders")
        )

        answer = requests.post(
            f"{proxied}/api/orders",
            json={"name": "a name"},
            headers={"Cookie": f"service_session={researcher.cookies['service_session']}"},
            timeout=60,
        )

        assert answer.status_code == 201
        mine.read_until({"orders"}, 30)
