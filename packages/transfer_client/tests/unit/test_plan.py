"""What the command makes of the plan that a facility answers."""

import argparse
import json
import os
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

import pytest
from seqfacility_client.connection import Connection
from seqfacility_client.credentials import Credentials
from seqfacility_client.errors import TransferRefused
from seqfacility_client.facility import OrderAtFacility, UploadRules
from seqfacility_client.planning import found
from seqfacility_client.rules.plan import Placed, Verdict, plan_of
from seqfacility_wire.command_line.refusal import Refused

SOIL = Path("run/soil.fastq")


def verdict(code: str | None, reason: str, *, kind: str = "problem", upload: int | None = None) -> Verdict:
    return Verdict(SOIL, kind, code, reason, upload)


@pytest.mark.parametrize(
    ("code", "reason", "problem"),
    [
        ("unknown-sample", "Names no sample of the order", "run/soil.fastq names no sample of the order"),
        ("several-samples", "May belong to a or b", "run/soil.fastq may belong to a or b"),
        (
            "lanes",
            "Soil has its R1 in 3 lanes",
            "Soil has its R1 in 3 lanes; --join-lanes sends them as one file",
        ),
        ("several-files", "Soil has several R1 files", "Soil has several R1 files"),
        ("choice", "The order has no sample S-0", "the order has no sample S-0"),
        ("one that came later", "Is odd", "run/soil.fastq is odd"),
    ],
)
def test_what_is_unclear_is_said_once_in_a_whole_sentence(code: str, reason: str, problem: str) -> None:
    assert plan_of([verdict(code, reason)] * 2, [], ()).problems == (problem,)


@pytest.mark.parametrize(
    ("code", "reason", "said"),
    [
        ("empty", "Is empty", "run/soil.fastq is empty"),
        (
            "too-large",
            "File is larger than the allowed upload size",
            "File is larger than the allowed upload size",
        ),
    ],
)
def test_the_trouble_of_one_file_keeps_no_other_from_being_sent(code: str, reason: str, said: str) -> None:
    lake = Placed((Path("run/lake.fastq"),), None, "R1", "lake.fastq", 1)

    plan = plan_of([verdict(code, reason), verdict(None, "", kind="upload", upload=0)], [lake], ())

    assert (plan.placed, plan.problems) == ((lake,), ())
    assert [one.reason for one in plan.failed] == [said]


def test_joined_lanes_are_sent_once() -> None:
    lanes = Placed((Path("a_L001.fq"), Path("a_L002.fq")), None, "R1", "a.fq", 2)

    plan = plan_of([verdict(None, "", kind="upload", upload=0)] * 2, [lanes], ())

    assert plan.placed == (lanes,)


@pytest.mark.parametrize(
    ("code", "reason", "said"),
    [
        ("hidden", "Hidden file", "run/soil.fastq is a hidden file"),
        ("extension", "Has none of the extensions .fq", "run/soil.fastq has none of the extensions .fq"),
        ("index-reads", "Index reads", None),
    ],
)
def test_a_file_that_was_named_is_meant_unless_it_is_nobodys(
    code: str, reason: str, said: str | None
) -> None:
    one = verdict(code, reason, kind="left-out")

    assert plan_of([one], [], ()).problems == ()
    assert plan_of([one], [], {SOIL}).problems == (() if said is None else (said,))


def test_more_files_than_a_plan_takes_are_refused_before_one_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("seqfacility_client.planning.MAX_FILES", 2)
    for number in range(3):
        (tmp_path / f"{number}.fq").touch()
    arguments = argparse.Namespace(files=[tmp_path], role=None, parallel=1)

    with pytest.raises(Refused, match=r"^3 files are more than the 2 of one upload: give fewer"):
        found(arguments, UploadRules((".fq",), 1, None), Event())


def test_a_name_that_is_no_text_is_refused_in_words_that_can_be_printed(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"soil_R1\xff.fq")).touch()
    arguments = argparse.Namespace(files=[tmp_path], role=None, parallel=1)

    with pytest.raises(Refused, match=r"soil_R1\ufffd\.fq has a name that is not UTF-8"):
        found(arguments, UploadRules((".fq",), 1, None), Event())


@pytest.fixture
def older_facility() -> Iterator[str]:
    """Answer as releases before the plan do, whose sessions take no POST."""

    class Older(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            body = json.dumps({"error": "Method not allowed"}).encode()
            self.send_response(405)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_words: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Older)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_facility_that_plans_no_uploads_is_told_by_the_release_that_it_needs(older_facility: str) -> None:
    order = OrderAtFacility(Connection(older_facility, Credentials("a@b.test", "secret")), "o1")

    with pytest.raises(TransferRefused, match=r"^the facility runs a SeqFacility older than 0\.2\.0, "):
        order.plan({"files": []})
