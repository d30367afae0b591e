"""Run the background worker: verification of uploads, expiry, and other long work."""

import argparse

from seqfacility_instance.cli.daemon_process import add_daemon_arguments, run_process
from seqfacility_instance.core.vocabulary import ProcessName

INTERVAL_SECONDS = 2.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `worker`. Gap: G262."""
    add_daemon_arguments(parser, has_interval=False)


def run(arguments: argparse.Namespace) -> int:
    """Work until told to stop. Gap: G262."""
    return run_process(
        ProcessName.WORKER,
        arguments,
        tick_of=lambda services: services.worker.tick,
        interval_of=lambda _services: INTERVAL_SECONDS,
    )
