"""Hosts that lie in their headers or answer nonsense: an examination ends in a report, whatever they do."""

import gzip
import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from seqfacility_registry.cli import main
from seqfacility_testkit.soak import record, rounds

HOSTS = rounds(short=8, long=400)

LIES: Mapping[str, Mapping[str, str]] = {
    "gzip": {"Content-Encoding": "gzip"},
    "too long": {"Content-Length": "9999999"},
    "no length": {"Content-Length": "many"},
    "chunked": {"Transfer-Encoding": "chunked"},
    "charset": {"Content-Type": "application/json; charset=utf-32"},
    "etag": {"ETag": '"\xff\x00'},
    "location": {"Location": "http://[::1/"},
    "vary": {"Vary": "\xff", "Cache-Control": "\xff", "Allow": "\xff"},
    "header": {"Bad Header": "x", "": "y"},
}


@pytest.mark.parametrize("lie", LIES)
@pytest.mark.parametrize("status", [200, 302, 404])
def test_a_host_whose_headers_lie_is_told_so_line_by_line(
    lie: str, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with lying_host(status, LIES[lie], b'{"version": 1, "checklists": [], "pipelines": []}') as url:
        code = main(["verify-mirror", url])

    said = capsys.readouterr()
    assert code == 1
    assert "Traceback" not in said.err
    assert "fail " in said.out or said.err.startswith("error: ")


@pytest.mark.parametrize(
    "body",
    [
        b"[]",
        b"null",
        b'{"version": NaN}',
        b'{"a": "\\ud800"}',
        b"[" * 200_000,
        b"\xff",
        b"",
        b'{"pipelines": 5}',
    ],
)
def test_a_host_that_answers_nonsense_is_told_so_line_by_line(
    body: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    with lying_host(200, {}, body) as url:
        code = main(["verify-mirror", url])

    assert code == 1
    assert "fail index fits its schema" in capsys.readouterr().out


def test_a_host_that_says_gzip_and_sends_plain_bytes_fails_in_words(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with lying_host(200, LIES["gzip"], b"{}") as url:
        code = main(["verify-mirror", url])

    assert code == 1
    assert "Content-Encoding is gzip, the body is not" in capsys.readouterr().out


NAMES = (
    *("Content-Type", "Content-Encoding", "Transfer-Encoding", "Content-Length", "Content-Range", "ETag"),
    *(
        "Location",
        "Cache-Control",
        "Access-Control-Allow-Origin",
        "Vary",
        "Allow",
        "Connection",
        "Set-Cookie",
    ),
    *(
        "Content-Disposition",
        "Retry-After",
        "Trailer",
        "Upgrade",
        "WWW-Authenticate",
        "Refresh",
        "Bad Header",
        "",
    ),
)
VALUES = (
    *(
        "",
        " ",
        "x",
        "0",
        "-1",
        "9" * 40,
        "\xff\x00",
        "gzip",
        "GZIP, br",
        "deflate",
        "chunked",
        "identity",
        "*",
    ),
    *(
        "application/json",
        "text/html; charset=utf-32",
        "application/json; charset=nonsense",
        '"',
        'W/"',
        '"a", "b"',
    ),
    *(
        "/",
        "//",
        "http://[::1/",
        "http://user:x@127.0.0.1:1/",
        "file:///etc/passwd",
        "?x=1",
        "close",
        "keep-alive",
    ),
    *(
        "a" * 60_000,
        "bytes 0-0/1",
        "bytes x-y/z",
        "public, max-age=300",
        "a=b; Path=/; Domain=..",
        "101",
        "h2c",
    ),
)
STATUSES = (200, 200, 200, 200, 101, 204, 206, 301, 302, 304, 308, 400, 401, 404, 418, 500, 503, 999)
BODIES = (
    b"",
    b"{",
    b"[]",
    b"null",
    b"\xff",
    gzip.compress(b"{}"),
    gzip.compress(b"{}")[:-5],
    b"0\r\n\r\n",
    b"zz\r\n",
)


def test_a_host_that_lies_at_random_is_reported_line_by_line(
    exported: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dice = random.Random("lies")  # noqa: S311  # the same hosts every time
    codes = Counter[int]()
    answers = lines = 0
    for _ in range(HOSTS):
        told = dice.random() * 0.5
        seed = dice.random()

        def answer(method: str, path: str, told: float = told, seed: float = seed) -> Answer:
            nonlocal answers
            answers += 1
            # The same question is lied to alike.
            return random_answer(exported, path, random.Random(f"{seed} {method} {path}"), told)  # noqa: S311

        with host_with(answer) as url:
            codes[main(["verify-mirror", url])] += 1
        said = capsys.readouterr()
        assert "Traceback" not in said.err + said.out
        assert said.out or said.err.startswith("error: ")
        lines += len(said.out.splitlines())

    assert set(codes) <= {0, 1}
    assert codes[1] > HOSTS // 2
    record(
        "An examination of a mirror ends in a report whatever the host answers",
        tried=f"{HOSTS:,} hosts that lied at random in status, headers and bodies, {answers:,} answers",
        found=f"{lines:,} lines of reports, {codes[1]:,} hosts failed, no traceback",
    )


def random_answer(exported: Path, path: str, dice: random.Random, told: float) -> "Answer":
    """Return the document of a path, in which some of status, headers and body are another."""
    file = exported / path.partition("?")[0].strip("/") / "index.json"
    body = file.read_bytes() if file.is_file() else b'{"error": "Not found"}'
    status, headers = 200 if file.is_file() else 404, {"Content-Type": "application/json"}
    if dice.random() < told:
        status = dice.choice(STATUSES)
    if dice.random() < told:
        body = dice.choice([*BODIES, body[: len(body) // 2], body + b" {", gzip.compress(body)])
    if dice.random() < told:
        headers |= {dice.choice(NAMES): dice.choice(VALUES) for _ in range(dice.randint(1, 3))}
    return status, headers, body


Answer = tuple[int, Mapping[str, str], bytes]
"""Status, headers and body."""


@contextmanager
def lying_host(status: int, headers: Mapping[str, str], body: bytes) -> Iterator[str]:
    """Serve one answer to every request, its headers as they are given."""
    with host_with(lambda _method, _path: (status, headers, body)) as url:
        yield url


@contextmanager
def host_with(answer_of: Callable[[str, str], Answer]) -> Iterator[str]:
    """Serve what `answer_of` says of a method and a path."""

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            status, headers, body = answer_of(self.command, self.path)
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            with suppress(OSError):
                self.wfile.write(b"" if self.command == "HEAD" else body)
            self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base class names it so
            """Say nothing."""

    for method in ("GET", "HEAD", "OPTIONS", "POST", "DELETE"):
        setattr(Handler, f"do_{method}", Handler.answer)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/api"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
