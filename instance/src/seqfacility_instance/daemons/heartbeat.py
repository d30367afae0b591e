"""Signs of life of daemons, for the admin's health page."""

import os
import socket
from datetime import datetime, timedelta

from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary import ProcessName
from seqfacility_instance.tables import ProcessHeartbeat, database


class Heartbeat:
    """Keeps the row of one process fresh. Gap: G49."""

    def __init__(self, name: ProcessName) -> None:
        self._name = name
        self._instance = f"{socket.gethostname()[:96]}:{os.getpid()}"
        self._last: datetime | None = None

    def beat(self, _name: str, now: datetime) -> None:
        """Note that the process is alive, at most every few seconds, and forget those long gone."""
        if self._last is not None and now - self._last < limits.HEARTBEAT_EVERY:
            return
        self._last = now
        with database.atomic():
            ProcessHeartbeat.delete().where(
                ProcessHeartbeat.last_heartbeat_at < now - timedelta(days=1)
            ).execute()
            known: int = (
                ProcessHeartbeat.update(last_heartbeat_at=now)
                .where((ProcessHeartbeat.name == self._name) & (ProcessHeartbeat.instance == self._instance))
                .execute()
            )
            if not known:
                ProcessHeartbeat.insert(
                    name=self._name, instance=self._instance, started_at=now, last_heartbeat_at=now
                ).execute()
