"""A client that announces a body and falls silent."""

from falcon import Request, Response
from falcon.testing import StartResponseMock, create_environ
from seqfacility_wire.conventions import new_app
from seqfacility_wire.requests import read_json_object


class _SilentBody:
    def read(self, _size: int = -1) -> bytes:
        raise TimeoutError


class _Readers:
    def on_post(self, req: Request, resp: Response) -> None:
        resp.media = read_json_object(req)


def test_a_body_that_does_not_arrive_is_the_clients_fault() -> None:
    app = new_app("1.0.0", [])
    app.add_route("/", _Readers())
    environ = create_environ("/", method="POST", headers={"Content-Length": "9"})
    environ["wsgi.input"] = _SilentBody()
    answered = StartResponseMock()

    body = b"".join(app(environ, answered))

    assert answered.status.startswith("408")
    assert body == b'{"error": "Request body did not arrive in time"}'
