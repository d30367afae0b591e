"""What daemons measure of their ticks. Imported only where metrics are recorded."""

from prometheus_client import Counter, Histogram

TICK_SECONDS = Histogram(
    "seqfacility_daemon_tick_seconds",
    "Duration of the ticks that a daemon finished.",
    ["daemon"],
    buckets=(0.01, 0.05, 0.25, 1, 5, 30, 300, 3600),
)
FAILED_TICKS = Counter("seqfacility_daemon_failed_ticks", "Ticks that ended with an error.", ["daemon"])
