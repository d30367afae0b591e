"""Whole commands: several files at once, every outcome kept, a result file at the end."""

import json
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import TypeVar

from seqfacility_wire.plurals import counted

from seqfacility_client.bodies import (
    DownloadResult,
    FetchedFile,
    FileResult,
    UploadResult,
    file_result,
)
from seqfacility_client.connection import Connection
from seqfacility_client.errors import Stopped, TransferRefused
from seqfacility_client.fetching import Fetcher
from seqfacility_client.patience import Patience
from seqfacility_client.progress import Progress
from seqfacility_client.rules.fetching import Delivered
from seqfacility_client.rules.plan import Placed, Unsent
from seqfacility_client.sending import Sender

_OPENING_SECONDS = 5.0
"""A wrong address shows soon; only a transfer that once began waits longer."""

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
_Value = TypeVar("_Value")


def opened(connection: Connection, ask: Callable[[], _Value], stop: Event) -> _Value:
    """Sign in and ask the first questions; raises as `answered`."""
    answered(connection.sign_in, stop)
    return answered(ask, stop)


def answered(ask: Callable[[], _Value], stop: Event) -> _Value:
    """Ask until there is an answer; raises `TransferRefused` when nobody gives one for 5 seconds."""
    return Patience(_OPENING_SECONDS, stop).answered(ask)


def each(
    items: Sequence[_Item], work: Callable[[_Item], _Result], parallel: int, stop: Event
) -> list[_Result]:
    """Do `work` for every item, `parallel` at a time; an interrupt stops all, what was done is given.

    What else ends the command, as an output that nobody reads, stops all too.

    Decision: G503.
    """
    with ThreadPoolExecutor(parallel) as pool:
        futures = [pool.submit(work, item) for item in items]
        try:
            return [future.result() for future in futures]
        except KeyboardInterrupt:
            stop.set()
            return [future.result() for future in futures]
        except BaseException:
            stop.set()
            raise


def sent_one(sender: Sender, placed: Placed) -> FileResult:
    """Send one file and say how it went. Decision: G320."""
    name, shown = str(placed.path), placed.shown
    lanes = [str(path) for path in placed.paths] if placed.paths[1:] else []
    try:
        sent = sender.send(placed)
    except Exception as failed:  # noqa: BLE001  # one file's trouble is its own: the others are told of
        error = _explained(failed)
        sender.progress.ended(name, f"failed: {shown}: {error}")
        return file_result(name, "failed", lanes=lanes, sample=placed.sample, role=placed.role, error=error)
    sender.progress.ended(name, f"{sent.arrival}: {shown} -> {sent.final_path}")
    return file_result(
        name,
        sent.arrival,
        lanes=lanes,
        sample=placed.sample,
        role=placed.role,
        upload_id=sent.upload_id,
        final_path=sent.final_path,
        size=sent.size,
        md5=sent.md5,
    )


def unsent(progress: Progress, status: str, files: Sequence[Unsent]) -> list[FileResult]:
    """Name files that are not sent, and say why. Decision: G320."""
    for one in files:
        progress.note(f"{status.replace('-', ' ')}: {one.path} ({one.reason})")
    return [file_result(str(one.path), status, error=one.reason) for one in files]


def fetched_one(fetcher: Fetcher, file: Delivered, place: Path) -> FetchedFile:
    """Fetch one file and say how it went. Decision: G320."""
    result: FetchedFile = {
        "path": file.path,
        "place": str(place),
        "size": file.size,
        "md5": None,
        "verified": None,
        "status": "failed",
        "error": None,
    }
    try:
        fetched = fetcher.fetch(file, place)
    except Exception as failed:  # noqa: BLE001  # the same
        error = _explained(failed)
        fetcher.progress.ended(str(place), f"failed: {place}: {error}")
        return {**result, "error": error}
    checked = "MD5 agrees" if fetched.is_verified else "the facility knows no MD5 of it"
    fetcher.progress.ended(str(place), f"{fetched.fetching}: {place} ({checked})")
    return {**result, "md5": fetched.md5, "verified": fetched.is_verified, "status": fetched.fetching}


def _explained(failed: Exception) -> str:
    if isinstance(failed, Stopped):
        return "stopped"
    if isinstance(failed, TransferRefused | OSError):
        return str(failed)
    return f"unexpected {type(failed).__name__}: {failed}"


def failure_line(files: Sequence[FileResult] | Sequence[FetchedFile], stop: Event) -> str | None:
    """Return in one line what did not arrive; None when all did. Decision: G259."""
    failed = [(file["path"], file["error"]) for file in files if file["status"] == "failed"]
    if stop.is_set():
        return "stopped; run the same command again to go on"
    if not failed:
        return None
    if len(failed) == len(files) == 1:
        return str(failed[0][1])
    first = "; ".join(f"{Path(path).name}: {error}" for path, error in failed[:3])
    more = f"; and {len(failed) - 3} more" if failed[3:] else ""
    return f"{len(failed)} of {counted(len(files), 'file')} did not arrive: {first}{more}"


def write_result(path: Path, result: UploadResult | DownloadResult) -> None:
    """Write the result file whole or not at all; raises `TransferRefused`. Decision: G320."""
    draft = path.with_name(f".{path.name}.draft")
    try:
        draft.write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n", "utf-8")
        os.replace(draft, path)  # noqa: PTH105  # the name that says what it does
    except OSError as unwritable:
        raise TransferRefused(f"{path} cannot be written: {unwritable.strerror}") from unwritable
