"""Verification of counted files by the instrument's own list of checksums.

MinKNOW writes `output_hash_*.csv` at the end of a run. The verdict stands in the answer on the live picture;
a file that is not what the instrument wrote is told in the feed, once.
"""

import io
import os
from datetime import datetime
from typing import Final, TypedDict, cast

from seqfacility_wire.timestamps import format_time

from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.streams import StreamEventKind
from seqfacility_instance.streams.rules.output_hashes import (
    SHOWN_PATHS,
    Comparison,
    compare,
    read_hash_list,
)
from seqfacility_instance.streams.scan import Scan, opened_below
from seqfacility_instance.streams.service.recording import locked_by
from seqfacility_instance.streams.store import events, files, runs
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.streams import StreamRun

DIFFERENT: Final = "The file is not what the instrument's checksum list says"


class Verification(TypedDict):
    """A stored comparison; `lists` and `through` identify its input."""

    verdict: str
    listed: int
    matched: int
    different: list[str]
    missing: int
    checkedAt: str
    lists: dict[str, list[int]]
    through: str | None
    told: list[str]


def verify(
    run_id: str, holder: str, directory: int, scan: Scan, now: datetime, *, include_failed: bool
) -> bool:
    """Compare again when a list or the files have changed; True when anything was compared.

    Decision: G313.
    """
    if not scan.hash_lists:
        return False
    lists = {path: [state.size, state.modified_ns] for path, state in scan.hash_lists.items()}
    run = runs.find_with_order(run_id)
    if run is None or not _is_due(run, lists):
        return False
    listed: dict[str, str] = {}
    for path in scan.hash_lists:
        listed |= _read(directory, path, include_failed=include_failed)
    result = compare(listed, files.digests(run_id))
    with database.atomic():
        run = locked_by(run_id, holder)
        told = stored(run)["told"] if run.verification else []
        fresh = [path for path in result.different if path not in told]
        events.write(
            run_id,
            [(StreamEventKind.ERROR, {"message": DIFFERENT, "filePath": path}) for path in fresh],
            now,
        )
        document = _document(result, lists, run, [*told, *fresh], now)
        runs.update_run(run_id, {"verification": document})
    return True


def stored(run: StreamRun) -> Verification:
    """Return the last comparison of a run that has one."""
    return cast("Verification", run.verification)


def _is_due(run: StreamRun, lists: dict[str, list[int]]) -> bool:
    if run.verification is None:
        return True
    known = stored(run)
    return known["lists"] != lists or known["through"] != _last_file(run)


def _last_file(run: StreamRun) -> str | None:
    return None if run.last_file_at is None else format_time(run.last_file_at)


def _read(directory: int, path: str, *, include_failed: bool) -> dict[str, str]:
    try:
        with opened_below(directory, path) as file:
            text = os.read(file, limits.STREAM_HASH_LIST_MAX_BYTES).decode("utf-8-sig", "replace")
    except OSError:
        return {}
    return read_hash_list(io.StringIO(text), path.rpartition("/")[0], include_failed=include_failed)


def _document(
    result: Comparison, lists: dict[str, list[int]], run: StreamRun, told: list[str], now: datetime
) -> dict[str, object]:
    return {
        "verdict": result.verdict,
        "listed": result.listed,
        "matched": result.matched,
        "different": result.different[:SHOWN_PATHS],
        "missing": len(result.missing),
        "checkedAt": format_time(now),
        "lists": lists,
        "through": _last_file(run),
        "told": told,
    }
