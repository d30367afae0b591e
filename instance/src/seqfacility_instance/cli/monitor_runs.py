"""Watch pipeline runs: read jobs and traces, finalise what has ended."""

import argparse
from functools import partial

from seqfacility_instance.cli.daemon_process import add_daemon_arguments, run_process
from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.site import ProcessName


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_daemon_arguments(parser, has_interval=True)


def run(arguments: argparse.Namespace) -> int:
    """Watch until told to stop. Decision: G262."""
    patience = None if arguments.once else limits.MONITOR_RUNS_PATIENCE_SECONDS
    return run_process(
        ProcessName.MONITOR_RUNS,
        arguments,
        tick_of=lambda services: partial(services.run_monitor.tick, patience_seconds=patience),
        interval_of=lambda _services: limits.MONITOR_RUNS_INTERVAL.total_seconds(),
    )
