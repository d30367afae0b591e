"""Reading the trace: raw and formatted, line by line, from any offset."""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from seqfacility_workflow_runtime import trace

HEADER = "task_id\thash\tnative_id\tprocess\ttag\tname\tstatus\texit\tattempt\tsubmit\tstart\tcomplete\tduration\trealtime\t%cpu\tpeak_rss\n"  # noqa: E501 - one line as in the file
RAW = "5\tc0/1a2b3c\t77\tMAP\tS1\tMAP (S1)\tCOMPLETED\t0\t2\t1700000000500\t1700000001000\t1700000061000\t60500\t60000\t150.5\t2048\n"  # noqa: E501 - the same


def _file(folder: Path, text: str) -> Path:
    path = folder / "trace.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_raw_row_is_read_whole(tmp_path: Path) -> None:
    (row,) = trace.read_trace(_file(tmp_path, HEADER + RAW), 0).rows

    assert row == trace.TraceRow(
        task_id="5",
        hash="c0/1a2b3c",
        native_id="77",
        process="MAP",
        tag="S1",
        name="MAP (S1)",
        status="COMPLETED",
        exit_code=0,
        attempt=2,
        submitted_at=datetime(2023, 11, 14, 22, 13, 20, 500_000, UTC),
        started_at=datetime(2023, 11, 14, 22, 13, 21, tzinfo=UTC),
        completed_at=datetime(2023, 11, 14, 22, 14, 21, tzinfo=UTC),
        duration_ms=60_500,
        realtime_ms=60_000,
        cpu_percent=150.5,
        peak_rss_bytes=2048,
    )


def test_a_formatted_file_with_columns_of_its_own_is_read_by_its_header(tmp_path: Path) -> None:
    text = (
        "name\tstatus\texit\tsubmit\trealtime\t%cpu\tpeak_rss\tunheard_of\n"
        "FLOW:TRIM (S 1)\tcompleted\t-\t2026-03-02T08:15:41.207+01:00\t1h 2m 3s\t348.2%\t1.5 KB\tx\n"
    )

    (row,) = trace.read_trace(_file(tmp_path, text), 0).rows

    assert (row.process, row.tag, row.status) == ("FLOW:TRIM", "S 1", "COMPLETED")
    assert row.exit_code is None
    assert row.submitted_at == datetime(2026, 3, 2, 7, 15, 41, 207_000, UTC)
    assert (row.realtime_ms, row.cpu_percent, row.peak_rss_bytes) == (3_723_000, 348.2, 1536)
    assert row.attempt == 1


def test_reading_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path = _file(tmp_path, HEADER + RAW)
    first = trace.read_trace(path, 0)
    with path.open("a") as stream:
        stream.write(RAW.replace("S1", "S2"))

    second = trace.read_trace(path, first.offset)

    assert [row.tag for row in second.rows] == ["S2"]
    assert second.offset == path.stat().st_size


def test_a_line_that_is_still_being_written_waits(tmp_path: Path) -> None:
    path = _file(tmp_path, HEADER + RAW + RAW[:20])

    reading = trace.read_trace(path, 0)

    assert len(reading.rows) == 1
    assert reading.offset == len(HEADER + RAW)


@pytest.mark.parametrize("text", ["", HEADER[:-1], HEADER])
def test_a_file_without_rows_gives_none(tmp_path: Path, text: str) -> None:
    assert trace.read_trace(_file(tmp_path, text), 0).rows == ()


def test_a_missing_file_gives_no_rows(tmp_path: Path) -> None:
    assert trace.read_trace(tmp_path / "trace.txt", 500) == trace.TraceReading((), 0)


@pytest.mark.parametrize("place", [os.mkfifo, Path.mkdir, lambda path: path.symlink_to(path)])
def test_what_is_no_file_gives_its_problem_and_keeps_the_place(
    tmp_path: Path, place: Callable[[Path], object]
) -> None:
    place(tmp_path / "trace.txt")

    reading = trace.read_trace(tmp_path / "trace.txt", 700)

    assert reading == trace.TraceReading((), 700, problem="it is not a regular file")


def test_a_file_that_was_begun_anew_is_read_from_the_top(tmp_path: Path) -> None:
    reading = trace.read_trace(_file(tmp_path, HEADER + RAW), 100_000)

    assert len(reading.rows) == 1


def test_a_strange_cell_costs_that_cell_and_not_the_row(tmp_path: Path) -> None:
    line = (
        RAW.replace("1700000000500", "yesterday").replace("150.5", "many").replace("\t0\t2\t", "\tzero\t\t")
    )

    (row,) = trace.read_trace(_file(tmp_path, HEADER + line), 0).rows

    assert (row.submitted_at, row.cpu_percent, row.exit_code, row.attempt) == (None, None, None, 1)
    assert row.peak_rss_bytes == 2048


def test_lines_that_name_no_task_are_left_out(tmp_path: Path) -> None:
    assert trace.read_trace(_file(tmp_path, HEADER + "\n\t\t\n-\t-\n"), 0).rows == ()


def test_the_highest_attempt_of_a_task_wins() -> None:
    columns = ["process", "tag", "status", "attempt"]
    lines = ["MAP\tS1\tFAILED\t1", "MAP\tS2\tCOMPLETED\t1", "MAP\tS1\tCOMPLETED\t2", "MAP\tS1\tFAILED\t1"]
    rows = [row for line in lines if (row := trace.read_row(columns, line))]

    latest = trace.latest_attempts(rows)

    assert [(row.tag, row.status) for row in latest] == [("S1", "COMPLETED"), ("S2", "COMPLETED")]


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [
        ("238ms", 238),
        ("8.5s", 8500),
        ("5s", 5000),
        ("1m 3s", 63_000),
        ("2d 3h", 183_600_000),
        ("0", 0),
        ("79837", 79_837),
        ("-", None),
        ("", None),
        ("soon", None),
        ("5s later", None),
        ("-3", None),
    ],
)
def test_durations(text: str, milliseconds: int | None) -> None:
    assert trace.read_duration(text) == milliseconds


@pytest.mark.parametrize(
    ("text", "size"),
    [("1.2 GB", 1_288_490_189), ("79 KB", 80_896), ("0", 0), ("512 B", 512), ("-", None), ("2 XB", None)],
)
def test_sizes(text: str, size: int | None) -> None:
    assert trace.read_size(text) == size


@pytest.mark.parametrize(
    ("text", "number"), [("0", 0), ("137", 137), ("2147483647", None), ("٣", None), ("1_0", None)]
)
def test_whole_numbers(text: str, number: int | None) -> None:
    assert trace.read_int(text) == number
