"""Which machines have a run monitor that is alive."""

from datetime import datetime

from seqfacility_instance.core.vocabulary.site import ProcessName
from seqfacility_instance.tables.site import ProcessHeartbeat


def last_seen(host: str) -> datetime | None:
    """Return the newest sign of life of the run monitors of a host; None when there was none for a day.

    Decision: G383.
    """
    beats = ProcessHeartbeat.select().where(ProcessHeartbeat.name == ProcessName.MONITOR_RUNS)
    # A process is known as `<host>:<pid>`, its host cut to 96 characters.
    seen = [row.last_heartbeat_at for row in beats if row.instance.rpartition(":")[0] == host[:96]]
    return max(seen, default=None)
