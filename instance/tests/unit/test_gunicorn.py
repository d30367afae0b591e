"""What we take for granted of gunicorn's insides: a release that changes it is seen here first."""

import inspect

import pytest
from gunicorn import util
from gunicorn.http.body import Body, ChunkedReader
from gunicorn.http.parser import RequestParser
from gunicorn.http.unreader import SocketUnreader, Unreader
from gunicorn.workers import gthread
from seqfacility_instance import connections, request_bodies


@pytest.mark.parametrize(
    ("theirs", "method", "parameters"),
    [
        (gthread.ThreadWorker, "accept", ["self", "listener"]),
        (gthread.ThreadWorker, "enqueue_req", ["self", "conn"]),
        (gthread.ThreadWorker, "finish_request", ["self", "conn", "fs"]),
        (gthread.ThreadWorker, "on_pending_socket_readable", ["self", "conn", "client"]),
        (gthread.ThreadWorker, "murder_pending", ["self"]),
        (gthread.TConn, "__init__", ["self", "cfg", "sock", "client", "server"]),
        (gthread.TConn, "init", ["self"]),
        (gthread.TConn, "close", ["self", "graceful"]),
        (util, "write_error", ["sock", "status_int", "reason", "mesg"]),
        (util, "write_nonblock", ["sock", "data", "chunked"]),
        (RequestParser, "finish_body", ["self", "deadline", "max_bytes"]),
        (Body, "read", ["self", "size"]),
        (ChunkedReader, "parse_chunk_size", ["self", "unreader", "data"]),
        (SocketUnreader, "chunk", ["self", "size_hint"]),
        (Unreader, "take_buffered", ["self"]),
        (Unreader, "unread", ["self", "data"]),
    ],
)
def test_gunicorn_has_what_we_replace_or_call(theirs: object, method: str, parameters: list[str]) -> None:
    assert list(inspect.signature(getattr(theirs, method)).parameters) == parameters


def test_gunicorn_takes_a_request_through_what_we_replace() -> None:
    worker = inspect.getsource(gthread.ThreadWorker)

    assert "conn.init()" in inspect.getsource(gthread.ThreadWorker.handle)
    assert "conn.parser.finish_body(" in worker
    assert "conn.close(graceful=True)" in inspect.getsource(gthread.ThreadWorker.finish_request)
    assert worker.count("self.enqueue_req(") == 4
    assert worker.count("conn.close()") == worker.count("self.nr_conns -= 1") - 1
    assert "self.mesg_class(" in inspect.getsource(RequestParser.__next__)


def test_every_method_that_we_replace_is_gunicorns() -> None:
    pairs = [
        (connections.Worker, gthread.ThreadWorker, {"await_close", "forget"}),
        (connections.Connection, gthread.TConn, {"is_silent", "receive_head"}),
        (request_bodies.RequestBody, Body, {"arriving_within"}),
        (request_bodies.Parser, RequestParser, set()),
        (request_bodies.Unreader, SocketUnreader, set()),
    ]
    for ours, theirs, own in pairs:
        public = {name for name, value in vars(ours).items() if callable(value) and name[0] != "_"}
        assert {name for name in public if not hasattr(theirs, name)} == own
