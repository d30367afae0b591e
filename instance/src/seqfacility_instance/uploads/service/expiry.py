"""Ending sessions that nobody touches, and removing what crashes left behind."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from seqfacility_instance.core.data_folder import PathRefused, opened_folder
from seqfacility_instance.core.seen_keys import SeenKeys
from seqfacility_instance.core.vocabulary.sequencing import UploadStatus
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.reads import store as reads_store
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.sequencing import SequencingUpload
from seqfacility_instance.uploads import rules, store, temp_files
from seqfacility_instance.uploads.service.sessions import remove_files, tidy_completed

SESSIONS_PER_TICK = 100
WALK_EVERY = timedelta(minutes=10)
STRAY_AFTER = timedelta(hours=24)
"""A folder without a row may belong to a session that is being made; a day later it does not."""


@dataclass(frozen=True, slots=True)
class UploadExpiry:
    """Sweeps of the background worker."""

    facility: FacilitySettings
    walks: SeenKeys

    def expire(self, now: datetime) -> bool:
        """Cancel sessions that are untouched for too long; True when there were any. Decision: G106."""
        untouched_since = now - timedelta(hours=self.facility.uploads().session_ttl_hours)
        expired = [
            upload
            for upload in store.list_expired(untouched_since, SESSIONS_PER_TICK)
            if self._expire(upload, untouched_since, now)
        ]
        return bool(expired)

    def _expire(self, upload: SequencingUpload, untouched_since: datetime, now: datetime) -> bool:
        root = self._root()
        if root is not None and temp_files.is_being_written(root, upload):
            return False
        with database.atomic():
            won = store.claim_expired(upload.id, untouched_since, now)
            if won:
                reads_store.delete_digest(upload.temp_path)
        if won and root is not None:
            remove_files(root, upload)
        return won

    def sweep_strays(self, now: datetime) -> bool:
        """Remove temp folders of closed sessions, and old ones of no session; False, for none is urgent.

        Nothing outside `orders/<id>/.tmp/<id>` is touched but the final names of those sessions' own files.
        A walk over many orders costs, so a process walks once in a while. Decision: G106.
        """
        root = self._root()
        if root is None or not self.walks.first_seen("strays", now):
            return False
        found = list(_temp_folders(root))
        statuses = store.statuses_of(upload_id for _, upload_id, _ in found)
        for order_id, upload_id, modified in found:
            status = statuses.get(upload_id)
            is_stray = status is None and now.timestamp() - modified > STRAY_AFTER.total_seconds()
            if status in rules.CLOSED:
                _finish(root, upload_id)
            elif is_stray:
                temp_files.remove(root, order_id, upload_id)
        return False

    def _root(self) -> Path | None:
        configured = self.facility.storage().data_base_path
        return None if configured is None else Path(configured)


def _finish(root: Path, upload_id: str) -> None:
    """Do what a process did not come to after it had closed a session: its final name may be there still."""
    upload = store.find_by_id(upload_id)
    if upload is None:
        return
    if upload.status is UploadStatus.COMPLETED and upload.final_path is not None:
        tidy_completed(root, upload, upload.final_path)
    elif upload.status is UploadStatus.CANCELLED:
        remove_files(root, upload)


def _temp_folders(root: Path) -> Iterator[tuple[str, str, float]]:
    """Find the temp folders beneath the root as (order id, upload id, time of the last change)."""
    for order_id in _folders_in(root, "orders"):
        for upload_id in _folders_in(root, f"orders/{order_id}/.tmp"):
            try:
                with opened_folder(root, f"orders/{order_id}/.tmp/{upload_id}") as folder:
                    modified = os.fstat(folder).st_mtime
            except (OSError, PathRefused):
                continue
            yield order_id, upload_id, modified


def _folders_in(root: Path, path: str) -> list[str]:
    try:
        with opened_folder(root, path) as folder, os.scandir(folder) as entries:
            return [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
    except (OSError, PathRefused):
        return []
