"""Made-up methods, and what a path may write into the log."""

import logging

import pytest
from falcon import Request, Response
from falcon.testing import StartResponseMock, TestClient, create_environ
from seqfacility_wire.conventions import new_app


class _Things:
    def on_get(self, _req: Request, resp: Response) -> None:
        resp.media = {}


def _asked(method: str, path: str) -> StartResponseMock:
    app = new_app("1.0.0", [])
    app.add_route("/things", _Things())
    environ = create_environ(path)
    environ["REQUEST_METHOD"] = method
    answered = StartResponseMock()
    b"".join(app(environ, answered))
    return answered


@pytest.mark.parametrize("method", ["BREW", "get", "PROPFIND", "TRACE", "DELETE"])
def test_a_method_that_the_route_does_not_have_is_405_and_made_up_ones_too(method: str) -> None:
    answered = _asked(method, "/things")

    assert answered.status.startswith("405")
    assert answered.headers_dict["allow"] == "GET, HEAD, OPTIONS"
    assert _asked(method, "/nothing").status.startswith("404")


def test_a_line_break_in_a_path_makes_no_second_line_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "seqfacility.http")
    app = new_app("1.0.0", [])

    TestClient(app).simulate_get("/a%0D%0AGET /forged 200")

    assert len(caplog.messages) == 1
    assert caplog.messages[0].startswith("GET /a%0D%0AGET%20/forged%20200 404 ")
