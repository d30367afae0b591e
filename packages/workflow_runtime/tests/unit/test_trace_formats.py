"""The trace as Nextflow writes it: formatted, or raw when asked, with columns of a pipeline's choice."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from seqfacility_workflow_runtime import trace
from seqfacility_workflow_runtime.trace import TraceRow, read_trace

DEFAULT_COLUMNS = (
    "task_id hash native_id name status exit submit duration realtime %cpu peak_rss peak_vmem rchar wchar"
)
EVERY_COLUMN = (
    "task_id hash native_id process module container tag name status exit submit start complete duration "
    "realtime %cpu %mem rss vmem peak_rss peak_vmem rchar wchar syscr syscw read_bytes write_bytes attempt "
    "workdir script scratch queue cpus memory disk time env error_action vol_ctxt inv_ctxt hostname "
    "cpu_model accelerator accelerator_type"
)


def rows_of(folder: Path, columns: str, *lines: list[str]) -> tuple[TraceRow, ...]:
    path = folder / "trace.txt"
    path.write_text("".join("\t".join(cells) + "\n" for cells in [columns.split(), *lines]))
    return read_trace(path, 0).rows


def local(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


def test_the_default_columns_tell_process_tag_times_and_sizes(tmp_path: Path) -> None:
    (row,) = rows_of(
        tmp_path,
        DEFAULT_COLUMNS,
        [
            "12", "5c/20ab91", "4711", "FLOW:QC:TRIM (N-07)", "COMPLETED", "0", "2031-05-04 09:00:12.345",
            "1m 22s", "1m 1s", "187.3%", "953.7 MB", "4.4 GB", "1.1 GB", "79 KB",
        ],
    )  # fmt: skip

    assert row == TraceRow(
        task_id="12",
        hash="5c/20ab91",
        native_id="4711",
        process="FLOW:QC:TRIM",
        tag="N-07",
        name="FLOW:QC:TRIM (N-07)",
        status="COMPLETED",
        exit_code=0,
        attempt=1,
        submitted_at=local("2031-05-04 09:00:12.345"),
        started_at=None,
        completed_at=None,
        duration_ms=82_000,
        realtime_ms=61_000,
        cpu_percent=187.3,
        peak_rss_bytes=round(953.7 * 1024**2),
    )


@pytest.mark.parametrize(
    ("native_id", "status", "exit_code", "figure", "expected"),
    [
        ("4711", "COMPLETED", "0", "5s", ("4711", "COMPLETED", 0, 5_000)),
        ("-", "CACHED", "0", "2h 1m 40s", (None, "CACHED", 0, 7_300_000)),
        ("4712", "FAILED", "137", "8.5s", ("4712", "FAILED", 137, 8_500)),
        ("4713", "ABORTED", "-", "-", ("4713", "ABORTED", None, None)),
        ("4714", "RUNNING", "-", "-", ("4714", "RUNNING", None, None)),
        ("4715", "SUBMITTED", "-", "-", ("4715", "SUBMITTED", None, None)),
        ("-", "NEW", "2147483647", "-", (None, "NEW", None, None)),
    ],
)
def test_a_task_of_every_status_is_read(
    tmp_path: Path,
    native_id: str,
    status: str,
    exit_code: str,
    figure: str,
    expected: tuple[str | None, str, int | None, int | None],
) -> None:
    submit = "2031-05-04 09:00:12.345"
    line = [
        "1",
        "aa/bbccdd",
        native_id,
        "FLOW:PREPARE",
        status,
        exit_code,
        submit,
        figure,
        figure,
        *["-"] * 5,
    ]

    (row,) = rows_of(tmp_path, DEFAULT_COLUMNS, line)

    assert (row.native_id, row.status, row.exit_code, row.duration_ms) == expected
    assert (row.process, row.tag, row.submitted_at) == ("FLOW:PREPARE", None, local(submit))


@pytest.mark.parametrize("is_raw", [False, True])
def test_raw_and_formatted_files_of_every_column_say_the_same(tmp_path: Path, is_raw: bool) -> None:
    timestamp = local("2031-05-04 09:00:12.345")
    said = {
        "task_id": "3", "process": "FLOW:MAP", "tag": "N 1", "name": "FLOW:MAP (N 1)", "status": "COMPLETED",
        "attempt": "2", "exit": "0", "module": "", "script": "map --x", "error_action": "-",
    } | (
        {
            "submit": str(round(timestamp.timestamp() * 1000)), "duration": "3723000", "%cpu": "98.7",
            "peak_rss": "81920",
        }
        if is_raw
        else {
            "submit": "2031-05-04 09:00:12.345", "duration": "1h 2m 3s", "%cpu": "98.7%", "peak_rss": "80 KB",
        }
    )  # fmt: skip

    (row,) = rows_of(tmp_path, EVERY_COLUMN, [said.get(column, "-") for column in EVERY_COLUMN.split()])

    assert (row.process, row.tag, row.attempt, row.exit_code) == ("FLOW:MAP", "N 1", 2, 0)
    assert (row.submitted_at, row.duration_ms, row.cpu_percent) == (timestamp, 3_723_000, 98.7)
    assert (row.peak_rss_bytes, row.realtime_ms, row.native_id) == (81_920, None, None)


def test_open_tasks_that_are_added_at_the_end_of_a_run_are_read_with_their_last_status(
    tmp_path: Path,
) -> None:
    path = tmp_path / "trace.txt"
    path.write_text("task_id\tname\tstatus\n1\tA (1)\tCOMPLETED\n")
    first = read_trace(path, 0)
    with path.open("a") as stream:
        stream.write("2\tA (2)\tABORTED\n3\tB\tSUBMITTED\n")

    added = read_trace(path, first.offset).rows

    assert [(row.process, row.tag, row.status) for row in added] == [
        ("A", "2", "ABORTED"),
        ("B", None, "SUBMITTED"),
    ]


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [("0ms", 0), ("999ms", 999), ("1s", 1_000), ("59.9s", 59_900), ("1m", 60_000), ("1h 3s", 3_603_000),
     ("1d", 86_400_000), ("40d 23h 59m 59s", 3_542_399_000)],
)  # fmt: skip
def test_a_duration_leaves_out_units_that_are_zero(text: str, milliseconds: int) -> None:
    assert trace.read_duration(text) == milliseconds


@pytest.mark.parametrize(
    ("text", "size"),
    [("1 B", 1), ("1023 B", 1023), ("1 KB", 2**10), ("29.5 MB", 30_932_992), ("3 GB", 3 * 2**30),
     ("1.5 TB", 3 * 2**39), ("2 PB", 2**51), ("7 EB", 7 * 2**60), ("8 EB", None), ("1 ZB", None),
     ("-1", None)],
)  # fmt: skip
def test_a_size_has_units_of_base_1024_up_to_what_a_database_holds(text: str, size: int | None) -> None:
    assert trace.read_size(text) == size


@pytest.mark.parametrize(
    ("text", "percent"), [("0.0%", 0), ("98.7%", 98.7), ("3200.0%", 3200), ("98.7", 98.7), ("-", None)]
)
def test_a_percentage_may_be_above_one_hundred(text: str, percent: float | None) -> None:
    assert trace.read_percent(text) == percent


def test_bytes_of_zero_that_a_crashed_disk_left_are_no_part_of_any_cell(tmp_path: Path) -> None:
    path = tmp_path / "trace.txt"
    path.write_bytes(
        b"task_id\tname\tstatus\n" + b"\0" * 100 + b"1\tA\0 (1)\tCOMP\0LETED\n" + b"\0" * 100 + b"\n"
    )

    (row,) = read_trace(path, 0).rows

    assert (row.task_id, row.process, row.tag, row.status) == ("1", "A", "1", "COMPLETED")
