"""What is measured of runs. Imported only where metrics are recorded."""

from prometheus_client import Counter

FINISHED_RUNS = Counter("seqfacility_runs_finished", "Pipeline runs that reached a final status.", ["status"])
