"""What every answer keeps, seen over the WSGI client of a tiny application."""

from collections.abc import Iterator

import falcon
import pytest
from falcon.testing import TestClient
from seqfacility_wire.conventions import new_app
from seqfacility_wire.errors import ServiceError, TooManyRequests, ValidationFailed
from seqfacility_wire.path_ids import IdConverter
from seqfacility_wire.requests import query_flag, query_int, read_json_object


class PipelineDisabled(ServiceError):
    status = 403
    message = "Pipeline {pipeline_id} is disabled"


class Things:
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        resp.media = {"limit": query_int(req, "limit", 50, 1, 500), "flag": query_flag(req, "flag")}

    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        resp.media = read_json_object(req, limit_bytes=200)


class Failures:
    def on_get(self, _req: falcon.Request, _resp: falcon.Response, kind: str) -> None:
        errors: dict[str, Exception] = {
            "disabled": PipelineDisabled(pipeline_id="{mag}"),
            "invalid": ValidationFailed(["a: is required"]),
            "busy": TooManyRequests(7),
            "bug": RuntimeError("/secret/path"),
        }
        raise errors[kind]


class Streamed:
    """A body that holds something until it is closed."""

    def __init__(self) -> None:
        self.is_open = False

    def on_get(self, _req: falcon.Request, resp: falcon.Response) -> None:
        self.is_open = True
        resp.stream = self
        resp.content_length = 3

    def __iter__(self) -> Iterator[bytes]:
        yield b"abc"

    def close(self) -> None:
        self.is_open = False


@pytest.fixture
def client() -> TestClient:
    app = new_app("1.2.3", [])
    app.router_options.converters["id"] = IdConverter
    app.add_route("/things", Things())
    app.add_route("/failures/{kind:id}", Failures())
    return TestClient(app)


def test_every_answer_carries_the_fixed_headers(client: TestClient) -> None:
    headers = client.simulate_get("/things").headers

    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-service-version"] == "1.2.3"
    assert len(headers["x-request-id"]) == 16


@pytest.mark.parametrize(
    ("sent", "is_kept"), [("abc.DEF_1-2", True), ("a b", False), ("x" * 65, False), ("a\n", False)]
)
def test_a_callers_request_id_is_kept_when_it_is_plain(client: TestClient, sent: str, is_kept: bool) -> None:
    answer = client.simulate_get("/things", headers={"X-Request-Id": sent})

    assert (answer.headers["x-request-id"] == sent) is is_kept


@pytest.mark.parametrize(
    ("method", "path", "status", "body"),
    [
        ("GET", "/nothing", 404, {"error": "Not found"}),
        ("GET", "/things/", 404, {"error": "Not found"}),
        ("GET", "/failures/a%00b", 404, {"error": "Not found"}),
        ("PATCH", "/things", 405, {"error": "Method not allowed"}),
        ("GET", "/failures/disabled", 403, {"error": "Pipeline {mag} is disabled"}),
        ("GET", "/failures/invalid", 400, {"error": "Validation failed", "details": ["a: is required"]}),
        ("GET", "/failures/busy", 429, {"error": "Too many requests"}),
        ("GET", "/failures/bug", 500, {"error": "Internal server error"}),
    ],
)
def test_every_refusal_is_json_with_one_error(
    client: TestClient, method: str, path: str, status: int, body: dict[str, object]
) -> None:
    answer = client.simulate_request(method, path, headers={"Accept": "application/xml"})

    assert (answer.status_code, answer.json) == (status, body)
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "no-store"


def test_a_wait_is_told_in_seconds(client: TestClient) -> None:
    assert client.simulate_get("/failures/busy").headers["retry-after"] == "7"


def test_a_wrong_method_is_told_the_right_ones(client: TestClient) -> None:
    assert client.simulate_patch("/things").headers["allow"] == "GET, HEAD, OPTIONS, POST"


def test_a_head_is_its_get_without_the_body(client: TestClient) -> None:
    got, head = client.simulate_get("/things"), client.simulate_head("/things")

    assert head.status_code == 200
    assert head.content == b""
    assert head.headers["content-length"] == got.headers["content-length"]


def test_options_are_a_bare_204(client: TestClient) -> None:
    answer = client.simulate_options("/things")

    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.headers["allow"] == "GET, HEAD, OPTIONS, POST"
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize(
    ("body", "document"),
    [
        (b"", {}),
        (b"  \n", {}),
        (b'\xef\xbb\xbf{"a": 1}', {"a": 1}),
        (b'{"a": 1, "a": 2}', {"a": 2}),
        (b'{"a": "\\u00e9"}', {"a": "\u00e9"}),
    ],
)
def test_a_json_object_is_read_whatever_its_content_type_says(
    client: TestClient, body: bytes, document: dict[str, object]
) -> None:
    answer = client.simulate_post("/things", body=body, headers={"Content-Type": "text/plain"})

    assert (answer.status_code, answer.json) == (200, document)


@pytest.mark.parametrize(
    "body",
    [b"{", b"\xff\xfe", b'{"a": NaN}', b'{"a": Infinity}', b'{"a": 1e999}', b'{"a": "\\ud800"}', b"[" * 190],
)
def test_what_is_no_json_is_refused(client: TestClient, body: bytes) -> None:
    answer = client.simulate_post("/things", body=body)

    assert (answer.status_code, answer.json) == (400, {"error": "Invalid JSON body"})


@pytest.mark.parametrize("body", [b"[]", b'"text"', b"null", b"7"])
def test_json_that_is_no_object_is_refused(client: TestClient, body: bytes) -> None:
    answer = client.simulate_post("/things", body=body)

    assert (answer.status_code, answer.json) == (400, {"error": "Request body must be a JSON object"})


def test_a_body_over_the_limit_is_refused_at_one_byte_more(client: TestClient) -> None:
    fits, too_large = b'{"a": "%s"}' % (b"x" * 191), b'{"a": "%s"}' % (b"x" * 192)

    assert client.simulate_post("/things", body=fits).status_code == 200
    refused = client.simulate_post("/things", body=too_large)
    assert (refused.status_code, refused.json) == (413, {"error": "Request body is too large"})


@pytest.mark.parametrize(
    ("query", "limit"),
    [
        ("", 50),
        ("limit=7", 7),
        ("limit=0", 1),
        ("limit=501", 500),
        ("limit=-3", 1),
        ("limit=" + "9" * 30, 500),
        ("limit=x", 50),
        ("limit=1_0", 50),
        ("limit=%D9%A3", 50),
        ("limit=5%0A", 50),
        ("limit=", 50),
        ("limit=3&limit=9", 9),
    ],
)
def test_an_integer_parameter_is_clamped_or_its_default(client: TestClient, query: str, limit: int) -> None:
    assert client.simulate_get("/things", query_string=query).json["limit"] == limit


@pytest.mark.parametrize(
    ("query", "is_on"), [("flag=true", True), ("flag=1", True), ("flag=yes", False), ("", False)]
)
def test_a_flag_is_on_for_its_words_only(client: TestClient, query: str, is_on: bool) -> None:
    assert client.simulate_get("/things", query_string=query).json["flag"] is is_on


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_streamed_body_is_closed_also_where_only_its_head_is_asked_for(method: str) -> None:
    app, streamed = new_app("1.2.3", []), Streamed()
    app.add_route("/streamed", streamed)

    answer = TestClient(app).simulate_request(method, "/streamed")

    assert answer.headers["content-length"] == "3"
    assert not streamed.is_open
