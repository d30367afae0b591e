"""What a log line says, in which form, and what it never says."""

import json
import logging

import pytest
from falcon import Request
from falcon.testing import TestClient
from seqfacility_testkit.log_lines import logged
from seqfacility_wire import logs
from seqfacility_wire.conventions import new_app
from seqfacility_wire.environment import InvalidVariable


def test_a_request_is_one_line_of_text_without_its_query() -> None:
    with logged() as lines:
        TestClient(new_app("1.0.0", [])).simulate_get(
            "/nothing", query_string="token=s3cret", headers={"X-Request-Id": "r1"}
        )

    (line,) = lines()
    assert "INFO seqfacility.http GET /nothing 404 " in line
    assert line.endswith(" r1")
    assert "s3cret" not in line


def test_each_request_log_line_ends_with_id_address_and_user() -> None:
    class Known:
        def on_get(self, req: Request, _resp: object) -> None:
            req.context.logged |= {"address": "192.0.2.7", "user": "u1"}
            logging.getLogger("elsewhere").warning("half way")

    app = new_app("1.0.0", [])
    app.add_route("/things", Known())
    with logged() as lines:
        TestClient(app).simulate_get("/things", headers={"X-Request-Id": "r3"})
        logging.getLogger("elsewhere").warning("afterwards")

    half, request, afterwards = lines()
    assert half.endswith(" WARNING elsewhere half way r3 address=192.0.2.7 user=u1")
    assert request.endswith("ms r3 address=192.0.2.7 user=u1")
    assert afterwards.endswith(" WARNING elsewhere afterwards")


def test_as_json_each_line_is_an_object_that_names_its_request() -> None:
    class Failing:
        def on_get(self, req: Request, _resp: object) -> None:
            req.context.logged["user"] = "u1"
            logging.getLogger("elsewhere").warning("half way")
            raise RuntimeError("a\nb")

    app = new_app("1.0.0", [])
    app.add_route("/things", Failing())
    with logged({"SEQFACILITY_LOG_FORMAT": "json"}) as read:
        TestClient(app).simulate_get("/things", headers={"X-Request-Id": "r2"})
        logging.getLogger("elsewhere").warning("afterwards")

    lines = [json.loads(line) for line in read()]
    assert [line["message"].split()[0] for line in lines] == ["half", "GET", "GET", "afterwards"]
    assert [line.get("requestId") for line in lines] == ["r2", "r2", "r2", None]
    assert [line.get("user") for line in lines] == ["u1", "u1", "u1", None]
    assert "RuntimeError: a\nb" in lines[1]["exc_info"]
    request = lines[2]
    assert (request["level"], request["logger"]) == ("INFO", "seqfacility.http")
    assert (request["method"], request["path"], request["status"]) == ("GET", "/things", 500)
    assert request["durationMs"] >= 0
    assert request["time"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("SEQFACILITY_LOG_FORMAT", "must be text or json"),
        ("SEQFACILITY_LOG_LEVEL", "must be debug, info, warning or error"),
    ],
)
def test_a_form_or_level_that_there_is_not_is_an_invalid_variable(name: str, reason: str) -> None:
    with pytest.raises(InvalidVariable) as refused:
        logs.configure_logging({name: "xml"})

    assert str(refused.value) == f"{name}: {reason}"


@pytest.mark.parametrize(
    "line",
    [
        "GET /api/pipelines/weblog?runId=1&token=S3CRET&x=1",
        "Cookie: service_session=S3CRET; other=1",
        "{'Authorization': 'Bearer S3CRET'}".replace("'", '"'),
        "authorization: basic S3CRET",
        "GET /d/S3CRET_S3CRET-S3CRET/files/a_R1.fastq.gz 200",
        "GET /invite/S3CRET 200",
        "cannot connect to postgresql://facility:S3CRET@db.example/facility",
    ],
)
def test_secrets_that_a_library_might_log_are_hidden(line: str) -> None:
    shown = logs.scrub(line)

    assert "S3CRET" not in shown
    assert "[hidden]" in shown
