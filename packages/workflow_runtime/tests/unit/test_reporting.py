"""The Snakemake plug-in's own parts: tasks, benchmark files, the file that names the receiver, delivery."""

import json
import socket
from pathlib import Path

import pytest
from seqfacility_testkit.weblog_receiver import weblog_receiver
from seqfacility_workflow_runtime.trace import COLUMNS, read_row
from snakemake_logger_plugin_seqfacility.delivery import Delivery
from snakemake_logger_plugin_seqfacility.target import TARGET_VARIABLE, find_target
from snakemake_logger_plugin_seqfacility.tasks import TaskBook, exit_code_in, read_benchmark, trace_line


def test_a_task_is_told_of_from_start_to_end() -> None:
    book = TaskBook()
    book.start([7], 1_000)

    running = book.describe(7, "trim", {"sample": "S1", "lane": "2"}, None)
    ended = book.finish(7, 4_500)

    assert running is not None
    assert ended is not None
    assert (running["status"], running["name"]) == ("RUNNING", "trim (S1,2)")
    assert (ended["status"], ended["exit"], ended["duration"]) == ("COMPLETED", 0, 3_500)


def test_an_error_that_is_repeated_at_the_end_is_told_of_once() -> None:
    book = TaskBook()
    book.start([7], 1_000)
    book.describe(7, "trim", {}, None)

    assert book.fail(7, 2_000) is not None
    assert book.fail(7, 9_000) is None


def test_a_job_that_is_tried_again_has_a_higher_attempt() -> None:
    book = TaskBook()
    attempts = []
    for _ in range(2):
        book.start([7], 1_000)
        book.describe(7, "trim", {}, None)
        ended = book.fail(7, 2_000)
        assert ended is not None
        attempts.append(ended["attempt"])

    assert attempts == [1, 2]


@pytest.mark.parametrize(
    ("end", "code"),
    [
        ("returned non-zero exit status 3.", 3),
        ("returned non-zero exit status 127.", 127),
        ("died with <Signals.SIGKILL: 9>.", 137),
        ("was not run", None),
    ],
)
def test_the_exit_code_of_a_job_is_read_from_the_exception(end: str, code: int | None) -> None:
    command = "set -euo pipefail;  echo ' returned non-zero exit status 9'\nx"

    message = f"CalledProcessError in file \"/p/Snakefile\", line 3:\nCommand '{command}' {end}"

    assert exit_code_in(message) == code


def test_a_benchmark_file_gives_run_time_load_and_memory(tmp_path: Path) -> None:
    path = tmp_path / "b.tsv"
    path.write_text("s\th:m:s\tmax_rss\tmean_load\n1.0\t0:00:01\t1.0\t10\n2.5\t0:00:02\t3.5\t187.44\n")

    assert read_benchmark(path) == {"realtime": 2500, "%cpu": 187.4, "peak_rss": 3_670_016}


@pytest.mark.parametrize("text", ["", "s\tmax_rss\n", "s\tmax_rss\n-\tNA\n", "\x00"])
def test_a_benchmark_file_without_figures_gives_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "b.tsv"
    path.write_text(text)

    assert read_benchmark(path) == {}
    assert read_benchmark(tmp_path / "missing.tsv") == {}


def test_a_trace_line_is_one_line_whatever_stands_in_it() -> None:
    book = TaskBook()
    book.start([7], 1_700_000_000_000)
    book.describe(7, "trim", {"sample": "a\tb\nc"}, None)
    ended = book.finish(7, 1_700_000_001_000)
    assert ended is not None

    line = trace_line(ended)

    row = read_row(COLUMNS, line.rstrip("\n"))
    assert line.count("\n") == 1
    assert row is not None
    assert (row.tag, row.duration_ms, row.native_id) == ("a b c", 1000, None)


@pytest.mark.parametrize("content", [None, "", "{}", "[]", '{"runName": 5}'])
def test_without_a_proper_file_there_is_no_receiver(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / ".weblog.json"
    if content is not None:
        path.write_text(content)

    assert find_target({TARGET_VARIABLE: str(path)}) is None
    assert find_target({}) is None


def test_the_token_shows_in_no_representation(tmp_path: Path) -> None:
    path = tmp_path / ".weblog.json"
    document = {"runName": "r", "sessionId": "s", "trace": "/t", "url": "http://x", "token": "hush"}
    path.write_text(json.dumps(document))

    target = find_target({TARGET_VARIABLE: str(path)})

    assert target is not None
    assert target.token == "hush"
    assert "hush" not in repr(target)


def test_messages_arrive_in_the_order_in_which_they_were_sent() -> None:
    with weblog_receiver() as receiver:
        delivery = Delivery(receiver.address, "t")
        for number in range(50):
            delivery.send({"event": number})
        assert delivery.close(20)

    assert receiver.events() == list(range(50))


def test_a_receiver_that_is_not_there_costs_messages_and_nothing_else() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        delivery = Delivery(f"http://127.0.0.1:{closed.getsockname()[1]}", "t")

        for number in range(20):
            delivery.send({"event": number})

        assert delivery.close(20)


def test_closing_waits_no_longer_than_it_was_told_for_a_receiver_that_is_silent() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        delivery = Delivery(f"http://127.0.0.1:{silent.getsockname()[1]}", "t")
        delivery.send({"event": "started"})

        assert not delivery.close(0.2)


@pytest.mark.parametrize("url", ["", "file:///etc/passwd", "ftp://example.org/"])
def test_only_web_addresses_are_posted_to(url: str) -> None:
    delivery = Delivery(url, "t")

    delivery.send({"event": "started"})

    assert delivery.close(0)
