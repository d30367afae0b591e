"""What a log line says, in which form, and what it never says."""

import io
import json
import logging
from collections.abc import Callable, Iterator

import pytest
from falcon.testing import TestClient
from seqfacility_wire import logs
from seqfacility_wire.conventions import new_app
from seqfacility_wire.environment import InvalidVariable

Read = Callable[[], str]


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[dict[str, str]], Read]]:
    """Open the log under an environment; return what reads its text. Puts back the handlers of before."""
    root = logging.getLogger()
    kept, level = list(root.handlers), root.level

    def opened(environment: dict[str, str]) -> Read:
        stream = io.StringIO()
        monkeypatch.setattr("sys.stderr", stream)
        root.handlers.clear()
        logs.configure_logging(environment)
        return stream.getvalue

    yield opened
    root.handlers[:] = kept
    root.setLevel(level)


def test_a_request_is_one_line_of_text_without_its_query(written: Callable[[dict[str, str]], Read]) -> None:
    read = written({})

    TestClient(new_app("1.0.0", [])).simulate_get(
        "/nothing", query_string="token=s3cret", headers={"X-Request-Id": "r1"}
    )

    (line,) = read().splitlines()
    assert "INFO seqfacility.http GET /nothing 404 " in line
    assert line.endswith(" r1")
    assert "s3cret" not in line


def test_as_json_each_line_is_an_object_that_names_its_request(
    written: Callable[[dict[str, str]], Read],
) -> None:
    read = written({"SEQFACILITY_LOG_FORMAT": "json"})

    class Failing:
        def on_get(self, _req: object, _resp: object) -> None:
            logging.getLogger("elsewhere").warning("half way")
            raise RuntimeError("a\nb")

    app = new_app("1.0.0", [])
    app.add_route("/things", Failing())
    TestClient(app).simulate_get("/things", headers={"X-Request-Id": "r2"})
    logging.getLogger("elsewhere").warning("afterwards")

    lines = [json.loads(line) for line in read().splitlines()]
    assert [line["message"].split()[0] for line in lines] == ["half", "GET", "GET", "afterwards"]
    assert [line.get("requestId") for line in lines] == ["r2", "r2", "r2", None]
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
def test_a_form_or_level_that_there_is_not_is_an_invalid_variable(
    written: Callable[[dict[str, str]], Read], name: str, reason: str
) -> None:
    with pytest.raises(InvalidVariable) as refused:
        written({name: "xml"})

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
