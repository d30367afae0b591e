"""The real process: what it prints, what it logs, and how it replaces its content while it serves."""

import json
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
import requests
from seqfacility_registry.install_profiles.access_codes import is_access_code
from seqfacility_registry.release import RELEASE
from seqfacility_testkit.processes import Processes
from seqfacility_testkit.waiting import DEADLINE_SECONDS, wait_until

CODE = "ip1-a-code-of-sufficient-length"
SECRET = "a-weblog-secret-nobody-may-read"
RESOLVE = b"POST /api/install-profiles/guarded/resolve HTTP/1.1\r\nHost: x\r\n"
HALF_BODY = RESOLVE + b"Content-Length: 9\r\n\r\n{"
LARGE_BYTES = 32 * 1024 * 1024


@pytest.fixture
def served(processes: Processes, content: Path, kept_secrets: Path) -> tuple[str, Any]:
    """Start the service over a content of its own."""
    environment = {
        "SEQFACILITY_REGISTRY_CONTENT": str(content),
        "SEQFACILITY_REGISTRY_SECRETS": str(kept_secrets),
        "SEQFACILITY_REGISTRY_PUBLIC_URL": "",
    }
    process = processes.start(
        "seqfacility_registry", "serve", "--bind", "127.0.0.1:0", environment=environment
    )
    return f"{process.url()}/api", process


def test_the_service_listens_on_a_free_port_and_links_to_it(served: tuple[str, Any]) -> None:
    url, _ = served

    index = requests.get(f"{url}/registry", timeout=60).json()

    assert index["baseUrl"] == f"{url}/registry"
    download = index["pipelines"][1]["versions"][0]["downloadUrl"]
    assert requests.get(download, timeout=60).json()["version"] == "1.10.0"


def test_the_log_has_paths_without_queries_and_no_codes(served: tuple[str, Any]) -> None:
    url, process = served
    address = f"{url}/install-profiles/guarded/resolve"

    answer = requests.get(f"{address}?x={CODE}", headers={"Authorization": f"Bearer {CODE}"}, timeout=60)

    assert answer.json()["settings"]["execution"]["weblogSecret"] == SECRET
    wait_until(lambda: "/api/install-profiles/guarded/resolve 200" in process.log, "the request is logged")
    assert CODE not in process.log
    assert SECRET not in process.log


def test_an_encoded_line_break_forges_no_log_entry(served: tuple[str, Any]) -> None:
    url, process = served

    requests.get(f"{url}/registry/a%0AGET%20/forged%20200", timeout=60)

    wait_until(lambda: "forged" in process.log, "the request is logged")
    assert not any(line.startswith("GET /forged") for line in process.log.splitlines())


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("registry/..%2fmag", "Invalid pipeline ID"),
        ("registry/mag%2F", "Invalid pipeline ID"),
        ("registry/a%2Fb", "Invalid pipeline ID"),
        ("registry/pipelines/a%2Fb/1.0.0/download", "Invalid pipeline ID"),
        ("registry/pipelines/mag/..%2f/download", "Invalid pipeline version"),
    ],
)
def test_an_encoded_slash_is_part_of_a_name_and_refused_as_such(
    served: tuple[str, Any], path: str, words: str
) -> None:
    url, _ = served

    answer = requests.get(f"{url}/{path}", timeout=60)

    assert (answer.status_code, answer.json()) == (400, {"error": words})
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


def test_a_target_that_is_too_long_is_refused_in_our_words(served: tuple[str, Any]) -> None:
    url, _ = served

    answer = requests.get(f"{url}/version", params={"current": "1" * 40_000}, timeout=60)

    assert answer.status_code in {414, 431}
    assert set(answer.json()) == {"error"}


def test_termination_ends_the_service_with_0_though_a_client_keeps_its_connection(
    served: tuple[str, Any],
) -> None:
    url, process = served
    with requests.Session() as session:
        assert session.get(f"{url}/health", timeout=60).json() == {"status": "ok"}

        process.process.send_signal(signal.SIGTERM)

        assert process.process.wait(DEADLINE_SECONDS) == 0


def test_a_content_that_is_replaced_under_load_is_seen_old_or_new_and_never_mixed(
    served: tuple[str, Any], content: Path, tmp_path: Path
) -> None:
    url, _ = served
    stop, mixed, seen = threading.Event(), [], set()

    def read() -> None:
        with requests.Session() as session:
            while not stop.is_set():
                answer = session.get(f"{url}/registry/sequencing-tech", timeout=60)
                document = answer.json()
                version, name = document["version"], document["technologies"][0]["name"]
                seen.add(version)
                if answer.status_code != 200 or name != f"Edition {version}":
                    mixed.append((answer.status_code, version, name))

    _publish(content, tmp_path, 100)
    wait_until(lambda: _version(url) == 100, "the first edition is served")
    readers = [threading.Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    for edition in range(101, 105):
        _publish(content, tmp_path, edition)
        wait_until(lambda wanted=edition: _version(url) == wanted, f"edition {edition} is served")
    stop.set()
    for reader in readers:
        reader.join()

    assert mixed == []
    assert seen >= {100, 104}


def _publish(content: Path, tmp_path: Path, edition: int) -> None:
    """Replace the catalog in place, slowly and in pieces: worse than any careful operator."""
    path = content / "catalog" / "sequencing-tech.json"
    document = json.loads(path.read_text())
    document["version"] = edition
    document["technologies"][0]["name"] = f"Edition {edition}"
    text = json.dumps(document)
    with path.open("w") as stream:
        for start in range(0, len(text), 512):
            stream.write(text[start : start + 512])
            stream.flush()


def _version(url: str) -> int:
    return int(requests.get(f"{url}/registry/sequencing-tech", timeout=60).json()["version"])


def test_a_folder_that_is_swapped_by_rename_is_taken_over(
    served: tuple[str, Any], content: Path, tmp_path: Path
) -> None:
    url, _ = served
    beside = tmp_path / "next"
    shutil.copytree(content, beside)
    catalog = beside / "catalog" / "sequencing-tech.json"
    catalog.write_text(catalog.read_text().replace('"version": 3', '"version": 4', 1))

    content.rename(tmp_path / "previous")
    beside.rename(content)

    wait_until(lambda: _version(url) == 4, "the swapped folder is served")


@pytest.fixture
def impatient(processes: Processes, content: Path) -> tuple[str, Any]:
    """Start a service that waits one second for its clients, with a drawing that fits no buffer."""
    (content / "catalog" / "images" / "x.svg").write_bytes(bytes(LARGE_BYTES))
    environment = {"SEQFACILITY_REGISTRY_CONTENT": str(content), "SEQFACILITY_REGISTRY_PUBLIC_URL": ""}
    process = processes.start("seqfacility_testkit.impatient_registry", environment=environment)
    return f"{process.url()}/api", process


def test_a_client_that_takes_nothing_of_its_answer_is_let_go(impatient: tuple[str, Any]) -> None:
    url, process = impatient
    wait_until(lambda: len(process.children()) == 1, "the worker runs")
    assert requests.get(f"{url}/health", timeout=60).status_code == 200
    idle = process.worker_sockets()

    stalled = [_connected(url, b"GET /images/catalog/x.svg HTTP/1.1\r\nHost: x\r\n\r\n") for _ in range(3)]
    assert [connection.recv(12) for connection in stalled] == [b"HTTP/1.1 200"] * 3

    wait_until(lambda: process.worker_sockets() <= idle, "the connections have ended")
    for connection in stalled:
        connection.close()


@pytest.mark.parametrize("said", [b"", b"G", b"GET /api/health HTTP/1.1\r\nHost: x\r\nX-A: "])
def test_a_client_that_does_not_send_its_head_is_cut_off(impatient: tuple[str, Any], said: bytes) -> None:
    assert _whole_answer(impatient[0], said) == b""


def test_a_client_that_sends_its_head_byte_by_byte_is_cut_off_too(impatient: tuple[str, Any]) -> None:
    with _connected(impatient[0], b"GET /api/health HTTP/1.1\r\nX-A: ") as connection:
        connection.settimeout(0.1)

        wait_until(lambda: _has_ended(connection, b"a"), "the connection has ended")


def test_a_client_that_sends_its_body_byte_by_byte_is_told_that_it_took_too_long(
    impatient: tuple[str, Any],
) -> None:
    said = HALF_BODY.replace(b"guarded", b"open").replace(b"Content-Length: 9", b"Content-Length: 4000")
    with _connected(impatient[0], said) as connection:
        connection.settimeout(0.1)
        heard = bytearray()

        wait_until(lambda: _has_ended(connection, b" ", heard), "the connection has ended")

    assert heard.startswith(b"HTTP/1.1 408 ")


def test_a_client_that_begins_no_further_request_is_cut_off(impatient: tuple[str, Any]) -> None:
    answer = _whole_answer(impatient[0], b"GET /api/health HTTP/1.1\r\nHost: x\r\n\r\nGET /api/he")

    assert answer.endswith(b'{"status":"ok"}')


def test_a_client_that_does_not_send_its_body_is_told_so(impatient: tuple[str, Any]) -> None:
    said = HALF_BODY.replace(b"guarded", b"open")

    answer = _whole_answer(impatient[0], said)

    assert answer.startswith(b"HTTP/1.1 408 ")
    assert answer.endswith(b'{"error": "Request body did not arrive in time"}')


@pytest.mark.parametrize(
    ("framing", "status"),
    [
        (b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (b"Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde", 400),
        (b"Content-Length: +4\r\n\r\nabcd", 400),
        (b"Content-Length: 4, 4\r\n\r\nabcd", 400),
        (b"Transfer-Encoding: identity\r\n\r\n", 400),
        (b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 501),
        (b"Transfer-Encoding: chunked\r\n\r\n0x2\r\n{}\r\n0\r\n\r\n", 400),
        (b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n", 400),
        (b"X-A: 1\r\n 2\r\n\r\n", 400),
        (b"X-A: 1\n\r\n", 400),
        (b"X-A: " + b"a" * 9000 + b"\r\n\r\n", 431),
    ],
)
def test_a_request_that_two_servers_could_read_differently_is_refused_and_the_last(
    served: tuple[str, Any], framing: bytes, status: int
) -> None:
    second = b"GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n"

    answer = _whole_answer(served[0], RESOLVE + framing + second)

    assert answer.startswith(b"HTTP/1.1 %d " % status)
    assert answer.count(b"HTTP/1.1 ") == 1
    assert b"Content-Type: application/json\r\n" in answer
    assert answer.endswith(b'"}')


@pytest.mark.parametrize("chunks", [b"zz\r\n", b"-1\r\n", b"\r\n", b"2\r\n{}no", b"2;\x00\r\n{}\r\n"])
def test_a_malformed_chunk_is_told_in_our_words_and_leaves_no_traceback(
    served: tuple[str, Any], chunks: bytes
) -> None:
    url, process = served

    answer = _whole_answer(url, RESOLVE + b"Transfer-Encoding: chunked\r\n\r\n" + chunks)

    assert answer.startswith(b"HTTP/1.1 400 ")
    assert answer.endswith(b'{"error": "Invalid JSON body"}')
    assert requests.get(f"{url}/health", timeout=30).status_code == 200
    assert "Traceback" not in process.log
    assert "Error" not in process.log


@pytest.mark.parametrize("key", [b"dGhlIHNhbXBsZSBub25jZQ==", b"no key"])
def test_an_offer_of_a_websocket_is_left_unused(served: tuple[str, Any], key: bytes) -> None:
    url, process = served
    offer = b"Connection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"

    answer = _whole_answer(
        url, b"GET /api/health HTTP/1.1\r\nHost: x\r\n" + offer + b"Sec-WebSocket-Key: " + key + b"\r\n\r\n"
    )

    assert answer.startswith(b"HTTP/1.1 200 ")
    assert answer.endswith(b'{"status":"ok"}')
    assert "Traceback" not in process.log


@pytest.mark.parametrize(("lines", "status"), [(7, 200), (9, 431)])
def test_a_head_has_at_most_32_kib(served: tuple[str, Any], lines: int, status: int) -> None:
    said = b"GET /api/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
    with _connected(served[0], said) as connection:
        for number in range(lines):
            connection.sendall(b"X-%d: " % number + b"a" * 4089 + b"\r\n")
        if status == 200:
            connection.sendall(b"\r\n")
        answer = connection.recv(65536)

    assert answer.startswith(b"HTTP/1.1 %d " % status)


def test_who_sends_too_much_without_listening_is_told_so(served: tuple[str, Any]) -> None:
    url, _ = served

    answer = requests.post(f"{url}/install-profiles/guarded/resolve", data=bytes(3_000_000), timeout=60)

    assert (answer.status_code, answer.json()) == (413, {"error": "Request body is too large"})


def test_who_asks_whether_to_send_a_body_is_told_to(served: tuple[str, Any]) -> None:
    url, _ = served
    connection = _connected(url, RESOLVE + b"Expect: 100-continue\r\nContent-Length: 2\r\n\r\n")

    assert connection.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
    connection.sendall(b"{}")
    assert connection.recv(100).startswith(b"HTTP/1.1 401 ")
    connection.close()


def test_requests_of_one_connection_are_answered_in_their_order(served: tuple[str, Any]) -> None:
    paths = (b"/api/health", b"http://x/api/version", b"/api/install-profiles/open/resolve", b"/api/nothing")
    said = b"".join(b"HEAD %s HTTP/1.1\r\nHost: x\r\n\r\n" % path for path in paths)

    answer = _whole_answer(served[0], said + b"GET /api/health HTTP/1.0\r\n\r\n")

    assert re.findall(rb"HTTP/1\.[01] ([0-9]+)", answer) == [b"200", b"200", b"200", b"404", b"200"]
    assert answer.endswith(b'{"status":"ok"}')


def _connected(url: str, said: bytes) -> socket.socket:
    host, port = url.removeprefix("http://").removesuffix("/api").split(":")
    connection = socket.create_connection((host, int(port)), timeout=60)
    connection.sendall(said)
    return connection


def _has_ended(connection: socket.socket, more: bytes, heard: bytearray | None = None) -> bool:
    """Send a little more, take what comes, and tell whether the server has closed the connection."""
    try:
        connection.sendall(more)
        came = connection.recv(65536)
    except TimeoutError:
        return False
    except ConnectionError:
        return True
    if heard is not None:
        heard += came
    return not came


def _whole_answer(url: str, said: bytes) -> bytes:
    """Return all that comes until the server closes the connection."""
    with _connected(url, said) as connection:
        return b"".join(iter(lambda: connection.recv(65536), b""))


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("SEQFACILITY_REGISTRY_CONTENT", "/no/such/folder"),
        ("SEQFACILITY_REGISTRY_PUBLIC_URL", "https://registry.example"),
        ("SEQFACILITY_TRUSTED_PROXIES", "localhost"),
        ("SEQFACILITY_LOG_FORMAT", "xml"),
        ("SEQFACILITY_LOG_LEVEL", "loud"),
    ],
)
def test_a_variable_that_makes_no_sense_ends_the_start_with_one_line(variable: str, value: str) -> None:
    ended = _run(["serve", "--bind", "127.0.0.1:0"], {variable: value})

    assert ended.returncode == 2
    assert ended.stderr.startswith(f"error: {variable}: ")
    assert len(ended.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments", [[], ["unknown"], ["serve", "--bind", "nowhere"], ["export"], ["serve", "extra"]]
)
def test_wrong_usage_exits_with_2(arguments: list[str]) -> None:
    assert _run(arguments, {}).returncode == 2


def test_the_program_names_its_release() -> None:
    ended = _run(["--version"], {})

    assert (ended.returncode, ended.stdout) == (0, f"seqfacility-registry {RELEASE}\n")


def test_an_address_in_use_is_refused_in_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ended = _run(["serve", "--bind", f"127.0.0.1:{taken.getsockname()[1]}"], {})

    assert ended.returncode == 1
    assert ended.stderr.startswith("error: cannot listen on 127.0.0.1:")
    assert len(ended.stderr.splitlines()) == 1


def test_a_code_is_hashed_from_standard_input_and_the_hash_opens() -> None:
    code = "another-code-of-sufficient-length"

    ended = _run(["hash-access-code"], {}, f"{code}\n")

    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("$argon2id$")
    assert is_access_code(code, [ended.stdout.strip()])
    assert "another-code" not in ended.stdout


def test_a_short_code_is_not_hashed() -> None:
    ended = _run(["hash-access-code"], {}, "nineteen-characters\n")

    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == "error: an access code has 20 to 256 characters\n"


def _run(
    arguments: list[str], environment: dict[str, str], given: str = ""
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "seqfacility_registry", *arguments]
    variables = {"PATH": "/usr/bin:/bin", **environment}
    return subprocess.run(
        command, env=variables, input=given, capture_output=True, text=True, timeout=60, check=False
    )
