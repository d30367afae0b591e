"""Events of a run apart from its files: lost directory, silence, the instrument's end, the stop."""

from datetime import datetime

from seqfacility_instance.core.vocabulary.streams import StreamEventKind
from seqfacility_instance.facility_settings.sections import StreamIngestSection
from seqfacility_instance.streams.rules.files import silent_minutes
from seqfacility_instance.streams.scan import Scan
from seqfacility_instance.streams.service.recording import locked_by
from seqfacility_instance.streams.store import events, runs
from seqfacility_instance.tables.base import database

VANISHED = "The directory cannot be reached. Nothing is counted until it is back; what was counted stays."


def note_vanished(run_id: str, holder: str, now: datetime) -> bool:
    """Write one event when a directory vanishes; return True the first time. Decision: G214."""
    with database.atomic():
        run = locked_by(run_id, holder)
        columns: dict[str, object] = {"last_seen_at": now}
        if run.vanished_at is None:
            columns["vanished_at"] = now
            events.write(run_id, [(StreamEventKind.ERROR, {"message": VANISHED, "filePath": None})], now)
        runs.update_run(run_id, columns)
    return run.vanished_at is None


def note_scan(run_id: str, holder: str, scan: Scan, settings: StreamIngestSection, now: datetime) -> bool:
    """Record a scan and write the events that are due; return True when there were any.

    Decision: G211, G213, G222.
    """
    with database.atomic():
        run = locked_by(run_id, holder)
        columns: dict[str, object] = {
            "last_seen_at": now,
            "vanished_at": None,
            "directory_identity": scan.identity,
        }
        new_events: list[events.NewEvent] = []
        if scan.final_summary is not None and run.finished_hint_at is None:
            columns["finished_hint_at"] = now
            new_events.append((StreamEventKind.RUN_FINISHED_HINT, {"filePath": scan.final_summary}))
        minutes = silent_minutes(run.last_file_at or run.started_at, settings.stalled_after_minutes, now)
        if minutes is not None and run.stalled_at is None:
            columns["stalled_at"] = now
            new_events.append((StreamEventKind.RUN_STALLED, {"minutes": minutes}))
        events.write(run_id, new_events, now)
        runs.update_run(run_id, columns)
    return bool(new_events)


def stop(run_id: str, holder: str, now: datetime) -> bool:
    """Move a run to STOPPED after its last scan and write its totals; return True when it moved.

    Spec: instance, Stream run. Decision: G213, G219.
    """
    with database.atomic():
        run = locked_by(run_id, holder)
        if not runs.claim_stopped(run_id, holder, now):
            return False
        totals = {
            "totalReads": run.total_reads,
            "totalBases": str(run.total_bases),
            "files": run.total_files,
        }
        events.write(run_id, [(StreamEventKind.RUN_STOPPED, totals)], now)
    return True
