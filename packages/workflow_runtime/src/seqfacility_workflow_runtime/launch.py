"""The documents of one launch in its run folder: what to run, who supervises it, how it ended.

A reader tells three things apart: the document; None when the folder was read and holds no such document;
and `OSError` when nobody can tell, because the storage, or this process, has a problem. Unknown is never
read as absent: a mount that went away ends no run.

Decision: G381.
"""

import fcntl
import os
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from seqfacility_workflow_runtime.executors.contract import CancellationRefused
from seqfacility_workflow_runtime.processes.identity import ProcessIdentity, read_identity
from seqfacility_workflow_runtime.regular_file import Unreadable, read_document
from seqfacility_workflow_runtime.run_folder import (
    FOLDER_MODE,
    SECRET_MODE,
    JsonValue,
    RunFolder,
    sync_folder,
    write_json,
)

RECORDED_WITHIN = timedelta(minutes=10)
"""A supervisor records itself right after its claim; one that did not by then was killed. Decision: G152."""


@dataclass(frozen=True, slots=True)
class LaunchOrder:
    """What the supervisor shall run, and the names under which the launch is known."""

    run_id: str
    token: str
    argv: tuple[str, ...]
    environment: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ExitRecord:
    """How a pipeline ended. A pipeline that a signal ended has 128 + its number, as in a shell.

    Decision: G154.
    """

    exit_code: int
    finished_at: datetime | None


def write_launch_order(folder: RunFolder, order: LaunchOrder) -> None:
    """Write the order; only the service's own user can read it."""
    document: dict[str, JsonValue] = {
        "runId": order.run_id,
        "token": order.token,
        "argv": list(order.argv),
        "environment": dict(order.environment),
    }
    write_json(folder.launch_order, document, SECRET_MODE)


def read_launch_order(folder: RunFolder) -> LaunchOrder | None:
    """Read the order back; None when there is none or it is not one. Raises `OSError`."""
    match _read_document(folder.launch_order):
        case {
            "runId": str(run_id),
            "token": str(token),
            "argv": list(argv),
            "environment": dict(environment),
        }:
            words = tuple(str(word) for word in argv)
            return LaunchOrder(run_id, token, words, {str(k): str(v) for k, v in environment.items()})
        case _:
            return None


def write_supervisor(folder: RunFolder, identity: ProcessIdentity) -> None:
    """Record who supervises the run. Decision: G155."""
    write_json(folder.identity, identity.as_json())


def read_supervisor(folder: RunFolder) -> ProcessIdentity | None:
    """Read who supervises the run; None when nobody was recorded. Raises `OSError`."""
    return read_identity(_read_document(folder.identity))


def hold_supervisor_lock(folder: RunFolder) -> None:
    """Lock the supervisor's file until this process ends; no file is left where files cannot be locked.

    Decision: G383.
    """
    descriptor = os.open(folder.supervisor_lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, SECRET_MODE)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        folder.supervisor_lock.unlink()


def is_supervisor_lock_held(folder: RunFolder) -> bool:
    """Return whether a supervisor on this kernel lives, in whatever process namespace.

    Raises `OSError` when it cannot be said, which includes a supervisor that took no lock.

    Decision: G383.
    """
    descriptor = os.open(folder.supervisor_lock, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def write_job_number(folder: RunFolder, number: str) -> None:
    """Put the number of the scheduler's job on disk before anybody relies on it. Decision: G155."""
    write_json(folder.job_record, {"jobId": number})


def read_job_number(folder: RunFolder) -> str | None:
    """Read the number of the scheduler's job; None when none was recorded. Raises `OSError`."""
    match _read_document(folder.job_record):
        case {"jobId": str(number)}:
            return number
        case _:
            return None


def may_still_record(folder: RunFolder, order: LaunchOrder) -> bool:
    """Return whether a copy of the launch has claimed the folder and may be about to record itself.

    One that is merely slow, even by hours, does no harm once the launch was given up: it
    records itself, then finds the mark of `forbid_launch`, and starts nothing.

    Decision: G152.
    """
    try:
        claimed_at = folder.claim(order.token).stat().st_mtime
    except FileNotFoundError:
        return False
    return time.time() - claimed_at < RECORDED_WITHIN.total_seconds()


def write_exit(folder: RunFolder, exit_code: int) -> None:
    """Record the end of the run, with the time of day in UTC. Decision: G154."""
    finished_at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    write_json(folder.exit_record, {"exitCode": exit_code, "finishedAt": finished_at})


def read_exit(folder: RunFolder) -> ExitRecord | None:
    """Read how the run ended; None when no end was recorded. Raises `OSError`.

    A code beyond 32 bits is no code, and a time that is none is left out.

    Decision: G185, G375.
    """
    match _read_document(folder.exit_record):
        case {"exitCode": int(exit_code), **rest} if abs(exit_code) < 2**31 and type(exit_code) is int:
            finished_at = rest.get("finishedAt")
            return ExitRecord(exit_code, _timestamp(finished_at) if isinstance(finished_at, str) else None)
        case _:
            return None


def forbid_launch(folder: RunFolder) -> None:
    """Leave the mark that keeps a launch from beginning; one that has begun does not look at it.

    A supervisor records itself before it looks for the mark, and a canceller
    leaves the mark before it looks for a supervisor, so at least one sees the other.
    A folder that was not made yet needs no mark: nothing is launched from it before
    the launch has asked once more whether it is still wanted. Raises
    `CancellationRefused` when the mark cannot be made.

    Decision: G152, G164, G384.
    """
    try:
        folder.cancelled.touch(mode=SECRET_MODE)
    except OSError as problem:
        if not is_not_made(folder):
            raise CancellationRefused("The run folder cannot be written") from problem


def is_launched_as(folder: RunFolder, token: str) -> bool:
    """Return whether the launch that the folder tells of is the one of `token`. Raises `OSError`.

    What an earlier launch has left says nothing about a later one. Decision: G711.
    """
    order = read_launch_order(folder)
    return order is not None and order.token == token


def retire_launch(folder: RunFolder, number: int, further: Sequence[Path] = ()) -> None:
    """Put aside what launch `number` of a run has left, so that nothing of it is taken for the next one's.

    Its documents go to `.launches/<number>`. Logs and the `further` files stay beside the new ones, as
    `pipeline.1.out` or `trace.1.txt`. Call it for a launch that is known to be over, between the claim of the
    next one and the question whether that is still wanted: whoever cancels has written so before. It may be
    repeated. Raises `OSError`.

    Decision: G711.
    """
    aside = folder.path / ".launches" / str(number)
    aside.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    documents = (
        *(folder.launch_order, folder.job_record, folder.identity, folder.supervisor_lock),
        *(folder.cancelled, folder.exit_record, *sorted(folder.path.glob(".claim-*"))),
    )
    logs = (folder.output_log, folder.error_log, folder.launch_log)
    moves = [(path, aside / path.name) for path in documents]
    moves += [(path, path.with_name(f"{path.stem}.{number}{path.suffix}")) for path in (*logs, *further)]
    for path, place in moves:
        with suppress(FileNotFoundError):
            path.rename(place)
    for changed in (folder.path, folder.logs, aside):
        sync_folder(changed)


def is_not_made(folder: RunFolder) -> bool:
    """Return whether there certainly is no such folder: the run directory was read and has none.

    Decision: G381.
    """
    try:
        return folder.path not in folder.path.parent.iterdir()
    except OSError:
        return False


def _timestamp(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _read_document(path: Path) -> object:
    """Read a JSON document; None when the folder has none of this name. Raises `OSError`."""
    document = read_document(path)
    if isinstance(document, Unreadable):
        raise OSError(document.problem)
    return document
