"""A URL table that forgets to say who may call stops the start."""

import falcon
import pytest
from falcon.testing import TestClient
from seqfacility_instance.access.classes import ADMIN, ANYONE, SIGNED_IN
from seqfacility_instance.routing import Route, access_table, add_routes


class Readable:
    def on_get(self, _req: falcon.Request, resp: falcon.Response, **_params: str) -> None:
        resp.media = {}


class Writable(Readable):
    def on_put(self, _req: falcon.Request, resp: falcon.Response, **_params: str) -> None:
        resp.media = {}


def test_a_responder_without_a_stated_access_stops_the_start() -> None:
    with pytest.raises(AssertionError, match="/api/things"):
        add_routes(falcon.App(), [Route("/api/things", Writable(), GET=ANYONE)])


def test_a_stated_access_without_a_responder_stops_the_start() -> None:
    with pytest.raises(AssertionError, match="/api/things"):
        add_routes(falcon.App(), [Route("/api/things", Readable(), GET=ANYONE, PUT=ADMIN)])


def test_the_guard_reads_the_access_of_each_method() -> None:
    table = access_table([Route("/api/things", Writable(), GET=SIGNED_IN, PUT=ADMIN)])

    assert table == {"/api/things": {"GET": SIGNED_IN, "PUT": ADMIN}}


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/things/aB3_-", 200),
        (f"/api/things/{'x' * 64}", 200),
        (f"/api/things/{'x' * 65}", 404),
        ("/api/things/a.b", 404),
        ("/api/things/a%00", 404),
        ("/api/things/a%0a", 404),
        ("/api/things/", 404),
        ("/api/things/a/", 404),
    ],
)
def test_a_path_with_what_can_be_no_id_is_unknown(path: str, status: int) -> None:
    app: falcon.App[falcon.Request, falcon.Response] = falcon.App()
    add_routes(app, [Route("/api/things/{thing_id:id}", Readable(), GET=ANYONE)])

    assert TestClient(app).simulate_get(path).status_code == status
