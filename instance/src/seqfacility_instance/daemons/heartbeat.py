"""Signs of life of daemons, for the admin's health page."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from seqfacility_instance.core import limits
from seqfacility_instance.core.process_names import process_name
from seqfacility_instance.core.vocabulary.site import ProcessName
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.site import ProcessHeartbeat
from seqfacility_instance.version import RELEASE


class Heartbeat:
    """Keeps the row of one process fresh; `engines` returns what it knows of the workflow engines.

    Decision: G49, G463.
    """

    def __init__(
        self, name: ProcessName, engines: Callable[[], Mapping[str, object] | None] = lambda: None
    ) -> None:
        self._name = name
        self._engines = engines
        self._instance = process_name()
        self._last: datetime | None = None

    def beat(self, _name: str, now: datetime) -> None:
        """Record that the process is alive, at most every few seconds, and delete old heartbeats.

        A heartbeat in the future was written before a clock was set back.
        """
        if self._last is not None and timedelta(0) <= now - self._last < limits.HEARTBEAT_EVERY:
            return
        self._last = now
        engines = self._engines()
        columns = {"last_heartbeat_at": now, "release": RELEASE, **({"engines": engines} if engines else {})}
        with database.atomic():
            at = ProcessHeartbeat.last_heartbeat_at
            ProcessHeartbeat.delete().where(
                (at < now - timedelta(days=1)) | (at > now + limits.HEARTBEAT_ALIVE)
            ).execute()
            known: int = (
                ProcessHeartbeat.update(**columns)
                .where((ProcessHeartbeat.name == self._name) & (ProcessHeartbeat.instance == self._instance))
                .execute()
            )
            if not known:
                ProcessHeartbeat.insert(
                    name=self._name, instance=self._instance, started_at=now, **columns
                ).execute()
